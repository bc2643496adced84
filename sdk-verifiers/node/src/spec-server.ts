import type { HeaderSource } from './headers.js';
import { readHeaders } from './headers.js';
import { authzProbeResponse, type ProbeAuthorize, type ProbeResponse } from './probe.js';
import type { RawBody } from './bytes.js';
import { signedTarget, type TargetOptions } from './target.js';
import { failureReason, type SignedToolCall } from './tool-call.js';

export interface SpecRequest extends TargetOptions {
  readonly method: string;
  /** Raw request target. */
  readonly target: string | Uint8Array;
  readonly headers: HeaderSource;
  readonly body?: RawBody;
  readonly windowSec?: number | undefined;
  /** Unix seconds, for tests. */
  readonly now?: number | undefined;
}

export interface SpecAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The document, or a function that makes it. */
export type SpecSource = object | (() => object | Promise<object>);

function toCall(request: SpecRequest): SignedToolCall {
  const headers = readHeaders(request.headers);
  const target = signedTarget(request.target, request);
  return {
    method: request.method,
    pathWithQuery: target ?? '',
    body: request.body,
    timestamp: headers.timestamp,
    signature: target === null ? null : headers.signature,
    onBehalfOf: headers.onBehalfOf,
    jobId: headers.jobId,
    windowSec: request.windowSec,
    now: request.now,
  };
}

/** Headers of a spec answer; with a secret it must not be kept by anyone in between (SIGNING 11). */
function responseHeaders(secret: string | null): Record<string, string> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return secret === null ? type : { ...type, 'cache-control': 'private, no-store' };
}

function answer(status: number, secret: string | null, value: object): SpecAnswer {
  return { status, headers: responseHeaders(secret), body: JSON.stringify(value) };
}

async function serve(secret: string | null, source: SpecSource): Promise<SpecAnswer> {
  try {
    return answer(200, secret, typeof source === 'function' ? await (source as () => object | Promise<object>)() : source);
  } catch {
    return answer(500, secret, { error: 'The tool document could not be built. See the log of the service.' });
  }
}

/** Serves the tool document to a signed fetch. A secret of `null` means public; an empty one verifies nothing. */
async function handle(secret: string | null, request: SpecRequest, source: SpecSource): Promise<SpecAnswer> {
  const key = secret === null ? null : typeof secret === 'string' ? secret : '';
  if (request.method.toUpperCase() !== 'GET') return answer(405, key, { error: 'method not allowed' });
  const reason = key === null ? null : failureReason(key, toCall(request));
  return reason === null ? serve(key, source) : answer(401, key, { error: 'bad signature', reason });
}

/** Serves the tool document to everybody: an explicit choice (SIGNING 12). */
function handlePublic(request: SpecRequest, source: SpecSource): Promise<SpecAnswer> {
  return handle(null, request, source);
}

/** Answers the hub's authorization probe (SIGNING 34). */
async function authzProbe(secret: string, request: SpecRequest, authorize: ProbeAuthorize): Promise<SpecAnswer & { probe: ProbeResponse }> {
  const probe = await authzProbeResponse(secret, toCall(request), authorize);
  return { ...answer(probe.status, secret, probe.body), probe };
}

/** The document's server: protected by default, public by name, and the probe beside it (SIGNING 10 to 12, 34). */
export const SpecServer = { handle, handlePublic, responseHeaders, authzProbe } as const;
