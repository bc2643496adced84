import type { JsonSchema } from '@bailing/plugin-api';
import { note, quote } from '../notes.js';
import { follow, refTarget, type Source } from '../source.js';
import { isMembers, own, type Members } from '../values.js';
import { emptyDef, type SchemaDef } from './def.js';
import { KEYWORDS, type Node } from './keywords.js';
import type { PatternCheck } from './patterns.js';

/** What the keyword readers need of the walk they are part of. */
export interface Walk {
  readonly def: SchemaDef;
  read(value: unknown, pointer: string, depth: number, inPlace: boolean): JsonSchema;
  isReadOnly(value: unknown, pointer: string): boolean;
  /** Whether a pattern can be checked; where not, that is noted. */
  canCheck(pattern: string, pointer: string): boolean;
}

const MAX_LEVELS = 40;
const ANNOTATIONS = new Set(['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

/** Reads one schema of a document as 2020-12: `nullable`, boolean exclusive bounds and item lists are rewritten, references become holes. */
export function readSchema(source: Source, value: unknown, pointer: string, patterns: PatternCheck): SchemaDef {
  const def = emptyDef(pointer);
  const walk: Walk = {
    def,
    read: (inner, place, depth, inPlace) => readOne(source, walk, inner, place, depth, inPlace),
    isReadOnly: (inner, place) => {
      if (isMembers(inner) && own(inner, 'readOnly') === true) return true;
      const target = follow(source, inner, place);
      return target.ok && isMembers(target.value) && own(target.value, 'readOnly') === true;
    },
    canCheck: (pattern, place) => {
      const usable = patterns(pattern);
      const says = `The pattern ${quote(pattern)} cannot be checked and is left to the business.`;
      if (!usable)
        def.notes.push(
          note('warning', 'pattern_unsupported', place, says, 'Use a regular expression of JSON Schema (ECMAScript, Unicode).'),
        );
      return usable;
    },
  };
  const broken = source.duplicates.find(
    (member) => member.startsWith(pointer) && (member.length === pointer.length || member[pointer.length] === '/'),
  );
  if (broken !== undefined) def.notes.push(note('error', 'duplicate_key', broken, 'The member is written twice.', 'Keep one of them.'));
  def.schema = walk.read(value, pointer, 0, true);
  return def;
}

function readOne(source: Source, walk: Walk, value: unknown, pointer: string, depth: number, inPlace: boolean): JsonSchema {
  const { def } = walk;
  def.nodes++;
  def.depth = Math.max(def.depth, depth);
  const wrong = (says: string, suggestion: string): JsonSchema => {
    def.notes.push(note('error', 'invalid_input_schema', pointer, says, suggestion));
    return true;
  };
  if (typeof value === 'boolean') return value;
  if (!isMembers(value)) return wrong('A schema is not an object.', 'Write a schema object, such as { type: string }.');
  if (depth > MAX_LEVELS)
    return wrong(`The schema is nested deeper than ${MAX_LEVELS} levels.`, 'Name inner parts under components and refer to them.');
  const node: Node = { walk, raw: value, out: {}, pointer, depth, inPlace };
  if (Object.hasOwn(value, '$ref')) return readRef(source, node);
  readMembers(node, value);
  return node.out;
}

function readMembers(node: Node, members: Members): void {
  for (const [keyword, value] of Object.entries(members)) KEYWORDS.get(keyword)?.(node, keyword, value);
  foldBounds(node.out, 'minimum', 'exclusiveMinimum');
  foldBounds(node.out, 'maximum', 'exclusiveMaximum');
  if (own(members, 'nullable') !== true) return;
  const { type } = node.out;
  if (type !== undefined) node.out['type'] = [...new Set([type, 'null'].flat())];
  else
    node.walk.def.notes.push(
      note(
        'info',
        'nullable_without_type',
        node.pointer,
        'nullable says nothing without a type beside it, so null is not accepted.',
        'Write the type beside nullable.',
      ),
    );
}

/** OpenAPI 3.0 writes an exclusive bound as a flag beside the bound. */
function foldBounds(out: Record<string, unknown>, bound: string, flag: string): void {
  if (typeof out[flag] !== 'boolean') return;
  const exclusive = out[flag] && out[bound] !== undefined;
  delete out[flag];
  if (!exclusive) return;
  out[flag] = out[bound];
  delete out[bound];
}

/** In 3.0 the siblings of a `$ref` say nothing (a description is kept as words); in 3.1 they judge together with it. */
function readRef(source: Source, node: Node): JsonSchema {
  const { walk, raw, pointer } = node;
  const end = follow(source, raw, pointer);
  if (!end.ok) {
    walk.def.notes.push(end.note);
    return true;
  }
  const target = refTarget(source, raw['$ref'], `${pointer}/$ref`);
  if (!target.ok) return true;
  const siblings = Object.entries(raw).filter(([name]) => name !== '$ref' && (source.version === '3.1' || name === 'description'));
  readMembers(node, Object.fromEntries(siblings));
  const plain = siblings.every(([name]) => ANNOTATIONS.has(name) || !KEYWORDS.has(name));
  const hole = plain ? node.out : {};
  walk.def.holes.push({ target: hole, pointer: target.pointer, inPlace: node.inPlace });
  if (!plain) node.out['allOf'] = [...((node.out['allOf'] as unknown[] | undefined) ?? []), hole];
  return node.out;
}
