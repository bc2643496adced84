import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';

export const SECRET = 'bailing-test-secret';
export const TS = 1_718_000_000;
export const MS = TS * 1000;

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
export const hmacHex = (secret: string, data: Uint8Array): string => createHmac('sha256', secret).update(data).digest('hex');
export const sha256 = (data: Uint8Array): Buffer => latin(createHash('sha256').update(data).digest('hex'));

/** Joined by dots, as everything that is signed. */
export function dotted(...parts: readonly Uint8Array[]): Buffer {
  const dot = latin('.');
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [dot, part])));
}

/** `{name: text}` when the bytes are printable ASCII, else `{nameHex: …}`; nothing for an absent value. */
export function put(name: string, bytes: Uint8Array | null): Record<string, string> {
  if (bytes === null) return {};
  const printable = bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
  const buffer = Buffer.from(bytes);
  return printable ? { [name]: buffer.toString('latin1') } : { [`${name}Hex`]: buffer.toString('hex') };
}

const odd = [
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  '\u00a0',
  '\u3000',
  '\u0085',
  '+',
  '-',
  'e',
  '.',
  ',',
  '%',
  '%2F',
  '\u0661',
  '\uff11',
  '\u017f',
  '\u0131',
  '😀',
];

/** Bytes that parsers stumble over: odd pieces, random bytes, text beyond ASCII, long runs. */
export const oddBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text, 'utf8')),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => Buffer.from(text, 'utf8')),
  fc.array(fc.constantFrom(...odd), { maxLength: 4 }).map((parts) => Buffer.from(parts.join(''), 'utf8')),
  fc.tuple(fc.constantFrom('9', 'a', '0', '%'), fc.integer({ min: 1, max: 500 })).map(([letter, times]) => latin(letter.repeat(times))),
);

/** A right value, bent: an odd piece put in, a byte flipped, a piece cut off, or the letter case changed. */
export function bent(right: Buffer): fc.Arbitrary<Buffer> {
  const at = fc.nat({ max: Math.max(0, right.length) });
  return fc.oneof(
    fc.tuple(at, fc.constantFrom(...odd)).map(([i, piece]) => Buffer.concat([right.subarray(0, i), Buffer.from(piece), right.subarray(i)])),
    fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([i, mask]) => Buffer.from(right.map((byte, j) => (j === i ? byte ^ mask : byte)))),
    at.map((i) => right.subarray(0, i)),
    fc.constant(latin(right.toString('latin1').toUpperCase())),
    fc.constant(Buffer.concat([right, right])),
  );
}

/** Mostly right, sometimes bent, sometimes nothing to do with it. */
export function nearly(right: Buffer): fc.Arbitrary<Buffer> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, { weight: 3, arbitrary: bent(right) }, { weight: 1, arbitrary: oddBytes });
}
