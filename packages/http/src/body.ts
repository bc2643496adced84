import { BailingError } from '@bailing/plugin-api';
import type { IncomingMessage } from 'node:http';

/** The client went away while its body was read: there is nobody to answer. */
export class ClientGone extends Error {}

/** A body over the limit, with what the answer names. */
export class BodyTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super('payload too large');
  }
}

/** How long the rest of a refused body is read and thrown away, so that its sender gets to see the refusal. */
const DISCARD_MS = 1_000;

/**
 * Reads the raw bytes of a body. Over the limit nothing more is kept.
 * @throws BodyTooLarge, ClientGone, BailingError BAILING_REQUEST_MALFORMED for an encoded body
 */
export async function readBody(request: IncomingMessage, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'content-encoding', detail: 'Send the body without content-encoding.' });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    const slow = setTimeout(() => reject(new BailingError('BAILING_REQUEST_TOO_SLOW')), timeoutMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      late ??= setTimeout(() => reject(new BodyTooLarge(maxBytes)), DISCARD_MS);
    });
    request.once('end', () => {
      clearTimeout(slow);
      clearTimeout(late);
      if (size > maxBytes) reject(new BodyTooLarge(maxBytes));
      else resolve(Buffer.concat(chunks));
    });
    request.once('error', () => reject(new ClientGone('the client went away')));
    request.once('close', () => {
      clearTimeout(slow);
      clearTimeout(late);
      // Every request closes; only one that did not arrive whole is gone.
      if (request.complete) return;
      reject(new ClientGone('the client went away'));
    });
  });
}
