import { HEADERS, stringToSign } from '@bailing/contract';
import type { FrozenCall, GovernedCall } from '@bailing/plugin-api';
import type { ExplainedRequest } from './words.js';

/** Where an invoker can say it: the whole address and every header that goes out besides those of the moment of sending. */
export interface Wire {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The job an explained call is frozen for: there is none. */
export const EXPLAINED_JOB = '00000000-0000-4000-8000-000000000000';

const OF_THE_JOB = '<id of the job>';
const AT_SENDING = '<unix seconds of sending>';
const SECRET_NAME = /auth|cookie|token|secret|key|password|signature|session/i;
const TEXT = new TextDecoder('utf-8', { fatal: true });

/** The bytes that would be sent, as text for a person. */
export function explainRequest(call: GovernedCall, frozen: FrozenCall, wire: Wire | undefined): ExplainedRequest {
  const body = bodyOf(frozen.body);
  const signed = { timestamp: AT_SENDING, method: frozen.method, target: frozen.target, body: frozen.body };
  return {
    method: frozen.method,
    url: wire?.url ?? frozen.target,
    signed_target: frozen.target,
    headers: headersOf(call, wire?.headers ?? frozen.headers),
    body: body.text,
    body_encoding: body.encoding,
    body_bytes: frozen.body.byteLength,
    string_to_sign: stringToSign({ ...signed, onBehalfOf: call.subject, jobId: OF_THE_JOB }),
    digest: frozen.digest,
    timeout_ms: frozen.timeoutMs,
  };
}

/** A body as text, or as base64 where it is none. */
export function bodyOf(bytes: Uint8Array): { readonly text: string; readonly encoding: 'utf8' | 'base64' } {
  try {
    return { text: TEXT.decode(bytes), encoding: 'utf8' };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

function headersOf(call: GovernedCall, headers: Wire['headers']): Wire['headers'] {
  const shown = headers.map(([name, value]) => [name, shownValue(name, value)] as const);
  const late: (readonly [string, string])[] = [
    [HEADERS.timestamp, AT_SENDING],
    [HEADERS.signature, '<sha256= and 64 hex, made at sending>'],
  ];
  if (call.tool.sideEffecting) late.push([HEADERS.idempotencyKey, '<64 hex over job, tool, subject and arguments>']);
  return [...shown, ...late];
}

function shownValue(name: string, value: string): string {
  if (name === HEADERS.jobId) return OF_THE_JOB;
  return !name.startsWith('X-Bailing-') && SECRET_NAME.test(name) ? '[masked]' : value;
}
