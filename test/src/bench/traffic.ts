// The calls of the benchmark, as the three parties want them: signed (the business), or as an invoke (the proxy and the hub).
import { signToolCall } from '@bailing/verifier';

export type Operation = 'read' | 'write';

/** Where an invoke goes: the path of a claimed job and its token. */
export interface Door {
  readonly path: string;
  readonly token: string;
}

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | null;
}

export const SUBJECT = 'u-ada';
export const TOOL: Readonly<Record<Operation, string>> = { read: 'order_read', write: 'refund_request_create' };

/** Arguments that no other call of the run has. */
export function argumentsOf(operation: Operation, serial: number): Readonly<Record<string, unknown>> {
  const order_no = `A-${String(1_000_000 + serial)}`;
  return operation === 'read' ? { order_no } : { amount: 200 + (serial % 700), order_no, reason: 'The parcel arrived damaged.' };
}

/** The call as the business gets it. */
export interface Sendable {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: string;
}

export function sendable(tool: string, args: Readonly<Record<string, unknown>>): Sendable | null {
  if (tool === TOOL.read) return { method: 'GET', target: `/orders/${encodeURIComponent(String(args.order_no))}`, body: '' };
  if (tool === TOOL.write) return { method: 'POST', target: '/refund-requests', body: JSON.stringify(args) };
  return null;
}

/** Flat header list of a signed call, like the hub's (WIRE §6.2). */
export function signedHeaders(secret: string, call: Sendable, jobId: string): string[] {
  const ts = String(Math.floor(Date.now() / 1000));
  const { method, target, body } = call;
  const signature = signToolCall(secret, { ts, method, pathWithQuery: target, body, onBehalfOf: SUBJECT, jobId });
  const type = body === '' ? [] : ['Content-Type', 'application/json'];
  const who = ['X-Bailing-Job-Id', jobId, 'X-Bailing-Client', 'bench', 'X-Bailing-On-Behalf-Of', SUBJECT];
  return [...type, 'X-Bailing-Timestamp', ts, 'X-Bailing-Signature', signature, ...who];
}

export function directShot(secret: string, operation: Operation, serial: number, jobId: string): Shot {
  const call = sendable(TOOL[operation], argumentsOf(operation, serial)) as Sendable;
  return { method: call.method, path: call.target, headers: signedHeaders(secret, call, jobId), body: call.body === '' ? null : call.body };
}

export function invokeShot(door: Door, tool: string, args: Readonly<Record<string, unknown>>): Shot {
  const headers = ['Content-Type', 'application/json', 'Authorization', `Bearer ${door.token}`];
  return { method: 'POST', path: door.path, headers, body: JSON.stringify({ tool, arguments: args }) };
}
