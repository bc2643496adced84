import { createGzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';

/** Size of the huge answer, bytes. */
export const HUGE = 400 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** A huge answer in three forms: its length told, in chunks without a length, and compressed to about a thousandth. */
export function sendExport(target: string, response: ServerResponse): void {
  const form = target.slice('/exports/'.length);
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  if (form === 'gzip') {
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
    pipeline(huge(), createGzip(), response, () => undefined);
    return;
  }
  response.writeHead(200, form === 'length' ? { ...headers, 'content-length': HUGE } : headers);
  pipeline(huge(), response, () => undefined);
}

function huge(): Readable {
  let left = HUGE;
  return new Readable({
    read() {
      const next = Math.min(left, CHUNK.length);
      left -= next;
      this.push(next === 0 ? null : CHUNK.subarray(0, next));
    },
  });
}
