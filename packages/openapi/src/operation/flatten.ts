import type { JsonSchema } from '@bailing/plugin-api';
import type { SchemaLibrary } from '../schema/library.js';
import { isMembers, type Members } from '../values.js';

/** A body object whose members can be arguments of their own. */
export interface FlatBody {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Rules over several members (`oneOf` of `required` lists, `if`/`then`), to hold beside the arguments. */
  readonly rules: readonly JsonSchema[];
  /** Whether the object says that it also takes members it does not name. */
  readonly open: boolean;
}

const MAX_LEVELS = 16;
const WORDS = new Set(['type', 'title', 'description', 'default', 'examples', 'deprecated', 'writeOnly', 'format']);
const RULES = ['oneOf', 'anyOf', 'not', 'if', 'dependentRequired', 'dependentSchemas'] as const;

/**
 * Takes a body schema apart into its members, through references and `allOf`. Undefined where that would lose or change a rule; the body is
 * then one argument.
 */
export function flattenBody(schemas: SchemaLibrary, schema: JsonSchema): FlatBody | undefined {
  const here = schemas.view(schema);
  if (!isMembers(here)) return undefined;
  const known = flattened.get(here);
  if (known !== undefined) return known ?? undefined;
  const flat = flatten(schemas, here);
  flattened.set(here, flat ?? null);
  return flat;
}

/** A schema of a library is one object however many operations send it, so each is taken apart once. */
const flattened = new WeakMap<object, FlatBody | null>();
/** More steps than a body that a caller can fill needs; a body beyond them is one argument. */
const MAX_STEPS = 5_000;
const MAX_MEMBERS = 500;

function flatten(schemas: SchemaLibrary, schema: JsonSchema): FlatBody | undefined {
  const gathered: Gathered = {
    properties: new Map(),
    required: new Set(),
    rules: [],
    open: false,
    least: 0,
    most: Infinity,
    steps: MAX_STEPS,
  };
  if (!gather(schemas, schema, gathered, 0) || gathered.properties.size > MAX_MEMBERS) return undefined;
  if (gathered.properties.size === 0 && (gathered.open || gathered.rules.length > 0)) return undefined;
  if (!keepCounts(gathered)) return undefined;
  const names = new Set(gathered.properties.keys());
  const budget = { steps: MAX_STEPS };
  return gathered.rules.every((rule) => speaksOnlyOf(schemas, rule, names, budget)) ? gathered : undefined;
}

interface Gathered {
  readonly properties: Map<string, JsonSchema>;
  readonly required: Set<string>;
  readonly rules: JsonSchema[];
  open: boolean;
  /** `minProperties` and `maxProperties`, the strictest of all parts. */
  least: number;
  most: number;
  steps: number;
}

/** Counts of members say the same of the arguments only where they can be said by names: at least one, or no limit at all. */
function keepCounts(gathered: Gathered): boolean {
  const { properties, required, least, most, rules } = gathered;
  if (most < properties.size) return false;
  if (least <= required.size) return true;
  if (least > 1 || properties.size === 0) return false;
  rules.push({ anyOf: [...properties.keys()].map((name) => ({ required: [name] })) });
  return true;
}

function gather(schemas: SchemaLibrary, schema: JsonSchema, into: Gathered, level: number): boolean {
  const here = schemas.view(schema);
  if (!isMembers(here) || level > MAX_LEVELS || into.steps-- <= 0 || !admitsObjects(here)) return false;
  const says =
    here['properties'] !== undefined || here['allOf'] !== undefined || here['type'] !== undefined || here['required'] !== undefined;
  if (!says && level === 0) return false;
  const rule: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(here)) {
    if (WORDS.has(keyword) || keyword === 'then' || keyword === 'else') continue;
    if (keyword === 'properties') addProperties(value as Members, into);
    else if (keyword === 'required') for (const name of value as string[]) into.required.add(name);
    else if (keyword === 'allOf') {
      if (!(value as JsonSchema[]).every((branch) => gather(schemas, branch, into, level + 1))) return false;
    } else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
      if (value !== false) into.open = true;
    } else if (keyword === 'minProperties') into.least = Math.max(into.least, value as number);
    else if (keyword === 'maxProperties') into.most = Math.min(into.most, value as number);
    else if ((RULES as readonly string[]).includes(keyword)) rule[keyword] = value;
    else return false;
  }
  if (rule['if'] !== undefined) for (const keyword of ['then', 'else']) if (here[keyword] !== undefined) rule[keyword] = here[keyword];
  if (Object.keys(rule).length > 0) into.rules.push(rule);
  return true;
}

function admitsObjects(schema: Members): boolean {
  const { type } = schema;
  return type === undefined || [type].flat().includes('object');
}

function addProperties(properties: Members, into: Gathered): void {
  for (const [name, schema] of Object.entries(properties) as [string, JsonSchema][]) {
    const before = into.properties.get(name);
    into.properties.set(name, before === undefined || before === schema ? schema : { allOf: [before, schema] });
  }
}

/** Whether a rule would judge the arguments as it judges the body: it names only members that are arguments, and closes nothing. */
function speaksOnlyOf(schemas: SchemaLibrary, schema: JsonSchema, names: ReadonlySet<string>, budget: { steps: number }): boolean {
  const here = schemas.view(schema);
  if (typeof here === 'boolean') return true;
  if (budget.steps-- <= 0) return false;
  const every = (list: unknown): boolean => (list as JsonSchema[]).every((inner) => speaksOnlyOf(schemas, inner, names, budget));
  return Object.entries(here).every(([keyword, value]) => {
    if (keyword === 'type') return [value].flat().includes('object');
    if (WORDS.has(keyword)) return true;
    if (keyword === 'required') return (value as string[]).every((name) => names.has(name));
    if (keyword === 'properties') return Object.keys(value as Members).every((name) => names.has(name));
    if (keyword === 'dependentRequired')
      return Object.entries(value as Record<string, string[]>).every(([k, v]) => [k, ...v].every((name) => names.has(name)));
    if (keyword === 'dependentSchemas')
      return Object.keys(value as Members).every((name) => names.has(name)) && every(Object.values(value as Members));
    if (keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'allOf') return every(value);
    return ['not', 'if', 'then', 'else'].includes(keyword) && every([value]);
  });
}
