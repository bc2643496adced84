import { fourAt } from './bytes.js';

/** What may stand behind the frames without being one: tags, padding. */
const SLACK_BYTES = 65_536;
/** Frames that could not be packed are a little larger than their samples. */
const OVERHEAD = 1.1;
const BLOCKS = [0, 192, 576, 1_152, 2_304, 4_608, 0, 0, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768] as const;
const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000] as const;

/** Twenty bits, ten bytes into STREAMINFO. */
export function flacRate(view: DataView, info: number): number {
  return view.getUint32(info + 10) >>> 12;
}

/**
 * FLAC of its own: the longer of what STREAMINFO says and what its frames hold. More bytes than its samples have unpacked are more than it says: then nothing
 * can be told.
 */
export function flacSeconds(view: DataView): number | undefined {
  if (view.byteLength < 42 || fourAt(view, 0) !== 'fLaC') return undefined;
  const hertz = flacRate(view, 8);
  if (hertz === 0) return undefined;
  const said = (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22);
  const from = behindMetadata(view);
  const samples = Math.max(said, countedFrom(view, from, hertz));
  const form = view.getUint32(18);
  const bytesASample = ((((form >>> 9) & 7) + 1) * (((form >>> 4) & 31) + 1)) / 8;
  if (view.byteLength - from > samples * bytesASample * OVERHEAD + SLACK_BYTES) return undefined;
  return samples > 0 ? samples / hertz : undefined;
}

function behindMetadata(view: DataView): number {
  for (let at = 4; at + 4 <= view.byteLength;) {
    const head = view.getUint32(at);
    at += 4 + (head & 0xff_ffff);
    if (head >>> 31 === 1) return Math.min(at, view.byteLength);
  }
  return view.byteLength;
}

/** Samples of all frame heads whose checksum is right. */
function countedFrom(view: DataView, from: number, hertz: number): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let samples = 0;
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 6 <= bytes.length; at = bytes.indexOf(0xff, at + 1))
    samples += headAt(bytes, at, hertz);
  return samples;
}

/** Samples of the frame that begins here; 0 where none does. */
function headAt(bytes: Uint8Array, at: number, hertz: number): number {
  const byte = (n: number): number => bytes[at + n] ?? 0;
  if ((byte(1) & 0xfe) !== 0xf8 || byte(3) >> 4 > 10 || (byte(3) & 1) !== 0) return 0;
  const [block, rate] = [byte(2) >> 4, byte(2) & 15];
  const known = RATES[rate];
  if (block === 0 || rate === 15 || (known !== undefined && known > 0 && known !== hertz)) return 0;
  // The number of the frame takes as many bytes as its first one has leading ones.
  const ones = Math.clz32(~(byte(4) << 24));
  if (ones === 1 || ones > 7) return 0;
  let end = 4 + Math.max(1, ones);
  const own = block === 6 ? byte(end) + 1 : block === 7 ? byte(end) * 256 + byte(end + 1) + 1 : undefined;
  end += (block === 6 ? 1 : block === 7 ? 2 : 0) + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  const samples = own ?? BLOCKS[block] ?? 0;
  if (at + end >= bytes.length) return 0;
  let sum = 0;
  for (let n = 0; n < end; n++) sum = CRC[sum ^ byte(n)] ?? 0;
  return sum === byte(end) ? samples : 0;
}

/** CRC-8 with the polynomial 0x07. */
const CRC = Uint8Array.from({ length: 256 }, (_none, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
  return crc;
});
