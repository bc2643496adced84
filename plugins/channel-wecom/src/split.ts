/** UTF-8 bytes of one text message (WIRE §13.3). */
export const TEXT_BYTES = 1_900;

/** One text, or numbered parts of it: cut between paragraphs, else between lines, else between characters, and never inside one. */
export function numbered(text: string, max = TEXT_BYTES): readonly string[] {
  const pieces = split(text, max);
  return pieces.length === 1 ? pieces : pieces.map((piece, index) => `（${String(index + 1)}/${String(pieces.length)}）\n${piece}`);
}

export function split(text: string, max = TEXT_BYTES): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (Buffer.byteLength(rest) > max) {
    const head = headOf(rest, max);
    const cut = border(head);
    pieces.push(rest.slice(0, cut).replace(/\n+$/, ''));
    rest = rest.slice(cut).replace(/^\n+/, '');
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

/** As many whole characters as fit. */
function headOf(text: string, max: number): string {
  let bytes = 0;
  let end = 0;
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > max) break;
    end += letter.length;
  }
  return text.slice(0, end);
}

/** Where to cut a head: at the last end of a paragraph, else of a line, that leaves at least half of it; else at its end. */
function border(head: string): number {
  for (const end of ['\n\n', '\n']) {
    const at = head.lastIndexOf(end);
    if (at >= head.length / 2) return at + end.length;
  }
  return head.length;
}
