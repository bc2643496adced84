import { createHash } from 'node:crypto';
import { hasLoneSurrogate } from './strict-json.js';

/** Thrown for values that have no canonical form. */
export class NotCanonical extends TypeError {}

/**
 * WIRE §7.1 step 1: JSON encode, then decode. Undefined members vanish, NaN and Infinity become null, −0 becomes 0, dates
 * become ISO strings.
 * @throws NotCanonical where the value cannot be encoded (a cycle, a bigint)
 */
export function normalise(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null)) as unknown;
  } catch (error) {
    throw new NotCanonical('the value has no JSON form', { cause: error });
  }
}

/**
 * WIRE §7.1 step 2: canonical JSON text of a normalised value. Members sorted by UTF-16 code unit, no white space, numbers and
 * strings as ECMAScript serialises them, no Unicode normalising. Lone surrogates are refused.
 */
export function canonicalJson(value: unknown): string {
  return write(normalise(value));
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = value as Record<string, unknown>;
    return `{${Object.keys(members)
      .sort(byCodeUnit)
      .map((key) => `${text(key)}:${write(members[key])}`)
      .join(',')}}`;
  }
  return typeof value === 'string' ? text(value) : JSON.stringify(value);
}

function text(value: string): string {
  if (hasLoneSurrogate(value)) throw new NotCanonical('a string holds half of a surrogate pair');
  return JSON.stringify(value);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Lower-case hex SHA-256 of text (as UTF-8) or bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** WIRE §7.1 step 3. Absent arguments hash as `{}`. */
export function argsHash(args: unknown): string {
  return sha256Hex(canonicalJson(args ?? {}));
}

/** WIRE §7.1 step 4: 64 lower-case hex. `onBehalfOf` is the empty string where there is no subject. */
export function idempotencyKey(call: { jobId: string; tool: string; argsHash: string; onBehalfOf: string }): string {
  return sha256Hex(canonicalJson({ args_hash: call.argsHash, job_id: call.jobId, on_behalf_of: call.onBehalfOf, tool: call.tool }));
}
