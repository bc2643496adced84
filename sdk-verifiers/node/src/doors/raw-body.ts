import type { IncomingMessage } from 'node:http';
import { RawBodyRequired } from '../bytes.js';

/** Default size limit of a body, bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** The body is larger than the door allows. */
export class BodyTooLarge extends Error {
  readonly code = 'body_too_large';
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes.`);
    this.name = 'BodyTooLarge';
  }
}

/**
 * Reads the raw bytes of a request that nobody has read yet. Bytes are gathered as bytes: a chunk may end inside a character.
 * @throws {RawBodyRequired} when a body parser was there first · {BodyTooLarge}
 */
export async function readRawBody(request: IncomingMessage, limit = MAX_BODY_BYTES, where = 'the door'): Promise<Buffer> {
  if (request.readableDidRead || request.readableEnded || request.destroyed) throw new RawBodyRequired(where);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
