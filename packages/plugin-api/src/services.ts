import type { Socket } from 'node:net';
import type { Ms } from './call.js';
import type { JsonSchema } from './tool.js';
import { defineService } from './refs.js';
import type { Streams } from './streams.js';

/** Structured log. Fields whose names look secret are redacted by the host; still, pass none. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): Ms;
}

export interface HttpRequest {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whole attempt, body included. Default 10 000. */
  readonly timeoutMs?: Ms;
  /** Decompressed bytes; default and at most 5 242 880. */
  readonly maxBytes?: number;
}
export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The only way a plugin reaches the network: made by `outbound`, with its host rules and limits; no redirects, no retries. */
export interface Http {
  /** Throws BailingError `BAILING_OUTBOUND_*`. Any status is an answer. */
  request(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>;
  /** The same door in the shape of `fetch`, for SDKs that take one. Streams; redirects refused. */
  readonly fetch: typeof globalThis.fetch;
}

/** A plain TCP connection for protocols other than HTTP, made by `outbound` under the same host rules. TLS is its user's to put on top. */
export interface Sockets {
  /** Throws BailingError `BAILING_OUTBOUND_*`: no connection came about. What is answered is the caller's to close. */
  connect(to: { readonly host: string; readonly port: number; readonly timeoutMs?: Ms }, signal?: AbortSignal): Promise<Socket>;
}

/** A compiled schema: answers the problems of a value, empty when it is valid. */
export type SchemaValidator = (value: unknown) => readonly { readonly at: string; readonly says: string }[];
export interface SchemaCheck {
  compile(schema: JsonSchema): SchemaValidator;
}

/** A plugin's own namespaced key-value records with compare-and-set and expiry. */
export interface Records {
  get(key: string): Promise<{ readonly value: string; readonly rev: number } | null>;
  put(
    key: string,
    value: string,
    options?: { readonly ifRev?: number; readonly ttlMs?: Ms; readonly tag?: string },
  ): Promise<number | 'moved'>;
  byTag(
    tag: string,
    after: string,
    max: number,
  ): Promise<readonly { readonly key: string; readonly value: string; readonly rev: number }[]>;
  drop(key: string): Promise<void>;
}

/** A signed message to a business (WIRE §10.1). */
export interface WebhookMessage {
  readonly url: string;
  /** The exact body, JSON text. */
  readonly body: string;
  /** `app_id` of the client whose token signs; empty for the server token. */
  readonly signAs: string;
}

/** Sends webhooks signed by the host: secrets stay where they are. One attempt a call, timestamp and signature made for it. */
export interface Webhooks {
  /** Any status is an answer. Throws BailingError `BAILING_OUTBOUND_*`, or `BAILING_CONFIG_INVALID` where there is no secret to sign with. */
  post(message: WebhookMessage, signal?: AbortSignal): Promise<{ readonly status: number }>;
}

/** The services every host offers. A plugin names what it needs; it opens no sockets and no databases of its own. */
export const services = Object.freeze({
  log: defineService<Log>('log/1'),
  clock: defineService<Clock>('clock/1'),
  http: defineService<Http>('http/1'),
  sockets: defineService<Sockets>('sockets/1'),
  schema: defineService<SchemaCheck>('schema/1'),
  records: defineService<Records>('records/1'),
  webhooks: defineService<Webhooks>('webhooks/1'),
  /** Replaceable by a plugin's offer; the default lives in the memory of one process. */
  streams: defineService<Streams>('streams/1'),
});
