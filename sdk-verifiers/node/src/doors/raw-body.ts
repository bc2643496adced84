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

function gather(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      // Not destroyed: the sender should still read the 413, which closes the connection.
      request.off('data', take).resume();
      reject(new BodyTooLarge(limit));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The request ended before its body did.')));
  });
}

/**
 * Reads the raw bytes of a request that nobody has read yet. Bytes are gathered as bytes: a chunk may end inside a character.
 * @throws {RawBodyRequired} when a body parser was there first · {BodyTooLarge}
 */
export async function readRawBody(request: IncomingMessage, limit = MAX_BODY_BYTES, where = 'the door'): Promise<Buffer> {
  if (request.readableDidRead || request.readableEnded || request.destroyed) throw new RawBodyRequired(where);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  return gather(request, limit);
}
