import { sha256Hex, bodyBytes, strictUtf8, type RawBody } from './bytes.js';
import { readHeaders, type HeaderSource, type HubHeaders } from './headers.js';
import { readParams, type Params } from './params.js';
import { REFUSALS, type GateError } from './refusals.js';
import type { ReplayGuard } from './replay.js';
import { signedTarget, splitTarget, type TargetOptions } from './target.js';
import { checkToolCall, type SignedToolCall } from './tool-call.js';

/** The business's own decision. Only the boolean `true` lets the call in (SIGNING 30). */
export type Authorize = (operator: string, tool: string, params: Params) => boolean | Promise<boolean>;

export interface GateRequest extends TargetOptions {
  readonly method: string;
  /** Raw request target as in the request line. */
  readonly target: string | Uint8Array;
  readonly headers: HeaderSource;
  readonly body: RawBody;
  /** Name of the tool this endpoint serves; handed to authorize. */
  readonly tool: string;
  /** Path parameters as the router decoded them. */
  readonly pathParams?: Readonly<Record<string, string>> | undefined;
  readonly windowSec?: number | undefined;
  /** Unix seconds, for tests. */
  readonly now?: number | undefined;
  readonly replay?: ReplayGuard | undefined;
}

export interface GateResult {
  readonly ok: boolean;
  readonly code: 200 | 401 | 403;
  readonly error: GateError | null;
  /** A sentence for people; empty when ok. */
  readonly message: string;
  /** The acting user; empty unless the signature was right. */
  readonly operator: string;
  readonly jobId: string;
  readonly tool: string;
  /** Empty unless ok. */
  readonly params: Params;
  /** Unsigned (SIGNING 36); empty when absent or malformed. */
  readonly idempotencyKey: string;
  /** SHA-256 of what was signed without its timestamp: bind the idempotency key to it. Empty unless the signature was right. */
  readonly contentHash: string;
}

interface Verified {
  readonly operator: string;
  readonly jobId: string;
  readonly contentHash: string;
  readonly target: Buffer;
  readonly body: Buffer;
}

const NOBODY = { operator: '', jobId: '', contentHash: '' };

function callOf(request: GateRequest, headers: HubHeaders, target: Buffer, body: Buffer): SignedToolCall {
  const { method, windowSec, now } = request;
  const { timestamp, signature, onBehalfOf, jobId } = headers;
  return { method, pathWithQuery: target, body, timestamp, signature, onBehalfOf, jobId, windowSec, now };
}

function verify(secret: string, request: GateRequest, headers: HubHeaders): Verified | GateError {
  const body = bodyBytes(request.body, 'the gate');
  const stated = signedTarget(request.target, request);
  const target = stated ?? Buffer.alloc(0);
  const call = callOf(request, headers, target, body);
  const checked = checkToolCall(secret, stated === null ? { ...call, signature: null } : call);
  if (checked.reason !== null) return checked.reason;
  const operator = strictUtf8(checked.parts.subject);
  const jobId = strictUtf8(checked.parts.job);
  if (operator === null || jobId === null || jobId.includes('.')) return 'bad_signature';
  return { operator, jobId, contentHash: sha256Hex(checked.content), target, body };
}

async function replayed(request: GateRequest, headers: HubHeaders): Promise<GateError | null> {
  if (request.replay === undefined || /^(GET|HEAD)$/i.test(request.method)) return null;
  try {
    const signature = String(headers.signature);
    return (await request.replay.firstTime(signature, String(headers.jobId ?? ''))) === true ? null : 'replayed';
  } catch {
    return 'replay_guard_failed';
  }
}

async function decide(authorize: unknown, request: GateRequest, verified: Verified): Promise<Params | GateError> {
  if (typeof authorize !== 'function') return 'authorize_missing';
  const params = readParams(request.method.toUpperCase(), splitTarget(verified.target).query, verified.body, request.pathParams);
  if (params === null) return 'bad_parameters';
  try {
    const answer: unknown = await (authorize as Authorize)(verified.operator, request.tool, params);
    return answer === true ? params : 'not_authorized';
  } catch {
    return 'authorize_failed';
  }
}

/**
 * Verifies a tool call and asks the business whether the acting user may do it. Fail closed: a missing authorize, an exception, and any
 * answer but `true` is 403 (SIGNING 29 to 33). Handlers should act on `result.params`, which is what was authorised.
 * @throws {RawBodyRequired} when `body` is a parsed value; never because of what arrived.
 */
export async function gate(secret: string, authorize: Authorize, request: GateRequest): Promise<GateResult> {
  const headers = readHeaders(request.headers);
  const base = { tool: request.tool, idempotencyKey: headers.idempotencyKey, params: Object.create(null) as Params };
  const refuse = (error: GateError, who: Partial<Verified> = NOBODY): GateResult => {
    const { operator = '', jobId = '', contentHash = '' } = who;
    return { ...base, operator, jobId, contentHash, ok: false, error, ...REFUSALS[error] };
  };
  const verified = verify(secret, request, headers);
  if (typeof verified === 'string') return refuse(verified);
  const params = await decide(authorize, request, verified);
  if (typeof params === 'string') return refuse(params, verified);
  const repeat = await replayed(request, headers);
  if (repeat !== null) return refuse(repeat, verified);
  const { operator, jobId, contentHash } = verified;
  return { ...base, operator, jobId, contentHash, params, ok: true, code: 200, error: null, message: '' };
}
