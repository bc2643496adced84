import { at } from '../pointer.js';
import type { Wanted } from './place.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Frame {
  /** Keys of an object; an index for an array. */
  readonly keys: Set<string> | undefined;
  index: number;
  token: string;
  readonly wanted: Wanted | undefined;
}

/**
 * Walks text that `JSON.parse` has accepted, once, without recursion: writes the offset of every wanted member (its key, or an
 * array's item) and reports keys that an object repeats. Time is linear in the text.
 */
export function scanJson(text: string, wanted: Wanted | undefined, onDuplicate?: (pointer: string) => void): void {
  const stack: Frame[] = [];
  const root: Frame = { keys: undefined, index: -1, token: '', wanted };
  let next: Wanted | undefined = wanted;
  let expectKey = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x20) continue;
    const frame = stack[stack.length - 1] ?? root;
    if (unit === 0x7d || unit === 0x5d) {
      stack.pop();
      expectKey = false;
    } else if (unit === 0x2c) {
      expectKey = frame.keys !== undefined;
      if (!expectKey) next = enterItem(frame, ++frame.index);
    } else if (unit === QUOTE) {
      const end = endOfString(text, i);
      if (expectKey) {
        next = enterKey(frame, keyText(text, i, end), i, stack, onDuplicate);
        expectKey = false;
      } else markItem(frame, next, i);
      i = end;
    } else if (unit === 0x7b || unit === 0x5b) {
      markItem(frame, next, i);
      const isObject = unit === 0x7b;
      const inner: Frame = { keys: isObject ? new Set() : undefined, index: 0, token: '', wanted: next };
      stack.push(inner);
      expectKey = isObject;
      if (!isObject) next = enterItem(inner, 0);
    } else if (unit !== 0x3a) markItem(frame, next, i);
  }
}

function enterKey(
  frame: Frame,
  key: string,
  offset: number,
  stack: readonly Frame[],
  onDuplicate: ((pointer: string) => void) | undefined,
): Wanted | undefined {
  frame.token = key;
  if (onDuplicate) {
    if (frame.keys?.has(key)) onDuplicate(at('', ...stack.map((f) => (f.keys ? f.token : f.index))));
    frame.keys?.add(key);
  }
  const next = frame.wanted?.children.get(key);
  if (next) next.offset = offset;
  return next;
}

function enterItem(frame: Frame, index: number): Wanted | undefined {
  return frame.wanted?.children.get(String(index));
}

/** Items of arrays have no key: the first token of the value is their place. */
function markItem(frame: Frame, next: Wanted | undefined, offset: number): void {
  if (next && frame.keys === undefined) next.offset ??= offset;
}

function endOfString(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return i;
  }
  return text.length;
}

function keyText(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : raw;
}
