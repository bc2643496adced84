import { EVENT_ID, SCALAR_STYLE, getScalarValue, type Event, type ScalarEvent } from 'js-yaml';
import { at } from '../pointer.js';
import type { Wanted } from './place.js';

interface Frame {
  readonly kind: 'document' | 'sequence' | 'mapping';
  readonly wanted: Wanted | undefined;
  readonly keys: Set<string> | undefined;
  index: number;
  token: string;
  /** A mapping waits for a key, then for its value. */
  atKey: boolean;
}

/**
 * Walks the parser's events of the first document, once, without recursion: writes the offset of every wanted member and reports
 * keys that a mapping repeats. What an alias or a merge brings in has no place of its own.
 */
export function scanYaml(
  text: string,
  events: readonly Event[],
  wanted: Wanted | undefined,
  onDuplicate?: (pointer: string) => void,
): void {
  const stack: Frame[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      stack.pop();
      if (stack.length === 0) return;
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      stack.push({ kind: 'document', wanted, keys: undefined, index: 0, token: '', atKey: false });
      continue;
    }
    const frame = stack[stack.length - 1];
    if (!frame) continue;
    const inner = enter(text, frame, event, stack, onDuplicate);
    if (event.type === EVENT_ID.MAPPING) stack.push({ kind: 'mapping', wanted: inner, keys: new Set(), index: 0, token: '', atKey: true });
    if (event.type === EVENT_ID.SEQUENCE)
      stack.push({ kind: 'sequence', wanted: inner, keys: undefined, index: -1, token: '', atKey: false });
  }
}

function enter(
  text: string,
  frame: Frame,
  event: Exclude<Event, { type: 1 | 6 }>,
  stack: readonly Frame[],
  onDuplicate: ((pointer: string) => void) | undefined,
): Wanted | undefined {
  if (frame.kind === 'document') return frame.wanted;
  if (frame.kind === 'sequence') {
    frame.index++;
    const item = frame.wanted?.children.get(String(frame.index));
    if (item) item.offset = startOf(event);
    return item;
  }
  frame.atKey = !frame.atKey;
  if (frame.atKey) return frame.token === '' ? undefined : frame.wanted?.children.get(frame.token);
  frame.token = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : '';
  if (event.type !== EVENT_ID.SCALAR) return undefined;
  noteKey(frame, event, stack, onDuplicate);
  const member = frame.wanted?.children.get(frame.token);
  if (member) member.offset = startOf(event);
  return undefined;
}

function noteKey(frame: Frame, event: ScalarEvent, stack: readonly Frame[], onDuplicate: ((pointer: string) => void) | undefined): void {
  if (!onDuplicate || (frame.token === '<<' && event.style === SCALAR_STYLE.PLAIN)) return;
  if (frame.keys?.has(frame.token)) {
    const path = stack.filter((f) => f.kind !== 'document').map((f) => (f.kind === 'sequence' ? f.index : f.token));
    onDuplicate(at('', ...path));
  }
  frame.keys?.add(frame.token);
}

function startOf(event: Exclude<Event, { type: 1 | 6 }>): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}
