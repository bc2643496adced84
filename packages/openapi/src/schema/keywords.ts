import { at } from '../pointer.js';
import { note } from '../notes.js';
import { cutText, isMembers, own, type Members } from '../values.js';
import { isPlainJson } from './literal.js';
import type { Walk } from './read.js';

/** One schema while it is read: what is written out so far, and where it stands. */
export interface Node {
  readonly walk: Walk;
  readonly raw: Members;
  readonly out: Record<string, unknown>;
  readonly pointer: string;
  readonly depth: number;
  readonly inPlace: boolean;
}

type Reader = (node: Node, keyword: string, value: unknown) => void;

const wrong = (node: Node, keyword: string, says: string, suggestion: string): void =>
  void node.walk.def.notes.push(note('error', 'invalid_input_schema', at(node.pointer, keyword), `${keyword} ${says}`, suggestion));

/** A keyword whose value must pass a test; one that does not is an error: a constraint is never dropped in silence. */
const checked =
  (test: (value: unknown) => boolean, says: string, suggestion: string): Reader =>
  (node, keyword, value) => {
    if (test(value)) node.out[keyword] = value;
    else wrong(node, keyword, says, suggestion);
  };

/** Words for people: what is malformed is left out. */
/** Longest words of one schema; a shared part may be written out in many places. */
const MAX_WORDS = 2_000;

const words: Reader = (node, keyword, value) => {
  if (typeof value === 'string') node.out[keyword] = cutText(value, MAX_WORDS);
};

const annotation =
  (test: (value: unknown) => boolean): Reader =>
  (node, keyword, value) => {
    if (test(value)) node.out[keyword] = value;
  };

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const number = checked(isNumber, 'is not a number.', 'Write a number without quotes.');
const count = checked(isCount, 'is not a whole number from 0.', 'Write a whole number without quotes.');
const exclusive = checked((v) => isNumber(v) || isFlag(v), 'is neither a number nor a boolean.', 'Write the bound as a number.');

const one: Reader = (node, keyword, value) => {
  const inPlace = node.inPlace && IN_PLACE.has(keyword);
  node.out[keyword] = node.walk.read(value, at(node.pointer, keyword), node.depth + 1, inPlace);
};

const list: Reader = (node, keyword, value) => {
  if (!Array.isArray(value) || value.length === 0)
    return wrong(node, keyword, 'is not a list of schemas.', 'Write a list with at least one schema.');
  const inPlace = node.inPlace && IN_PLACE.has(keyword);
  node.out[keyword] = value.map((item, i) => node.walk.read(item, at(node.pointer, keyword, i), node.depth + 1, inPlace));
};

/** Some languages write an empty object as `[]`. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const map: Reader = (node, keyword, value) => {
  if (isEmptyList(value)) return;
  if (!isMembers(value)) return wrong(node, keyword, 'is not an object of schemas.', 'Write an object whose members are schemas.');
  const inPlace = node.inPlace && IN_PLACE.has(keyword);
  node.out[keyword] = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, node.walk.read(inner, at(node.pointer, keyword, name), node.depth + 1, inPlace)]),
  );
};

/** Properties that only answers carry are left out of what a caller may send. */
const properties: Reader = (node, keyword, value) => {
  if (isEmptyList(value)) return;
  if (!isMembers(value)) return wrong(node, keyword, 'is not an object of schemas.', 'Write an object whose members are schemas.');
  const kept = Object.entries(value).filter(([name, inner]) => {
    const place = at(node.pointer, keyword, name);
    if (!node.walk.isReadOnly(inner, place)) return true;
    node.walk.def.notes.push(note('info', 'readonly_property_omitted', place, 'The property is readOnly, so no caller may send it.'));
    return false;
  });
  map({ ...node, raw: node.raw }, keyword, Object.fromEntries(kept));
};

const patternProperties: Reader = (node, keyword, value) => {
  if (!isMembers(value)) return wrong(node, keyword, 'is not an object of schemas.', 'Write an object whose members are schemas.');
  const usable = Object.entries(value)
    .filter(([pattern]) => node.walk.canCheck(pattern, at(node.pointer, keyword, pattern)))
    .map(([pattern, inner]) => [pattern, node.walk.read(inner, at(node.pointer, keyword, pattern), node.depth + 1, false)] as const);
  if (usable.length > 0) node.out[keyword] = Object.fromEntries(usable);
};

/** Before 2020-12 a list under `items` named the first items one by one. */
const items: Reader = (node, keyword, value) => {
  if (!Array.isArray(value)) return one(node, keyword, value);
  if (value.length > 0) list(node, 'items', value);
  if (node.out['items'] !== undefined) node.out['prefixItems'] = node.out['items'];
  delete node.out['items'];
  const rest = own(node.raw, 'additionalItems');
  if (rest !== undefined) node.out['items'] = node.walk.read(rest, at(node.pointer, 'additionalItems'), node.depth + 1, false);
};

const required: Reader = (node, keyword, value) => {
  if (typeof value === 'boolean') {
    node.walk.def.notes.push(
      note(
        'warning',
        'required_not_a_list',
        at(node.pointer, keyword),
        'required is a boolean, which says nothing in a schema.',
        'List the name under `required` of the object that holds the property.',
      ),
    );
    return;
  }
  if (!Array.isArray(value) || !value.every(isText))
    return wrong(node, keyword, 'is not a list of names.', 'Write a list of property names.');
  const declared = own(node.raw, 'properties');
  const omitted = (name: string): boolean =>
    isMembers(declared) && Object.hasOwn(declared, name) && node.walk.isReadOnly(declared[name], at(node.pointer, 'properties', name));
  const names = [...new Set(value as string[])].filter((name) => !omitted(name));
  if (names.length > 0) node.out[keyword] = names;
};

const dependentRequired: Reader = (node, keyword, value) => {
  const valid = isMembers(value) && Object.values(value).every((names) => Array.isArray(names) && names.every(isText));
  if (!valid) return wrong(node, keyword, 'is not an object of name lists.', 'Write an object whose members are lists of property names.');
  node.out[keyword] = Object.fromEntries(Object.entries(value).map(([name, names]) => [name, [...new Set(names as string[])]]));
};

const pattern: Reader = (node, keyword, value) => {
  if (typeof value !== 'string') return wrong(node, keyword, 'is not a string.', 'Write the expression as a string.');
  if (node.walk.canCheck(value, at(node.pointer, keyword))) node.out[keyword] = value;
};

const example: Reader = (node, _keyword, value) => {
  if (!Array.isArray(own(node.raw, 'examples')) && isPlainJson(value)) node.out['examples'] = [value];
};

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const MEANT: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  str: 'string',
  list: 'array',
  map: 'object',
};

const type: Reader = (node, keyword, value) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const stranger = names.find((name) => typeof name !== 'string' || !TYPES.has(name));
  if (names.length > 0 && stranger === undefined) {
    node.out[keyword] = Array.isArray(value) ? [...new Set(names)] : value;
    return;
  }
  const meant =
    typeof stranger === 'string'
      ? (MEANT[stranger.toLowerCase()] ?? (TYPES.has(stranger.toLowerCase()) ? stranger.toLowerCase() : ''))
      : '';
  wrong(
    node,
    keyword,
    'is not a type of JSON Schema.',
    meant ? `Write ${meant}.` : `Choose from ${[...TYPES].join(', ')}, or leave type out.`,
  );
};

/** A long list of values weighs as much as some schemas, so that it is named and not written out in every place. */
function weighed(reader: Reader): Reader {
  return (node, keyword, value) => {
    reader(node, keyword, value);
    if (Array.isArray(value)) node.walk.def.nodes += Math.floor(value.length / 8);
  };
}

/** Judge the same value as the schema they stand in. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

const literal = weighed(checked(isPlainJson, 'is not JSON of a sensible size.', 'Use a small value with finite numbers.'));
const literals = weighed(
  checked((v) => Array.isArray(v) && v.length > 0 && isPlainJson(v), 'is not a list of values.', 'Write a list with at least one value.'),
);

/** Every keyword that is understood. Others (`xml`, `discriminator`, `x-…`, `$id`) say nothing about what may be sent and are left out. */
export const KEYWORDS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['type', type],
  ...(['title', 'description', 'format', 'contentEncoding', 'contentMediaType'] as const).map((k) => [k, words] as const),
  ...(['deprecated', 'writeOnly'] as const).map((k) => [k, annotation(isFlag)] as const),
  ['default', weighed(annotation(isPlainJson))],
  ['examples', weighed(annotation((v) => Array.isArray(v) && isPlainJson(v)))],
  ['example', example],
  ['enum', literals],
  ['const', literal],
  ['multipleOf', checked((v) => isNumber(v) && (v as number) > 0, 'is not a number above 0.', 'Write a number above 0.')],
  ...(['minimum', 'maximum'] as const).map((k) => [k, number] as const),
  ...(['exclusiveMinimum', 'exclusiveMaximum'] as const).map((k) => [k, exclusive] as const),
  ...(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'] as const).map(
    (k) => [k, count] as const,
  ),
  ['uniqueItems', checked(isFlag, 'is not a boolean.', 'Write true or false without quotes.')],
  ['pattern', pattern],
  ...(
    ['contains', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'] as const
  ).map((k) => [k, one] as const),
  ['items', items],
  ...(['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const).map((k) => [k, list] as const),
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['dependentSchemas', map],
  ['dependentRequired', dependentRequired],
  ['required', required],
]);
