/** What encloses a knowledge block, the conversation so far, and the request itself (WIRE §11.2). */
export const FENCES = Object.freeze({
  knowledge: ['【知识参考】', '【/知识参考】'],
  memory: ['【会话背景】', '【/会话背景】'],
  task: ['<task>', '</task>'],
} as const);

/** The markers in any letter case, with blanks inside, and with the wide forms of their signs: a model reads them alike. */
const MARKER = /[<＜]\s{0,8}[/／]?\s{0,8}task\s{0,8}[>＞]|[【〖]\s{0,8}[/／]?\s{0,8}(?:知识参考|会话背景)\s{0,8}[】〗]/gi;
/** Erasing may join what stood around a marker into another one; nobody writes so by accident, so it is followed this far. */
const PASSES = 4;

/**
 * A text from outside without fence markers, so that nothing in it can end its block or begin another. What still forms a marker after some rounds
 * was built to: its markers are replaced instead, which joins nothing.
 */
export function unfenced(text: string): string {
  let clean = text;
  for (let pass = 0; pass < PASSES; pass++) {
    const next = clean.replace(MARKER, '');
    if (next.length === clean.length) return clean;
    clean = next;
  }
  return clean.replace(MARKER, '·');
}

export function fenced(fence: readonly [string, string], text: string): string {
  return `${fence[0]}\n${text}\n${fence[1]}`;
}
