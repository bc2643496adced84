/**
 * The text of bytes in UTF-8, UTF-16 (with or without a mark) or GB18030, told from the bytes; Western European single-byte text where the high bytes
 * stand alone. Null where it is none of them. `cutOff`: the bytes are the begin of more and may end inside a character.
 */
export function decode(bytes: Uint8Array, cutOff: boolean): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return attempt('utf-16le', bytes, cutOff);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return attempt('utf-16be', bytes, cutOff);
  const wide = zeroSide(bytes);
  if (wide !== null) return attempt(wide, bytes, cutOff);
  const utf8 = attempt('utf-8', bytes, cutOff);
  if (utf8 !== null) return utf8;
  const pairs = pairing(bytes);
  if (pairs >= 0.7) return attempt('gb18030', bytes, cutOff);
  return pairs === 0
    ? attempt('windows-1252', bytes, cutOff)
    : (attempt('gb18030', bytes, cutOff) ?? attempt('windows-1252', bytes, cutOff));
}

function attempt(encoding: string, bytes: Uint8Array, cutOff: boolean): string | null {
  try {
    // `stream` leaves out a character that the cut has halved, and still refuses what is wrong in the middle.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cutOff });
  } catch {
    return null;
  }
}

const LOOK = 4_096;

/** UTF-16 without a mark: plain text in it has a zero in every other byte. */
function zeroSide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const look = bytes.subarray(0, LOOK);
  let odd = 0;
  let even = 0;
  for (const [index, byte] of look.entries()) {
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
  }
  if (odd * 4 > look.length && even * 20 < look.length) return 'utf-16le';
  return even * 4 > look.length && odd * 20 < look.length ? 'utf-16be' : null;
}

/** The share of high bytes that are followed by another: near 1 in Chinese text of two bytes a character, near 0 in Western European text. */
function pairing(bytes: Uint8Array): number {
  let pairs = 0;
  let alone = 0;
  for (let at = 0; at < bytes.length && pairs + alone < 20_000; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if ((bytes[at + 1] ?? 0) >= 0x80) {
      pairs++;
      at++;
    } else alone++;
  }
  return pairs + alone === 0 ? 0 : pairs / (pairs + alone);
}
