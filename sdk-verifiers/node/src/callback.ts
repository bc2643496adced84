import { bodyBytes, headerBytes, type HeaderText, type RawBody } from './bytes.js';
import { inWindow, labelled, signatureFits, type FailureReason } from './reasons.js';
import { callbackString } from './string-to-sign.js';

/** Default window of callbacks, webhooks and decisions, milliseconds. */
export const WINDOW_MILLISECONDS = 300_000;

export interface SignedCallback {
  /** The raw bytes that arrived. */
  readonly rawBody?: RawBody;
  readonly timestamp?: HeaderText;
  readonly signature?: HeaderText;
  /** Milliseconds; 300000 unless stated. */
  readonly windowMs?: number | undefined;
  /** Unix milliseconds, for tests. */
  readonly now?: number | undefined;
}

/** Signs a callback, webhook or decision body: `sha256=<hex>` (SIGNING 13). */
export function signCallback(secret: string, callback: { readonly timestamp: number | string; readonly rawBody: RawBody }): string {
  const timestamp = headerBytes(callback.timestamp);
  if (timestamp === null) throw new TypeError('The timestamp to sign is not text and not a whole number.');
  return labelled(secret, callbackString(timestamp, bodyBytes(callback.rawBody)));
}

/**
 * Why a callback, webhook or decision does not verify, or `null` when it does.
 * @throws {RawBodyRequired} when `rawBody` is a parsed value; never because of what arrived.
 */
export function callbackFailureReason(secret: string, callback: SignedCallback): FailureReason | null {
  const body = bodyBytes(callback.rawBody);
  if (!inWindow(callback.timestamp, callback.now ?? Date.now(), callback.windowMs ?? WINDOW_MILLISECONDS)) return 'timestamp_out_of_window';
  const timestamp = headerBytes(callback.timestamp);
  if (timestamp === null) return 'bad_signature';
  return signatureFits(secret, callback.signature, callbackString(timestamp, body)) ? null : 'bad_signature';
}

/** True when the callback or webhook verifies. Deduplicate on `job_id` and `finished_at`: deliveries repeat. */
export function verifyCallback(secret: string, callback: SignedCallback): boolean {
  return callbackFailureReason(secret, callback) === null;
}
