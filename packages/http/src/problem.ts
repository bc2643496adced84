import { BailingError, errorCatalogue, type ErrorCode } from '@bailing/plugin-api';
import { LoginThrottled } from './admins-api.js';
import { expectedAt, fixAt } from './auth.js';
import { BodyTooLarge } from './body.js';
import { InvalidObject } from './objects-api.js';
import { WrongMethod, type Reply } from './route.js';

/** Codes whose `error` text is fixed by the contract (WIRE §0): no detail is added to it. */
const FIXED: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAILING_REQUEST_UNAUTHORIZED: 'unauthorized',
  BAILING_REQUEST_NOT_FOUND: 'not found',
  BAILING_REQUEST_METHOD: 'method not allowed',
  BAILING_REQUEST_TOO_LARGE: 'payload too large',
  BAILING_HUB_STOPPING: 'server shutting down',
  BAILING_HUB_FAILED: 'internal_error',
};

/** Turns anything thrown into an answer: `{"error": sentence, "code", "fix", …}`. What is not a refusal is a 500 that tells nothing but its id. */
export function problemReply(error: unknown, requestId: string, path: string): Reply {
  if (error instanceof BodyTooLarge) return refusal('BAILING_REQUEST_TOO_LARGE', { max_bytes: error.maxBytes });
  if (!(error instanceof BailingError)) return failed(requestId);
  const { code, detail, at } = error;
  if (code === 'BAILING_HUB_FAILED') return failed(requestId);
  const more: Record<string, unknown> = {};
  if (error.entry.status >= 500 && error.entry.blame !== 'caller') more['request_id'] = requestId;
  if (at !== undefined) more['at'] = at;
  if (code === 'BAILING_REQUEST_UNAUTHORIZED') Object.assign(more, { expected: detail ?? expectedAt(path), fix: fixAt(path) });
  if (error instanceof InvalidObject) more['problems'] = error.problems;
  if (code === 'BAILING_REQUEST_NOT_FOUND' && detail !== undefined) more['detail'] = detail;
  if (code === 'BAILING_HUB_PAUSED') more['status'] = 'paused';
  if (code === 'BAILING_AUDIENCE_REFUSED' && detail !== undefined) more['reason'] = detail;
  const reply = refusal(code, more, detail);
  if (error instanceof WrongMethod) return { ...reply, headers: { ...reply.headers, allow: error.allow } };
  return error instanceof LoginThrottled ? { ...reply, headers: { ...reply.headers, 'retry-after': String(error.retryAfterS) } } : reply;
}

/** A refusal of the catalogue as an answer. */
export function refusal(code: ErrorCode, more: Readonly<Record<string, unknown>> = {}, detail?: string): Reply {
  const { status, says, fix } = errorCatalogue[code];
  const error = FIXED[code] ?? (detail === undefined ? says : `${says} ${detail}`);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { status, headers, body: { error, code, fix, ...more } };
}

function failed(requestId: string): Reply {
  const reply = refusal('BAILING_HUB_FAILED', { request_id: requestId });
  return { ...reply, headers: { 'x-request-id': requestId } };
}
