import { exec, type JsonValue } from 'jsonpath-rfc9535';
import { at } from '../pointer.js';
import { isMembers, own, type Members } from '../values.js';
import type { OverlayAction } from './read.js';

/** What one action did. */
export interface ActionOutcome {
  readonly target: string;
  readonly kind: 'update' | 'remove';
  readonly matches: number;
  /** Where it matched, as JSON pointers; at most 20. */
  readonly places: readonly string[];
  /** Why it did nothing, or not all it was asked to. */
  readonly problem?: { readonly code: 'overlay_target_invalid' | 'overlay_target_unfit' | 'overlay_too_many'; readonly says: string };
}

type Path = readonly (string | number)[];
const MAX_MATCHES = 50_000;
const SHOWN = 20;

/** Carries out one action on a document that is the caller's own to change. Never throws. */
export function applyAction(root: Record<string, unknown>, action: OverlayAction): ActionOutcome {
  const { target, kind } = action;
  const found = select(root, target);
  if (typeof found === 'string')
    return {
      target,
      kind,
      matches: 0,
      places: [],
      problem: { code: found === TOO_MANY ? 'overlay_too_many' : 'overlay_target_invalid', says: found },
    };
  const unfit = kind === 'remove' ? removeAll(root, found) : found.filter((path) => !updateAt(root, path, action.update)).length;
  const places = found.slice(0, SHOWN).map((path) => at('', ...path));
  const says =
    kind === 'remove'
      ? 'The root of the document cannot be removed.'
      : 'The target selects plain values; only objects and arrays can be updated.';
  return { target, kind, matches: found.length, places, ...(unfit > 0 && { problem: { code: 'overlay_target_unfit', says } }) };
}

const TOO_MANY = `The target matches more than ${MAX_MATCHES} places.`;
class TooMany extends Error {}

function select(root: unknown, target: string): Path[] | string {
  const paths: Path[] = [];
  try {
    exec(root as JsonValue, target, (_value, path) => {
      if (paths.length >= MAX_MATCHES) throw new TooMany();
      paths.push([...path]);
    });
    return paths;
  } catch (error) {
    return error instanceof TooMany ? TOO_MANY : 'The target is not a JSONPath of RFC 9535.';
  }
}

/** Removes from the back, deepest first, so that no removal moves the place of another. Answers how many could not be removed. */
function removeAll(root: Record<string, unknown>, paths: readonly Path[]): number {
  let unfit = 0;
  const ordered = [...paths].sort((a, b) => b.length - a.length || compareLast(b, a));
  for (const path of ordered) {
    const key = path[path.length - 1];
    const parent = valueAt(root, path.slice(0, -1));
    if (key === undefined) unfit++;
    else if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else if (isMembers(parent)) delete (parent as Record<string, unknown>)[String(key)];
  }
  return unfit;
}

function compareLast(a: Path, b: Path): number {
  const [x, y] = [a[a.length - 1], b[b.length - 1]];
  return typeof x === 'number' && typeof y === 'number' ? x - y : 0;
}

function updateAt(root: unknown, path: Path, update: unknown): boolean {
  const target = valueAt(root, path);
  if (Array.isArray(target)) target.push(...((Array.isArray(update) ? update : [update]) as unknown[]).map(clone));
  else if (isMembers(target) && isMembers(update)) merge(target, update);
  else return false;
  return true;
}

function valueAt(root: unknown, path: Path): unknown {
  let here: unknown = root;
  for (const key of path)
    here = Array.isArray(here) ? (here as unknown[])[Number(key)] : isMembers(here) ? own(here, String(key)) : undefined;
  return here;
}

/** Objects are merged member by member, arrays are appended, anything else is replaced. Members are defined, so `__proto__` is only a name. */
function merge(target: Record<string, unknown>, update: Members): void {
  for (const [name, value] of Object.entries(update)) {
    const before = own(target, name);
    if (isMembers(before) && isMembers(value)) merge(before, value);
    else if (Array.isArray(before) && Array.isArray(value)) before.push(...(value as unknown[]).map(clone));
    else Object.defineProperty(target, name, { value: clone(value), enumerable: true, configurable: true, writable: true });
  }
}

/** A copy that shares nothing: YAML aliases would let one update show in several places. */
export function clone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clone);
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clone(inner)]));
}
