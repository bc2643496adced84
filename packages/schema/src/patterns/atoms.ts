import type { Cursor } from './cursor.js';
import { nativeAtom, PatternRefused, type Matcher, type Node } from './syntax.js';

const LETTER_ESCAPE = /^(?:[dDwWsStnrfv]|[pP]\{[A-Za-z0-9_=]+\}|c[A-Za-z]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|0(?!\d))/;
const SURROGATE_PAIR = /^u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/;
/** What the Unicode grammar lets one escape; any other punctuation stands for itself. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/-]/;

/** What follows a backslash outside a class. */
export function readAtomEscape(cursor: Cursor): Node {
  if (cursor.take('b')) return { is: 'edge', at: 'word' };
  if (cursor.take('B')) return { is: 'edge', at: 'not-word' };
  if (cursor.takeMatch(/^(?:[1-9]|k)/)) {
    throw new PatternRefused('The pattern refers back to an earlier group, which cannot be checked in bounded time.');
  }
  const escape = readEscape(cursor);
  if (escape.length > 1) return { is: 'one', matches: nativeAtom(escape) };
  const codePoint = escape.codePointAt(0);
  return { is: 'one', matches: (other) => other === codePoint };
}

/** From after `[` to its `]`, rewritten to what the native engine takes for one code point. */
export function readClass(cursor: Cursor): Matcher {
  let source = cursor.take('^') ? '[^' : '[';
  for (;;) {
    const char = cursor.next();
    if (char === '') throw new PatternRefused('The pattern opens a character class and never closes it.');
    if (char === ']') break;
    source += char === '\\' ? readClassEscape(cursor) : char;
  }
  return nativeAtom(`${source}]`);
}

function readClassEscape(cursor: Cursor): string {
  if (cursor.take('b')) return '\\x08';
  if (cursor.take('-')) return '\\x2d';
  const escape = readEscape(cursor);
  return escape.length === 1 && SYNTAX.test(escape) ? `\\${escape}` : escape;
}

/** `\d` and its like with the backslash, or the one character that an escaped punctuation mark stands for. */
function readEscape(cursor: Cursor): string {
  const letters = cursor.takeMatch(SURROGATE_PAIR) ?? cursor.takeMatch(LETTER_ESCAPE);
  if (letters) return `\\${letters[0]}`;
  const char = cursor.next();
  if (char === '') throw new PatternRefused('The pattern ends in a backslash.');
  if (/[A-Za-z0-9]/.test(char)) throw new PatternRefused(`The pattern uses "\\${char}", which JSON Schema does not know.`);
  return char;
}
