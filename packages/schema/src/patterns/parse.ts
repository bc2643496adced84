import { readAtomEscape, readClass } from './atoms.js';
import { Cursor } from './cursor.js';
import { nativeAtom, PatternRefused, type Node } from './syntax.js';

const MAX_GROUPS_DEEP = 60;
/** How often one thing may be repeated by count; the size of the whole is bounded by the compiler. */
const MAX_COUNT = 100_000;

/** Reads the ECMAScript grammar; punctuation may be escaped without need, letters may not. Throws PatternRefused. */
export function parsePattern(pattern: string): Node {
  const cursor = new Cursor(pattern);
  const tree = readAlternatives(cursor, 0);
  if (cursor.peek() === ')') throw new PatternRefused('The pattern closes a group that was never opened.');
  return tree;
}

function readAlternatives(cursor: Cursor, deep: number): Node {
  if (deep > MAX_GROUPS_DEEP) throw new PatternRefused('The pattern nests its groups too deeply.');
  const branches: Node[] = [readSequence(cursor, deep)];
  while (cursor.take('|')) branches.push(readSequence(cursor, deep));
  return branches.length === 1 ? (branches[0] as Node) : { is: 'alt', of: branches };
}

function readSequence(cursor: Cursor, deep: number): Node {
  const parts: Node[] = [];
  for (let next = cursor.peek(); next !== undefined && next !== '|' && next !== ')'; next = cursor.peek()) {
    parts.push(readQuantifier(cursor, readAtom(cursor, deep)));
  }
  return { is: 'seq', of: parts };
}

function readAtom(cursor: Cursor, deep: number): Node {
  const char = cursor.next();
  switch (char) {
    case '^':
      return { is: 'edge', at: 'start' };
    case '$':
      return { is: 'edge', at: 'end' };
    case '.':
      return { is: 'one', matches: nativeAtom('.') };
    case '(':
      return readGroup(cursor, deep + 1);
    case '[':
      return { is: 'one', matches: readClass(cursor) };
    case '\\':
      return readAtomEscape(cursor);
    case '*':
    case '+':
    case '?':
      throw new PatternRefused(`The pattern has a "${char}" with nothing to repeat.`);
    default: {
      if (char === '{' && readCounts(cursor)) throw new PatternRefused('The pattern has a count with nothing to repeat.');
      const codePoint = char.codePointAt(0);
      return { is: 'one', matches: (other) => other === codePoint };
    }
  }
}

function readGroup(cursor: Cursor, deep: number): Node {
  const look = readLook(cursor);
  if (!look && cursor.take('?')) readGroupHead(cursor);
  const of = readAlternatives(cursor, deep);
  if (!cursor.take(')')) throw new PatternRefused('The pattern opens a group and never closes it.');
  return look ? { is: 'look', ...look, of } : of;
}

function readLook(cursor: Cursor): { ahead: boolean; not: boolean } | undefined {
  if (cursor.take('?<=')) return { ahead: false, not: false };
  if (cursor.take('?<!')) return { ahead: false, not: true };
  if (cursor.take('?=')) return { ahead: true, not: false };
  if (cursor.take('?!')) return { ahead: true, not: true };
  return undefined;
}

function readGroupHead(cursor: Cursor): void {
  if (cursor.take(':')) return;
  if (cursor.takeMatch(/^<[A-Za-z_$][A-Za-z0-9_$]*>/)) return;
  throw new PatternRefused('The pattern uses a group form that JSON Schema does not know, such as inline flags.');
}

function readQuantifier(cursor: Cursor, of: Node): Node {
  const counts = readSign(cursor) ?? readCounts(cursor, true);
  if (!counts) return of;
  cursor.take('?');
  return { is: 'repeat', of, ...counts };
}

function readSign(cursor: Cursor): { min: number; max: number } | undefined {
  if (cursor.take('*')) return { min: 0, max: Infinity };
  if (cursor.take('+')) return { min: 1, max: Infinity };
  if (cursor.take('?')) return { min: 0, max: 1 };
  return undefined;
}

/** `{2}`, `{2,}`, `{2,5}`; anything else in braces is plain text, as in every browser. */
function readCounts(cursor: Cursor, withBrace = false): { min: number; max: number } | undefined {
  const found = cursor.takeMatch(withBrace ? /^\{(\d+)(?:(,)(\d*))?\}/ : /^(\d+)(?:(,)(\d*))?\}/);
  if (!found) return undefined;
  const min = Number(found[1]);
  const max = found[2] === undefined ? min : found[3] ? Number(found[3]) : Infinity;
  if (max < min) throw new PatternRefused('The pattern has a count whose upper end is below its lower end.');
  if (min > MAX_COUNT) throw new PatternRefused('The pattern repeats something too often to be checked.');
  return { min, max };
}
