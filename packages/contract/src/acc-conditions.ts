import type { AccCondition, AccProblem } from './acc-declaration.js';
import { isRecord, type AccRecord } from './acc-reader.js';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** What a tool's input schema says of one argument path. `types` is absent where the schema names no type. */
export interface ParamTypes {
  readonly found: boolean;
  readonly types?: ReadonlySet<JsonType>;
  /** The schema at the path, references followed. */
  readonly schema?: AccRecord;
}

const MAX_HOPS = 32;
const NUMERIC: readonly string[] = ['>', '>=', '<', '<='];

/**
 * Resolves a dot path of `approval.when` in a tool's input schema (WIRE §5): through objects only, references under `$defs` and `allOf`
 * followed. A name that contains a dot itself is found first where it is declared as it stands.
 */
export function paramTypes(input: unknown, param: string): ParamTypes {
  const whole = member(input, input, param, new Set());
  const target =
    whole ??
    param
      .split('.')
      .reduce<AccRecord | undefined>((at, name) => at && member(input, at, name, new Set()), isRecord(input) ? input : undefined);
  if (!target) return { found: false };
  const schema = deref(input, target);
  const types = typesOf(input, schema, new Set());
  return { found: true, schema, ...(types && { types }) };
}

function deref(input: unknown, schema: AccRecord): AccRecord {
  let here = schema;
  for (let hops = 0; hops < MAX_HOPS && typeof here['$ref'] === 'string'; hops++) {
    const defs = isRecord(input) ? input['$defs'] : undefined;
    const name = here['$ref'].startsWith('#/$defs/') ? here['$ref'].slice('#/$defs/'.length) : '';
    const next = isRecord(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
    if (!isRecord(next)) return here;
    here = next;
  }
  return here;
}

/** `seen` keeps a schema that is reached twice from being searched twice: definitions may form circles and diamonds. */
function member(input: unknown, schema: unknown, name: string, seen: Set<AccRecord>): AccRecord | undefined {
  if (!isRecord(schema)) return undefined;
  const here = deref(input, schema);
  if (seen.has(here)) return undefined;
  seen.add(here);
  const properties = here['properties'];
  if (isRecord(properties) && Object.hasOwn(properties, name)) {
    const found = properties[name];
    return isRecord(found) ? found : {};
  }
  const all = Array.isArray(here['allOf']) ? (here['allOf'] as unknown[]) : [];
  for (const branch of all) {
    const found = member(input, branch, name, seen);
    if (found) return found;
  }
  return undefined;
}

/** The types a schema names itself, in an `allOf` branch, or in every branch of a choice. */
function typesOf(input: unknown, schema: AccRecord, open: Set<AccRecord>): ReadonlySet<JsonType> | undefined {
  const here = deref(input, schema);
  if (open.has(here)) return undefined;
  open.add(here);
  if (here['type'] !== undefined) {
    const named = new Set([here['type']].flat() as JsonType[]);
    return here['nullable'] === true ? new Set([...named, 'null']) : named;
  }
  for (const branch of listOf(here['allOf'])) {
    const named = typesOf(input, branch, open);
    if (named) return named;
  }
  for (const choice of [listOf(here['oneOf']), listOf(here['anyOf'])]) {
    if (choice.length === 0) continue;
    const each = choice.map((branch) => typesOf(input, branch, open));
    if (each.every((types) => types !== undefined)) return new Set(each.flatMap((types) => [...types]));
  }
  return undefined;
}

function listOf(value: unknown): readonly AccRecord[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}

/** Whether a JSON value is of one of the types; an integer needs a whole number. */
export function isOfTypes(value: unknown, types: ReadonlySet<JsonType>): boolean {
  if (value === null) return types.has('null');
  if (Array.isArray(value)) return types.has('array');
  if (typeof value === 'number') return types.has('number') || (types.has('integer') && Number.isInteger(value));
  return types.has(typeof value as JsonType);
}

/**
 * Checks the conditions of a valid declaration against the tool's input schema, at compile time (WIRE §5). Pointers are relative to the
 * declaration. Any error refuses the tool: a condition that cannot be judged must not count as one that did not match.
 */
export function checkConditions(conditions: readonly AccCondition[], input: unknown): readonly AccProblem[] {
  return conditions.flatMap((condition, i) => {
    const problem = checkOne(condition, input);
    return problem
      ? [{ severity: 'error' as const, ...problem, pointer: `/approval/when/${i}${problem.pointer}` }]
      : neverMatches(condition, input, i);
  });
}

type Found = Omit<AccProblem, 'severity'>;

function checkOne(condition: AccCondition, input: unknown): Found | undefined {
  const { param, op, value } = condition;
  const name = JSON.stringify(param);
  const { found, types } = paramTypes(input, param);
  const say = (code: string, at: string, message: string, suggestion: string): Found => ({ code, pointer: at, message, suggestion });
  if (!found)
    return say(
      'confirm_when_param_missing_schema',
      '/param',
      `The tool has no argument ${name}.`,
      `Name one of its arguments: ${argumentNames(input)}.`,
    );
  if (!types) return say('confirm_when_param_untyped', '/param', `The argument ${name} has no type.`, 'Write the type in its schema.');
  const kinds = new Set([...types].filter((type) => type !== 'null'));
  const typed = [...types].join(' or ');
  if (NUMERIC.includes(op) && !(kinds.size > 0 && [...kinds].every((type) => type === 'number' || type === 'integer')))
    return say(
      'confirm_when_numeric_type',
      '/op',
      `${op} compares numbers, but ${name} is ${typed}.`,
      'Compare a number or integer argument.',
    );
  if (op === 'in' && !(Array.isArray(value) && value.every((one) => isOfTypes(one, types))))
    return say('confirm_when_in_type', '/value', `A value of the list is not ${typed}, as ${name} is.`, `Write values of type ${typed}.`);
  if (op === 'contains') return checkContains(condition, kinds, say);
  if ((op === '==' || op === '!=') && !isOfTypes(value, types))
    return say('confirm_when_value_type', '/value', `The value is not ${typed}, as ${name} is.`, `Write a value of type ${typed}.`);
  return undefined;
}

function checkContains(
  { param, value }: AccCondition,
  kinds: ReadonlySet<JsonType>,
  say: (code: string, at: string, message: string, suggestion: string) => Found,
): Found | undefined {
  const name = JSON.stringify(param);
  if (kinds.size === 0 || ![...kinds].every((type) => type === 'string' || type === 'array'))
    return say(
      'confirm_when_contains_type',
      '/op',
      `contains looks into a list or a text, and ${name} is neither.`,
      'Compare a string or array argument.',
    );
  if (kinds.has('string') && typeof value !== 'string')
    return say('confirm_when_contains_type', '/value', `${name} is a text, so contains needs a text.`, 'Write the value as a string.');
  return undefined;
}

/** A comparison with a value that the argument's enum excludes asks for an approval that can never come about. */
function neverMatches({ param, op, value }: AccCondition, input: unknown, i: number): readonly AccProblem[] {
  const allowed = paramTypes(input, param).schema?.['enum'];
  if (!Array.isArray(allowed) || (op !== '==' && op !== 'in')) return [];
  const known = new Set((allowed as unknown[]).map((one) => JSON.stringify(one)));
  const wanted = op === 'in' ? (value as unknown[]) : [value];
  if (wanted.every((one) => known.has(JSON.stringify(one)))) return [];
  const message = `The condition names a value that ${JSON.stringify(param)} cannot have, so it never matches there.`;
  return [
    {
      severity: 'warning',
      code: 'confirm_when_value_never',
      pointer: `/approval/when/${i}/value`,
      message,
      suggestion: 'Use a value of its enum.',
    },
  ];
}

function argumentNames(input: unknown): string {
  const properties = isRecord(input) && isRecord(input['properties']) ? Object.keys(input['properties']) : [];
  return properties.slice(0, 12).join(', ') || 'it has none';
}
