import { bodyBytes, headerBytes, type HeaderText, type RawBody } from './bytes.js';
import { inWindow, labelled, signatureFits, type FailureReason } from './reasons.js';
import { contentToSign, toolCallString, type SignedParts } from './string-to-sign.js';

/** Default window of a tool call and a spec fetch, seconds. */
export const WINDOW_SECONDS = 300;

export interface ToolCallToSign {
  /** Unix seconds. */
  readonly ts: number | string;
  readonly method: string;
  /** Raw path and query, exactly as it will be sent. */
  readonly pathWithQuery: string | Uint8Array;
  readonly body?: RawBody;
  readonly onBehalfOf?: HeaderText;
  readonly jobId?: HeaderText;
}

export interface SignedToolCall {
  readonly method: string | Uint8Array;
  /** Raw request target, never decoded or built again. */
  readonly pathWithQuery: string | Uint8Array;
  /** The raw bytes that arrived. */
  readonly body?: RawBody;
  readonly timestamp?: HeaderText;
  readonly signature?: HeaderText;
  readonly onBehalfOf?: HeaderText;
  readonly jobId?: HeaderText;
  /** Seconds; 300 unless stated. */
  readonly windowSec?: number | undefined;
  /** Unix seconds, for tests; the floor of the clock unless stated. */
  readonly now?: number | undefined;
}

/** The signed parts as bytes, or `null` when one of them is malformed. @throws {RawBodyRequired} on a parsed body. */
export function signedParts(call: Omit<SignedToolCall, 'timestamp' | 'signature'>): SignedParts | null {
  const method = headerBytes(call.method);
  const target = headerBytes(call.pathWithQuery);
  const subject = headerBytes(call.onBehalfOf);
  const job = headerBytes(call.jobId);
  const body = bodyBytes(call.body);
  return method === null || target === null || subject === null || job === null ? null : { method, target, body, subject, job };
}

/** Signs a tool call or a spec fetch: `sha256=<hex>` (SIGNING 1 to 8). Businesses need it in tests only. */
export function signToolCall(secret: string, call: ToolCallToSign): string {
  const parts = signedParts(call);
  const timestamp = headerBytes(call.ts);
  if (parts === null || timestamp === null) throw new TypeError('A part of the call to sign is not text and not bytes.');
  return labelled(secret, toolCallString(timestamp, contentToSign(parts)));
}

/** What a check found: the reason, or the parts and the content that were verified. */
export type ToolCallCheck =
  { readonly reason: FailureReason } | { readonly reason: null; readonly parts: SignedParts; readonly content: Buffer };

/** Checks a call and keeps what was verified. @throws {RawBodyRequired} on a parsed body. */
export function checkToolCall(secret: string, call: SignedToolCall): ToolCallCheck {
  const now = call.now ?? Math.floor(Date.now() / 1000);
  const parts = signedParts(call);
  if (!inWindow(call.timestamp, now, call.windowSec ?? WINDOW_SECONDS)) return { reason: 'timestamp_out_of_window' };
  const timestamp = headerBytes(call.timestamp);
  if (parts === null || timestamp === null) return { reason: 'bad_signature' };
  const content = contentToSign(parts);
  return signatureFits(secret, call.signature, toolCallString(timestamp, content))
    ? { reason: null, parts, content }
    : { reason: 'bad_signature' };
}

/**
 * Why a tool call does not verify, or `null` when it does. The window is tested first (SIGNING 16 to 23).
 * @throws {RawBodyRequired} when `body` is a parsed value, a mistake of wiring; never because of what arrived.
 */
export function failureReason(secret: string, call: SignedToolCall): FailureReason | null {
  return checkToolCall(secret, call).reason;
}

/** True when the call verifies. A signature is not a permission: use `gate`, or authorise yourself. */
export function verifyToolCall(secret: string, call: SignedToolCall): boolean {
  return failureReason(secret, call) === null;
}
