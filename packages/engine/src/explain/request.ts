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

/** What is known of the moment of sending: the job, and once something was sent the time it was signed with. */
export interface Moment {
  readonly job: string;
  /** Unix seconds; absent where nothing was signed. */
  readonly timestamp?: string;
  /** Absent where nothing was signed. */
  readonly idempotencyKey?: string;
}

/** The bytes that would be sent, or were, as text for a person. Never a signature: for five minutes whoever reads it could use it. */
export function explainRequest(
  call: GovernedCall,
  frozen: FrozenCall,
  wire: Wire | undefined,
  moment: Moment = { job: OF_THE_JOB },
): ExplainedRequest {
  const body = bodyOf(frozen.body);
  const timestamp = moment.timestamp ?? AT_SENDING;
  const signed = { timestamp, method: frozen.method, target: frozen.target, body: frozen.body };
  return {
    method: frozen.method,
    url: wire?.url ?? frozen.target,
    signed_target: frozen.target,
    headers: headersOf(call, wire?.headers ?? frozen.headers, moment),
    body: body.text,
    body_encoding: body.encoding,
    body_bytes: frozen.body.byteLength,
    string_to_sign: stringToSign({ ...signed, onBehalfOf: call.subject, jobId: moment.job }),
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

function headersOf(call: GovernedCall, headers: Wire['headers'], { job, timestamp, idempotencyKey }: Moment): Wire['headers'] {
  const shown = headers.map(([name, value]) => [name, name === HEADERS.jobId ? job : shownValue(name, value)] as const);
  const late: (readonly [string, string])[] = [
    [HEADERS.timestamp, timestamp ?? AT_SENDING],
    [HEADERS.signature, timestamp === undefined ? '<sha256= and 64 hex, made at sending>' : '<sha256= and 64 hex, not shown>'],
  ];
  if (idempotencyKey !== undefined) late.push([HEADERS.idempotencyKey, idempotencyKey]);
  else if (call.tool.sideEffecting && timestamp === undefined)
    late.push([HEADERS.idempotencyKey, '<64 hex over job, tool, subject and arguments>']);
  return [...shown, ...late];
}

function shownValue(name: string, value: string): string {
  return !name.startsWith('X-Bailing-') && SECRET_NAME.test(name) ? '[masked]' : value;
}
