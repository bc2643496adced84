/** UTF-8 bytes of text. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Cuts text to at most `max` UTF-8 bytes without splitting a character. Bounded work: never encodes more than `max` characters. */
export function cutUtf8(text: string, max: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= max && utf8Length(text) <= max) return { text, cut: false };
  const bytes = Buffer.from(text.slice(0, max), 'utf8');
  let end = Math.min(max, bytes.length);
  // A byte 10xxxxxx continues a character: step back to where one begins.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  const kept = bytes.toString('utf8', 0, end);
  return { text: kept.endsWith('\uFFFD') && !text.startsWith(kept) ? kept.slice(0, -1) : kept, cut: true };
}
