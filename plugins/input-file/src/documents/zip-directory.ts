/** What a zip may unfold to, in bytes of all its entries together. */
const MOST_UNPACKED = 104_857_600;
const MOST_ENTRIES = 5_000;
/** Above a mebibyte, this many times its packed size is no document any more. */
const MOST_RATIO = 200;

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** Reads the directory at the end of a zip, without unpacking: a sentence where it would unfold to too much or has none, null where it may be unpacked. */
export function oversizedZip(bytes: Uint8Array): string | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === -1) return 'it is cut off or damaged.';
  const entries = view.readUInt16LE(end + 10);
  if (entries > MOST_ENTRIES) return 'it unfolds to too many parts.';
  let at = view.readUInt32LE(end + 16);
  let unpacked = 0;
  for (let n = 0; n < entries; n++) {
    if (at + 46 > view.length || view.readUInt32LE(at) !== ENTRY) return 'it is cut off or damaged.';
    const [packed, whole] = [view.readUInt32LE(at + 20), view.readUInt32LE(at + 24)];
    unpacked += whole;
    if ((view.readUInt16LE(at + 8) & 1) !== 0) return 'it is encrypted.';
    if (unpacked > MOST_UNPACKED || (whole > 1_048_576 && whole > packed * MOST_RATIO)) return 'it unfolds to more than may be read.';
    at += 46 + view.readUInt16LE(at + 28) + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return null;
}

/** The end record stands in the last 64 KiB, before a comment. */
function endOf(view: Buffer): number {
  for (let at = view.length - 22; at >= Math.max(0, view.length - 65_557); at--) if (view.readUInt32LE(at) === END) return at;
  return -1;
}
