/** The part of JSON Schema that `vectors/schema.json` uses. A keyword beyond it is an error, never passed over. */
export type Schema = Readonly<Record<string, unknown>> | boolean;

type Check = (value: unknown, schema: Readonly<Record<string, unknown>>, at: string, root: Schema) => string[];

const IGNORED = new Set(['$schema', '$id', '$defs', 'title', 'description']);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const say = (broken: boolean, at: string, says: string): string[] => (broken ? [`${at || '/'}: ${says}`] : []);

function properties(value: unknown, schema: Readonly<Record<string, unknown>>, at: string, root: Schema): string[] {
  if (!isObject(value)) return [];
  const known = (schema['properties'] ?? {}) as Record<string, Schema>;
  const rest = schema['additionalProperties'] as Schema | undefined;
  return Object.entries(value).flatMap(([name, member]) => {
    const own = Object.hasOwn(known, name) ? known[name] : rest;
    return own === undefined ? [] : problems(member, own, `${at}/${name}`, root);
  });
}

function items(value: unknown, schema: Readonly<Record<string, unknown>>, at: string, root: Schema): string[] {
  return Array.isArray(value) ? value.flatMap((item: unknown, i) => problems(item, schema['items'] as Schema, `${at}/${i}`, root)) : [];
}

function anyOf(value: unknown, schema: Readonly<Record<string, unknown>>, at: string, root: Schema): string[] {
  const fits = (schema['anyOf'] as Schema[]).some((one) => problems(value, one, at, root).length === 0);
  return say(!fits, at, 'fits none of the alternatives');
}

function reference(value: unknown, schema: Readonly<Record<string, unknown>>, at: string, root: Schema): string[] {
  const name = String(schema['$ref']).replace('#/$defs/', '');
  const found = isObject(root) ? (root['$defs'] as Record<string, Schema> | undefined)?.[name] : undefined;
  return found === undefined ? [`${at}: the reference ${name} leads nowhere`] : problems(value, found, at, root);
}

const size = (value: unknown): number => (Array.isArray(value) || typeof value === 'string' ? value.length : Number.NaN);

const KEYWORDS: Readonly<Record<string, Check>> = {
  $ref: reference,
  anyOf,
  properties,
  additionalProperties: (value, schema, at, root) => ('properties' in schema ? [] : properties(value, schema, at, root)),
  items,
  const: (value, schema, at) => say(value !== schema['const'], at, `is not ${String(schema['const'])}`),
  enum: (value, schema, at) => say(!(schema['enum'] as unknown[]).includes(value), at, 'is none of the listed values'),
  type: (value, schema, at) => {
    const types = [schema['type']].flat();
    return say(
      !types.includes(typeOf(value)) && !(types.includes('number') && typeof value === 'number'),
      at,
      `is not ${types.join(' or ')}`,
    );
  },
  required: (value, schema, at) =>
    isObject(value)
      ? (schema['required'] as string[]).filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}: lacks ${name}`)
      : [],
  pattern: (value, schema, at) =>
    say(
      typeof value === 'string' && !new RegExp(String(schema['pattern']), 'u').test(value),
      at,
      `does not match ${String(schema['pattern'])}`,
    ),
  minLength: (value, schema, at) => say(typeof value === 'string' && size(value) < Number(schema['minLength']), at, 'is too short'),
  minItems: (value, schema, at) => say(size(value) < Number(schema['minItems']), at, 'has too few items'),
  maxItems: (value, schema, at) => say(size(value) > Number(schema['maxItems']), at, 'has too many items'),
  uniqueItems: (value, _schema, at) => say(Array.isArray(value) && new Set(value).size < value.length, at, 'repeats an item'),
  minimum: (value, schema, at) => say(typeof value === 'number' && value < Number(schema['minimum']), at, 'is too small'),
};

/** Where a value does not fit a schema, as `place: what is wrong`. @throws {Error} for a keyword that is not known here. */
export function problems(value: unknown, schema: Schema, at = '', root: Schema = schema): string[] {
  if (typeof schema === 'boolean') return say(!schema, at, 'is not allowed here');
  return Object.keys(schema).flatMap((keyword) => {
    if (IGNORED.has(keyword)) return [];
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`The keyword ${keyword} at ${at} is not checked here.`);
    return check(value, schema, at, root);
  });
}
