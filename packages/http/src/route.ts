import { BailingError } from '@bailing/plugin-api';
import type { IncomingHttpHeaders } from 'node:http';
import type { AdminCaller, Caller, ClientCaller, ExecutorApi, ExecutorCaller, HubApi } from './hub-api.js';
import type { DeskApi } from './desk-api.js';
import type { OperateApi } from './operate-api.js';
import type { ObjectsApi } from './objects-api.js';
import type { ToolProvidersApi } from './tool-providers-api.js';
import { readJson } from './json.js';
import type { EventStream } from './sse.js';

/** What a handler sees of one request. */
export interface RouteRequest {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes, within the route's limit. Empty for GET. */
  readonly body: Uint8Array;
  /** Null on public routes and on routes that authenticate for themselves. */
  readonly caller: Caller | null;
  /** Of the connection; a proxy's where there is one. */
  readonly address: string;
  /** Whether the client speaks TLS. */
  readonly secure: boolean;
  /** Aborts when the client is gone or the server stops. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, under `type`. */
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as server-sent events instead of a body. */
  readonly events?: EventStream;
  /** Is told what became of the answer. */
  readonly delivery?: Delivery;
}

/** What became of an answer. A connection may be lost right after the last byte: then `undelivered` comes after `delivered`. Each comes at most once. */
export interface Delivery {
  /** The whole answer is written. */
  readonly delivered: () => Promise<void>;
  /** It did not reach its reader: the connection was lost before, while or right after it was written. */
  readonly undelivered: () => Promise<void>;
}

/** `public`: no credential. `own`: the handler authenticates. Otherwise the kinds of caller that may enter. */
export type Access = 'public' | 'own' | readonly Caller['kind'][];

/** One endpoint as data: the router, the authentication and the OpenAPI test all read it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Router syntax, `/jobs/:id`. */
  readonly path: string;
  readonly access: Access;
  /** Byte limit of the body; the server's JSON limit where absent. */
  readonly maxBytes?: number;
  /** False where this hub does not have it, so that the path is not found by any method; absent: it has it. */
  served?(hub: HubApi): boolean;
  handle(request: RouteRequest, hub: HubApi): Promise<Reply> | Reply;
}

/** There is such a path, and it takes other methods. */
export class WrongMethod extends BailingError {
  constructor(
    /** For the header. */
    readonly allow: string,
  ) {
    super('BAILING_REQUEST_METHOD');
  }
}

/** The caller of a route for clients and administrators. */
export function clientOrAdmin(request: RouteRequest): AdminCaller | ClientCaller {
  const caller = request.caller;
  if (caller?.kind === 'admin' || caller?.kind === 'client') return caller;
  throw new BailingError('BAILING_REQUEST_FORBIDDEN');
}

/** The caller of a route for administrators. */
export function admin(request: RouteRequest): AdminCaller {
  if (request.caller?.kind === 'admin') return request.caller;
  throw new BailingError('BAILING_REQUEST_FORBIDDEN');
}

/** The caller of the executor protocol; an administrator may work on every target. @throws BAILING_REQUEST_FORBIDDEN */
export function executorCaller(request: RouteRequest): ExecutorCaller {
  const caller = request.caller;
  if (caller?.kind === 'executor') return caller;
  return { kind: 'executor', name: admin(request).name, allowedTargets: ['*'] };
}

/** @throws BAILING_REQUEST_NOT_FOUND where the hub serves no executors */
export function executorsOf(hub: HubApi): ExecutorApi {
  if (!hub.executors) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.executors;
}

/** @throws BAILING_REQUEST_NOT_FOUND where the hub has no desk */
export function deskOf(hub: HubApi): DeskApi {
  if (!hub.desk) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.desk;
}

/** @throws BAILING_REQUEST_NOT_FOUND where the hub has no tool sources to show */
export function providersOf(hub: HubApi): ToolProvidersApi {
  if (!hub.toolProviders) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.toolProviders;
}

/** @throws BAILING_REQUEST_NOT_FOUND where the hub answers no questions about itself */
export function operateOf(hub: HubApi): OperateApi {
  if (!hub.operate) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.operate;
}

/** @throws BAILING_REQUEST_NOT_FOUND where the hub keeps no configuration objects */
export function objectsOf(hub: HubApi): ObjectsApi {
  if (!hub.objects) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.objects;
}

/** The refusal of a path that names something that is not there. Only for callers who may know what is there. */
export function noSuch(noun: string, id: string | undefined): BailingError {
  return new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `There is no ${noun} ${(id ?? '').slice(0, 64)}.` });
}

/** A path parameter that must be a counting id. @throws BAILING_REQUEST_NOT_FOUND */
export function idParam(request: RouteRequest, name: string): number {
  const text = request.params[name] ?? '';
  if (!/^[1-9][0-9]{0,14}$/.test(text))
    throw new BailingError('BAILING_REQUEST_NOT_FOUND', {
      detail: `${JSON.stringify(text.slice(0, 64))} is no id: ids are whole numbers.`,
    });
  return Number(text);
}

/** The body as JSON; an empty one reads as `{}`. @throws BAILING_REQUEST_MALFORMED */
export function json(request: RouteRequest): unknown {
  return readJson(request.body);
}

const JOB_ID = /^[0-9a-f-]{36}$/;

/** A path parameter that must be a job id. @throws BAILING_REQUEST_NOT_FOUND */
export function jobId(request: RouteRequest, name: string): string {
  const id = request.params[name] ?? '';
  if (!JOB_ID.test(id))
    throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `${JSON.stringify(id.slice(0, 64))} is no id of a job.` });
  return id;
}

/** An integer of the query within bounds; the default where it is absent. @throws BAILING_REQUEST_MALFORMED */
export function queryInt(request: RouteRequest, name: string, bounds: { min: number; max: number; default: number }): number {
  const text = request.query.get(name);
  if (text === null || text === '') return bounds.default;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  throw new BailingError('BAILING_REQUEST_MALFORMED', {
    at: name,
    detail: `${name} must be a whole number from ${bounds.min} to ${bounds.max}.`,
  });
}
