import { sha256Hex } from './bytes.js';

const DOT = Buffer.from('.');

/** Upper-cases the ASCII letters a to z and nothing else (SIGNING 4). */
export function upperMethod(method: Buffer): Buffer {
  return Buffer.from(method.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte)));
}

export interface SignedParts {
  readonly method: Buffer;
  readonly target: Buffer;
  readonly body: Buffer;
  readonly subject: Buffer;
  readonly job: Buffer;
}

/** What rule 2 signs, without the timestamp: `METHOD.target.sha256(body).subject.job`. Also the content an idempotency key is bound to. */
export function contentToSign(parts: SignedParts): Buffer {
  const hash = Buffer.from(sha256Hex(parts.body));
  return Buffer.concat([upperMethod(parts.method), DOT, parts.target, DOT, hash, DOT, parts.subject, DOT, parts.job]);
}

/** The whole string of a tool call (SIGNING 2), from {@link contentToSign}. */
export function toolCallString(timestamp: Buffer, content: Buffer): Buffer {
  return Buffer.concat([timestamp, DOT, content]);
}

/** The whole string of a callback, a webhook or a decision (SIGNING 13). */
export function callbackString(timestamp: Buffer, body: Buffer): Buffer {
  return Buffer.concat([timestamp, DOT, body]);
}
