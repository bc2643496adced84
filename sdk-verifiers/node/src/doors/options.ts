import type { ServerResponse } from 'node:http';
import type { Authorize, GateResult } from '../gate.js';
import type { ReplayGuard } from '../replay.js';
import type { TargetOptions } from '../target.js';

export interface DoorOptions extends TargetOptions {
  /** The provider's secret, or a function that gives the one in force. */
  readonly secret: string | (() => string);
  /** Required: the business's own decision. Only `true` lets the call in. */
  readonly authorize: Authorize;
  /** Name of the tool behind this route. */
  readonly tool: string;
  /** Largest body, bytes; 1 MiB unless stated. */
  readonly maxBytes?: number | undefined;
  readonly windowSec?: number | undefined;
  readonly replay?: ReplayGuard | undefined;
}

/** What a door answers when it does not let a call in. */
export interface DoorRefusal {
  readonly status: number;
  readonly body: { readonly error: string; readonly message: string };
  /** The rest of the body is not read, so the connection cannot be used again. */
  readonly close?: boolean;
}

export function secretOf(options: Pick<DoorOptions, 'secret'>): string {
  return typeof options.secret === 'function' ? options.secret() : options.secret;
}

export function refusalOf(result: GateResult): DoorRefusal {
  return { status: result.code, body: { error: result.error ?? 'refused', message: result.message } };
}

/** A refusal for errors of the door itself: 413 for a large body, 500 with the sentence for wiring without raw bytes; else `null`. */
export function wiringRefusal(error: unknown): DoorRefusal | null {
  const code = (error as { code?: unknown } | null)?.code;
  const message = error instanceof Error ? error.message : '';
  if (code === 'body_too_large') return { status: 413, body: { error: code, message }, close: true };
  return code === 'raw_body_required' ? { status: 500, body: { error: code, message } } : null;
}

/** Sends a refusal over a plain response. */
export function sendRefusal(response: ServerResponse, { status, body, close }: DoorRefusal): void {
  if (close) response.setHeader('connection', 'close');
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
