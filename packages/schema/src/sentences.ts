import type { ErrorObject } from './ajv.js';
import { closestName } from './closest.js';
import { pointerTokens, quoteName, type Token } from './place.js';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};
const MAX_CHOICES = 12;

/** What went wrong at one place, in words. A value is never repeated, only its kind; the schema's own words may be. */
export interface Said {
  readonly tokens: readonly Token[];
  readonly says: string;
}

type Sentence = (params: Readonly<Record<string, unknown>>, error: ErrorObject) => string;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  type: ({ type }, { data }) => `Must be ${anyKind([type].flat())}, not ${kindOf(data)}.`,
  enum: ({ allowedValues }) => `Must be one of ${choices(allowedValues)}.`,
  const: ({ allowedValue }) => `Must be ${shown(allowedValue)}.`,
  minimum: ({ limit }) => `Must be at least ${String(limit)}.`,
  maximum: ({ limit }) => `Must be at most ${String(limit)}.`,
  exclusiveMinimum: ({ limit }) => `Must be more than ${String(limit)}.`,
  exclusiveMaximum: ({ limit }) => `Must be less than ${String(limit)}.`,
  multipleOf: ({ multipleOf }) => `Must be a multiple of ${String(multipleOf)}.`,
  minLength: ({ limit }) => `Must have at least ${count(limit, 'character')}.`,
  maxLength: ({ limit }) => `Must have at most ${count(limit, 'character')}.`,
  pattern: ({ pattern }) => `Must match the pattern ${quoteName(String(pattern))}.`,
  format: ({ format }) => `Must be written in the format ${quoteName(String(format))}.`,
  minItems: ({ limit }) => `Must have at least ${count(limit, 'item')}.`,
  maxItems: ({ limit }) => `Must have at most ${count(limit, 'item')}.`,
  uniqueItems: () => 'Must not contain the same item twice.',
  contains: ({ minContains }) => `Must contain at least ${count(minContains ?? 1, 'fitting item')}.`,
  minProperties: ({ limit }) => `Must have at least ${count(limit, 'field')}.`,
  maxProperties: ({ limit }) => `Must have at most ${count(limit, 'field')}.`,
  required: () => 'This field is required.',
  dependentRequired: ({ property }) => `This field is required when ${quoteName(String(property))} is given.`,
  dependencies: ({ property }) => `This field is required when ${quoteName(String(property))} is given.`,
  additionalProperties: (_params, error) => unknownField(error),
  unevaluatedProperties: (_params, error) => unknownField(error),
  unevaluatedItems: () => 'There are more items than the list may have.',
  items: () => 'There are more items than the list may have.',
  propertyNames: () => 'The name of this field is not allowed.',
  not: () => 'Has a form that is not allowed.',
  anyOf: () => 'Must fit one of the allowed forms.',
  oneOf: ({ passingSchemas }) =>
    passingSchemas ? 'Fits more than one form where exactly one is allowed.' : 'Must fit one of the allowed forms.',
  if: () => 'Does not go together with the other fields.',
  'false schema': () => 'Nothing may stand here.',
};

/** Words for one error of ajv about `value`. */
export function sayError(error: ErrorObject, value: unknown): Said {
  const params = error.params as Readonly<Record<string, unknown>>;
  const sentence = SENTENCES[error.keyword];
  const tokens = pointerTokens(error.instancePath, value);
  const field = fieldName(error);
  return { tokens: field === undefined ? tokens : [...tokens, field], says: sentence ? sentence(params, error) : 'Is not valid.' };
}

/** "text or a number" */
export function anyKind(types: readonly unknown[]): string {
  const words = [...new Set(types.map((type) => KINDS[String(type)] ?? 'something else'))];
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'a whole number' : Number.isFinite(value) ? 'a fraction' : 'no number at all';
  return KINDS[typeof value] ?? 'nothing';
}

/** The field an error is about where that is not the place of the error itself: a missing or an unknown one. */
function fieldName(error: ErrorObject): string | undefined {
  const params = error.params as Readonly<Record<string, unknown>>;
  const name = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  return typeof name === 'string' ? name : error.propertyName;
}

function unknownField(error: ErrorObject): string {
  const known = (error.parentSchema as { properties?: object } | undefined)?.properties;
  const meant = closestName(fieldName(error) ?? '', Object.keys(known ?? {}));
  return meant === undefined ? 'There is no such field here.' : `There is no such field here; did you mean ${quoteName(meant)}?`;
}

function choices(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const more = list.length - MAX_CHOICES;
  return list.slice(0, MAX_CHOICES).map(shown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A value of the schema, cut. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}
