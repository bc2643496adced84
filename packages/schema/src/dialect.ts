import { knownFormat } from './formats.js';
import { compilePattern } from './patterns/index.js';
import { formatPlace, quoteName, type Token } from './place.js';
import { MAX_PROBLEMS, type Problem } from './problem.js';
import { refuseReference, type Reference } from './references.js';

type Members = Readonly<Record<string, unknown>>;

/** What was found while reading a schema. `problems` forbid its use; `warnings` are parts that do not check anything. */
export interface Reading {
  readonly schema: unknown;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** How much a reader forgives. Absent members: as much as possible, as for documents of others. */
export interface ReadRules {
  /** Any other keyword is a problem. `x-…` is always a remark. */
  readonly known?: (keyword: string) => boolean;
  /** An object that lists its properties and says nothing about others takes no others. */
  readonly closed?: boolean;
}

interface Walk {
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** The objects between the root and here: meeting one again is a circle. */
  readonly open: Set<object>;
  readonly rules: ReadRules;
  readonly references: Reference[];
  readonly anchors: Set<string>;
  /** What was read, as rewritten. */
  readonly schemas: Set<unknown>;
  left: number;
}

const MAX_SCHEMAS = 20_000;
const MAX_DEEP = 200;

const ONE = new Set(['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then']);
for (const name of ['additionalItems', 'unevaluatedItems', 'unevaluatedProperties']) ONE.add(name);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const MAP = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);
/** Identity of documents: a fragment compiled on its own has none, and two fragments may carry the same. */
const DROPPED = new Set(['$id', '$schema', '$vocabulary', 'id']);
/** Would turn the validator into one that answers a promise, which a careless caller takes for "valid". */
DROPPED.add('$async');
/** Below these a schema sees only a part of the value, so what it does not list may be listed by its neighbour. */
const PARTIAL = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
  'dependencies',
  'contains',
  'propertyNames',
]);

/**
 * Rewrites draft-04 to draft-07 and OpenAPI 3.0 spellings to 2020-12: `nullable`, boolean `exclusiveMinimum`, lists under
 * `items`. Unknown formats and bad patterns are noted with their place; nothing here throws.
 */
export function readSchema(schema: unknown, rules: ReadRules = {}): Reading {
  const found = { problems: [], warnings: [], open: new Set<object>(), references: [], anchors: new Set<string>(), schemas: new Set() };
  const walk: Walk = { ...found, rules, left: MAX_SCHEMAS };
  const read = readOne(schema, [], walk, false);
  for (const reference of walk.references) {
    const refused = refuseReference(reference, { root: read, schemas: walk.schemas, anchors: walk.anchors });
    if (refused !== undefined) note(walk.problems, reference.at, refused);
  }
  return { schema: read, problems: walk.problems, warnings: walk.warnings };
}

function note(list: Problem[], at: readonly Token[], says: string): void {
  if (list.length < MAX_PROBLEMS) list.push({ at: formatPlace(at), says });
}

function readOne(schema: unknown, at: readonly Token[], walk: Walk, inside: boolean): unknown {
  if (typeof schema === 'boolean') return schema;
  if (!isMembers(schema)) return refuse(walk, at, 'A schema is an object, true or false.');
  if (walk.open.has(schema)) return refuse(walk, at, 'The schema contains itself; name the inner part with $ref instead.');
  if (at.length > MAX_DEEP) return refuse(walk, at, 'The schema is nested too deeply.');
  if (--walk.left < 0) return walk.left === -1 ? refuse(walk, at, 'The schema is too large.') : false;
  walk.open.add(schema);
  const members: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => value !== undefined && !DROPPED.has(name))
      .map(([name, value]) => [name, readMember(name, value, [...at, name], walk, inside || PARTIAL.has(name))]),
  );
  walk.open.delete(schema);
  modernise(members);
  checkText(members, at, walk);
  noteReferences(members, at, walk);
  applyRules(members, at, walk, inside);
  return members;
}

function refuse(walk: Walk, at: readonly Token[], says: string): false {
  note(walk.problems, at, says);
  return false;
}

function readMember(name: string, value: unknown, at: readonly Token[], walk: Walk, inside: boolean): unknown {
  if (LIST.has(name) && Array.isArray(value)) return value.map((one, index) => readOne(one, [...at, index], walk, inside));
  if (ONE.has(name)) return readOne(value, at, walk, inside);
  if (!MAP.has(name) || !isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (name === 'patternProperties') checkPattern(key, [...at, key], walk);
      return [key, Array.isArray(one) && name === 'dependencies' ? one : readOne(one, [...at, key], walk, inside)];
    }),
  );
}

function modernise(members: Record<string, unknown>): void {
  if (members['nullable'] === true && members['type'] !== undefined) {
    members['type'] = [...new Set([members['type'], 'null'].flat())];
  }
  delete members['nullable'];
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof members[flag] !== 'boolean') continue;
    const exclusive = members[flag] && members[bound] !== undefined;
    delete members[flag];
    if (!exclusive) continue;
    members[flag] = members[bound];
    delete members[bound];
  }
  if (Array.isArray(members['items'])) {
    members['prefixItems'] = members['items'];
    delete members['items'];
    if (members['additionalItems'] !== undefined) members['items'] = members['additionalItems'];
  }
  delete members['additionalItems'];
}

function checkText(members: Record<string, unknown>, at: readonly Token[], walk: Walk): void {
  if (typeof members['pattern'] === 'string') checkPattern(members['pattern'], [...at, 'pattern'], walk);
  const format = members['format'];
  if (typeof format !== 'string' || knownFormat(format)) return;
  note(walk.warnings, [...at, 'format'], `The format ${quoteName(format)} is not known and checks nothing.`);
  delete members['format'];
}

function noteReferences(members: Record<string, unknown>, at: readonly Token[], walk: Walk): void {
  walk.schemas.add(members);
  for (const name of ['$ref', '$dynamicRef']) {
    if (typeof members[name] === 'string') walk.references.push({ to: members[name], at: [...at, name] });
  }
  for (const name of ['$anchor', '$dynamicAnchor']) if (typeof members[name] === 'string') walk.anchors.add(members[name]);
}

function applyRules(members: Record<string, unknown>, at: readonly Token[], { rules, problems }: Walk, inside: boolean): void {
  for (const name of rules.known ? Object.keys(members) : []) {
    if (!name.startsWith('x-') && !rules.known?.(name))
      note(problems, [...at, name], `There is no keyword ${quoteName(name)} in JSON Schema.`);
  }
  if (!rules.closed || inside || members['properties'] === undefined) return;
  if (members['additionalProperties'] !== undefined || members['unevaluatedProperties'] !== undefined) return;
  const shared = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'].some((name) => members[name] !== undefined);
  members[shared ? 'unevaluatedProperties' : 'additionalProperties'] = false;
}

function checkPattern(pattern: string, at: readonly Token[], walk: Walk): void {
  const compiled = compilePattern(pattern, { left: 0 });
  if (!compiled.ok) note(walk.problems, at, compiled.says);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
