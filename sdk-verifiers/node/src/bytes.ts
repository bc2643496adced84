import { createHash, createHmac } from 'node:crypto';

/** A header value as a caller may hold it: text (taken as UTF-8), the raw bytes, or nothing. Anything else is malformed, never an exception. */
export type HeaderText = string | number | Uint8Array | readonly string[] | symbol | null | undefined;

/** A body as bytes, or text that is taken as UTF-8. A parsed body is not a body: see {@link RawBodyRequired}. */
export type RawBody = Uint8Array | string | null | undefined;

const LONE_SURROGATE = /\p{Surrogate}/u;
const EMPTY = Buffer.alloc(0);

/** Thrown when only a parsed body was handed over. Serialising it again would sign other bytes than those that arrived (SIGNING 7). */
export class RawBodyRequired extends TypeError {
  readonly code = 'raw_body_required';
  constructor(where = 'the verifier') {
    super(
      `${where} was given a parsed body, but the signature covers the raw bytes. Hand over the bytes as they arrived (a Buffer): ` +
        'put this check before the body parser, or keep the raw Buffer beside the parsed value.',
    );
    this.name = 'RawBodyRequired';
  }
}

/** Node 20 and later know it natively; the pattern is for Node 18. */
const wellFormed = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed;

/** True when the text holds half of a surrogate pair and so has no UTF-8 form. */
export function hasLoneSurrogate(text: string): boolean {
  return wellFormed ? !wellFormed.call(text) : LONE_SURROGATE.test(text);
}

/** Bytes of a header-like value; `null` when it is malformed (an array, an object, a lone surrogate …). Absent is empty. */
export function headerBytes(value: unknown): Buffer | null {
  if (value === undefined || value === null) return EMPTY;
  if (typeof value === 'string') return hasLoneSurrogate(value) ? null : Buffer.from(value, 'utf8');
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return Buffer.from(String(value));
  return null;
}

/** Bytes of a body. @throws {RawBodyRequired} for a parsed body (an object, an array, a number …). */
export function bodyBytes(body: unknown, where?: string): Buffer {
  if (body === undefined || body === null) return EMPTY;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new RawBodyRequired(where);
}

/** Node hands out header text decoded as Latin-1; this gives back the bytes of the wire (SIGNING 28). Text beyond Latin-1 is UTF-8. */
export function wireBytes(text: string): Buffer {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0xff) return Buffer.from(text, 'utf8');
  return Buffer.from(text, 'latin1');
}

/** Bytes as text when they are valid UTF-8 (a byte order mark is kept as a character), else `null`. */
export function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Lower-case hex SHA-256. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Raw HMAC-SHA256 digest; the key is the UTF-8 of the secret. */
export function hmac(secret: string, data: Uint8Array | string): Buffer {
  return createHmac('sha256', secret).update(data).digest();
}
