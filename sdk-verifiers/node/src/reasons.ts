import { timingSafeEqual } from 'node:crypto';
import { headerBytes, hmac } from './bytes.js';

/** Why a signature was refused (SIGNING 19). */
export type FailureReason = 'timestamp_out_of_window' | 'bad_signature';

const TIMESTAMP = /^[0-9]{1,15}$/;
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

function asciiText(value: unknown): string | null {
  const bytes = headerBytes(value);
  return bytes === null ? null : bytes.toString('latin1');
}

/** True when the timestamp is digits only and less than `window` away from `now`, both in the unit of the scheme (SIGNING 16). */
export function inWindow(timestamp: unknown, now: number, window: number): boolean {
  const text = asciiText(timestamp);
  if (text === null || !TIMESTAMP.test(text)) return false;
  return Math.abs(now - Number(text)) < window;
}

/** True when `signature` is `sha256=` and the 64 hex digits of the MAC; compared in constant time on equal lengths (SIGNING 20 to 22). */
export function signatureFits(secret: unknown, signature: unknown, data: Buffer): boolean {
  if (typeof secret !== 'string' || secret === '') return false;
  const text = asciiText(signature);
  if (text === null || !SIGNATURE.test(text)) return false;
  return timingSafeEqual(hmac(secret, data), Buffer.from(text.slice(7), 'hex'));
}

/** A signature with its label. @throws {TypeError} on an empty secret, which would sign what nobody may verify. */
export function labelled(secret: string, data: Buffer): string {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('A secret is needed to sign: it is empty or not a text.');
  return 'sha256=' + hmac(secret, data).toString('hex');
}
