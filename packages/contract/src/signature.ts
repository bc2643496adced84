import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from './canonical.js';
import { SIGNATURE_WINDOW_MS, SIGNATURE_WINDOW_S } from './limits.js';

/** What a tool call's signature covers (WIRE §6.3). `target` is the raw path with its raw query; `body` the raw bytes. */
export interface SignedCall {
  /** Unix seconds, as sent. */
  readonly timestamp: string;
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array | string;
  readonly onBehalfOf: string;
  readonly jobId: string;
}

/** Null where the signature holds; otherwise the contract's reason word. */
export type FailureReason = 'timestamp_out_of_window' | 'bad_signature' | null;

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;
const DIGITS = /^[0-9]{1,15}$/;

/** ASCII letters only (SIGNING 4): no locale, no Unicode case rules. */
function upperMethod(method: string): string {
  return method.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** `<ts>.<METHOD>.<target>.<hex sha256 of body>.<subject>.<job>` */
export function stringToSign(call: SignedCall): string {
  return [call.timestamp, upperMethod(call.method), call.target, sha256Hex(call.body), call.onBehalfOf, call.jobId].join('.');
}

function mac(secret: string, material: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(material).digest('hex')}`;
}

/** `sha256=` + 64 lower-case hex. */
export function signCall(secret: string, call: SignedCall): string {
  return mac(secret, stringToSign(call));
}

/** Spec fetch (WIRE §4.2): the same scheme with empty body, subject and job; `target` is the path and query of the spec URL. */
export function signSpecFetch(secret: string, timestamp: string, target: string): string {
  return signCall(secret, { timestamp, method: 'GET', target, body: '', onBehalfOf: '', jobId: '' });
}

/** Compares two signatures in constant time; anything not of the exact shape is unequal. */
export function sameSignature(expected: string, given: string): boolean {
  if (!SIGNATURE.test(given)) return false;
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1'));
}

/** Digits only, in the contract's unit; a difference of exactly the window is refused already. */
export function inWindow(timestamp: string, now: number, window: number): boolean {
  return DIGITS.test(timestamp) && Math.abs(now - Number(timestamp)) < window;
}

/** Verifies a tool call or spec fetch. The window is tested first; an empty secret verifies nothing (SIGNING 22). `nowMs` is the verifier's clock in milliseconds. */
export function callFailure(secret: string, call: SignedCall, signature: string, nowMs: number): FailureReason {
  if (!inWindow(call.timestamp, Math.floor(nowMs / 1000), SIGNATURE_WINDOW_S)) return 'timestamp_out_of_window';
  return secret !== '' && sameSignature(signCall(secret, call), signature) ? null : 'bad_signature';
}

/** Callbacks, webhooks and signed decisions (WIRE §10.1): HMAC over `<ms>.` and the raw body bytes. */
export function signBody(secret: string, timestampMs: string, body: Uint8Array | string): string {
  const signer = bodySigner(secret, timestampMs);
  signer.add(body);
  return signer.end();
}

/** The same for a body of many pieces, so that whoever signs a large one may do something else in between. */
export function bodySigner(secret: string, timestampMs: string): { add(piece: Uint8Array | string): void; end(): string } {
  const hmac = createHmac('sha256', secret).update(`${timestampMs}.`);
  return { add: (piece) => void hmac.update(piece), end: () => `sha256=${hmac.digest('hex')}` };
}

/** Verifies a callback, webhook or decision; milliseconds. */
export function bodyFailure(
  secret: string,
  timestampMs: string,
  body: Uint8Array | string,
  signature: string,
  nowMs: number,
): FailureReason {
  if (!inWindow(timestampMs, nowMs, SIGNATURE_WINDOW_MS)) return 'timestamp_out_of_window';
  return secret !== '' && sameSignature(signBody(secret, timestampMs, body), signature) ? null : 'bad_signature';
}

/** WIRE §1.3: the credential of one claim of one job. */
export function toolToken(serverToken: string, jobId: string, claimToken: string): string {
  return createHmac('sha256', serverToken).update(`${jobId}.${claimToken}`).digest('hex');
}
