import { wireBytes } from './bytes.js';

/** Stands for a header that came more than once: malformed by rule 27, equal values or not. */
export const REPEATED: unique symbol = Symbol('repeated header');

export type HeaderValue = Buffer | typeof REPEATED | undefined;

/** Headers as a server holds them: Node's flat `rawHeaders`, a list of pairs (text or bytes), or a map of names. */
export type HeaderSource =
  | readonly string[]
  | readonly (readonly [string | Uint8Array, string | Uint8Array])[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HubHeaders {
  readonly timestamp: HeaderValue;
  readonly signature: HeaderValue;
  readonly onBehalfOf: HeaderValue;
  readonly jobId: HeaderValue;
  /** Unsigned, for logs and bookkeeping only (SIGNING 9). Empty when absent or repeated. */
  readonly client: string;
  readonly scope: string;
  /** Unsigned. 64 lower-case hex digits, else empty. */
  readonly idempotencyKey: string;
}

const OWN = 'x-bailing-';

function lowerAscii(name: string | Uint8Array): string {
  const text = typeof name === 'string' ? name : Buffer.from(name).toString('latin1');
  return text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

function trimmed(value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? wireBytes(value) : Buffer.from(value);
  let from = 0;
  let to = bytes.length;
  const blank = (at: number): boolean => bytes[at] === 0x20 || bytes[at] === 0x09;
  while (from < to && blank(from)) from += 1;
  while (to > from && blank(to - 1)) to -= 1;
  return bytes.subarray(from, to);
}

function isFlat(source: readonly unknown[]): source is readonly string[] {
  return source.every((entry) => typeof entry === 'string');
}

function* pairs(source: HeaderSource): Generator<readonly [string | Uint8Array, string | Uint8Array]> {
  if (!Array.isArray(source)) {
    for (const [name, value] of Object.entries(source as Record<string, string | readonly string[] | undefined>)) {
      if (value !== undefined) for (const one of typeof value === 'string' ? [value] : value) yield [name, one];
    }
  } else if (isFlat(source)) {
    for (let i = 0; i + 1 < source.length; i += 2) yield [source[i] ?? '', source[i + 1] ?? ''];
  } else {
    yield* source as readonly (readonly [string | Uint8Array, string | Uint8Array])[];
  }
}

function unsigned(value: HeaderValue): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

/**
 * Reads the hub's headers (SIGNING 25 to 28). Prefer Node's `rawHeaders`: there a repeated header is still seen as two.
 * Names with underscores are other headers and are ignored.
 */
export function readHeaders(source: HeaderSource): HubHeaders {
  const found = new Map<string, HeaderValue>();
  for (const [name, value] of pairs(source)) {
    const key = lowerAscii(name);
    if (key.startsWith(OWN)) found.set(key, found.has(key) ? REPEATED : trimmed(value));
  }
  const key = unsigned(found.get(OWN + 'idempotency-key'));
  return {
    timestamp: found.get(OWN + 'timestamp'),
    signature: found.get(OWN + 'signature'),
    onBehalfOf: found.get(OWN + 'on-behalf-of'),
    jobId: found.get(OWN + 'job-id'),
    client: unsigned(found.get(OWN + 'client')),
    scope: unsigned(found.get(OWN + 'tool-scope')),
    idempotencyKey: /^[0-9a-f]{64}$/.test(key) ? key : '',
  };
}
