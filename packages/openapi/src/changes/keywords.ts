import type { Members } from '../values.js';
import { sameJson, type Direction } from './fact.js';

type Say = (direction: Direction, code: string, says: string) => void;

/** Words for people and models; they admit nothing. */
export const WORDS = new Set(['title', 'description', 'examples', 'default', 'deprecated', 'writeOnly', 'readOnly']);

/** Bounds, and which way each loosens. */
export const LIMITS: readonly (readonly [keyword: string, loosensBy: 'rising' | 'falling'])[] = [
  ['minimum', 'falling'],
  ['exclusiveMinimum', 'falling'],
  ['minLength', 'falling'],
  ['minItems', 'falling'],
  ['minProperties', 'falling'],
  ['minContains', 'falling'],
  ['maximum', 'rising'],
  ['exclusiveMaximum', 'rising'],
  ['maxLength', 'rising'],
  ['maxItems', 'rising'],
  ['maxProperties', 'rising'],
  ['maxContains', 'rising'],
];

export function judgeBound(before: Members, after: Members, keyword: string, loosensBy: 'rising' | 'falling', say: Say): void {
  const [was, is] = [before[keyword], after[keyword]];
  if (was === is) return;
  if (is === undefined) return say('looser', 'range_widened', `${keyword} is gone.`);
  if (was === undefined) return say('tighter', 'range_narrowed', `${keyword} is new.`);
  const looser = Number(is) > Number(was) === (loosensBy === 'rising');
  say(
    looser ? 'looser' : 'tighter',
    looser ? 'range_widened' : 'range_narrowed',
    `${keyword} went from ${JSON.stringify(was)} to ${JSON.stringify(is)}.`,
  );
}

/** Absent types admit every type; a number admits integers. */
export function judgeTypes(before: Members, after: Members, say: Say): void {
  if (sameJson(before['type'], after['type'])) return;
  const admits = (schema: Members): ReadonlySet<unknown> | undefined => {
    if (schema['type'] === undefined) return undefined;
    const types = new Set([schema['type']].flat());
    return types.has('number') ? types.add('integer') : types;
  };
  const [was, is] = [admits(before), admits(after)];
  const covered = (inner: ReadonlySet<unknown> | undefined, outer: ReadonlySet<unknown> | undefined): boolean =>
    !outer || (!!inner && [...inner].every((type) => outer.has(type)));
  if (covered(is, was) && covered(was, is)) return;
  if (covered(is, was)) say('tighter', 'type_narrowed', 'Fewer types are admitted.');
  else say('looser', 'type_widened', 'Other types are admitted.');
}

export function judgeEnum(before: Members, after: Members, say: Say): void {
  const list = (schema: Members): unknown[] | undefined =>
    Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : 'const' in schema ? [schema['const']] : undefined;
  const [was, is] = [list(before), list(after)];
  if (sameJson(was, is)) return;
  if (!is) return say('looser', 'enum_widened', 'The list of values is gone.');
  if (!was) return say('tighter', 'enum_narrowed', 'Only listed values are admitted now.');
  const known = new Set(was.map((value) => JSON.stringify(value)));
  const added = is.filter((value) => !known.has(JSON.stringify(value)));
  if (added.length > 0) say('looser', 'enum_widened', `New values are admitted: ${JSON.stringify(added.slice(0, 10))}.`);
  else if (is.length < was.length) say('tighter', 'enum_narrowed', 'Fewer values are admitted.');
}

export function judgePattern(before: Members, after: Members, say: Say): void {
  const [was, is] = [before['pattern'], after['pattern']];
  if (was === is) return;
  if (was === undefined) say('tighter', 'pattern_added', 'A pattern must be matched now.');
  else
    say(
      'looser',
      is === undefined ? 'pattern_dropped' : 'pattern_changed',
      is === undefined ? 'The pattern is gone.' : 'The pattern changed, which is not judged and counts as looser.',
    );
}
