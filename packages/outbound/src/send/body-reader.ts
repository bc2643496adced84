import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Transform } from 'node:stream';

/** How a body ended: whole, over the budget, or not readable as what it claims to be. */
export type BodyEnd =
  { readonly is: 'whole'; readonly bytes: Buffer } | { readonly is: 'too-large' } | { readonly is: 'broken'; readonly why: string };

/** Room for the framing of a compressed body whose content just fits. */
const WIRE_SLACK = 65_536;

/**
 * Collects one answer body under a budget of decompressed bytes, counted chunk by chunk; the bytes on the wire are bounded as well. Ends once, by
 * calling `done`.
 */
export class BodyReader {
  private readonly kept: Buffer[] = [];
  private count = 0;
  private wire = 0;
  private ended = false;
  private inflater: Transform | undefined;

  /** `encoding` is the content-encoding header; `budget` counts decompressed bytes. */
  constructor(
    private readonly encoding: string,
    private readonly budget: number,
    private readonly done: (end: BodyEnd) => void,
  ) {}

  push(chunk: Buffer): void {
    if (this.ended) return;
    this.wire += chunk.length;
    if (this.encoding === '') return this.keep(chunk);
    if (this.wire > this.budget + WIRE_SLACK) return this.end({ is: 'too-large' });
    this.inflater ??= this.openInflater(chunk);
    this.inflater.write(chunk);
  }

  /** The wire is complete. */
  finish(): void {
    if (this.ended) return;
    if (this.inflater) this.inflater.end();
    else this.end({ is: 'whole', bytes: this.collected() });
  }

  /** Frees what is held; `done` is not called any more. */
  cancel(): void {
    this.ended = true;
    this.kept.length = 0;
    this.inflater?.destroy();
  }

  private keep(chunk: Buffer): void {
    this.count += chunk.length;
    if (this.count > this.budget) return this.end({ is: 'too-large' });
    this.kept.push(chunk);
  }

  private end(end: BodyEnd): void {
    if (this.ended) return;
    this.cancel();
    this.done(end);
  }

  private collected(): Buffer {
    return this.kept.length === 1 && this.kept[0] ? this.kept[0] : Buffer.concat(this.kept);
  }

  private openInflater(first: Buffer): Transform {
    const stream = inflaterFor(this.encoding, first);
    stream.on('data', (chunk: Buffer) => {
      if (!this.ended) this.keep(chunk);
    });
    stream.on('end', () => this.end({ is: 'whole', bytes: this.collected() }));
    stream.on('error', () => this.end({ is: 'broken', why: `the ${this.encoding} body is damaged or cut off` }));
    return stream;
  }
}

/** The encodings that are asked for and understood. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** The one encoding of an answer in lower case, `''` for none, null where it is none of those asked for. */
export function readEncoding(header: string | undefined): string | null {
  const named = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity');
  if (named.length === 0) return '';
  const only = named.length === 1 ? named[0] : undefined;
  if (only === 'x-gzip') return 'gzip';
  return only === 'gzip' || only === 'deflate' || only === 'br' ? only : null;
}

function inflaterFor(encoding: string, first: Buffer): Transform {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'gzip') return createGunzip();
  // "deflate" means the zlib form, yet some servers send the raw one: the first byte tells them apart.
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
