import fc from 'fast-check';

type Members = Readonly<Record<string, unknown>>;
type Values = fc.Arbitrary<unknown>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const MAX_LEVELS = 5;

/** Values that a tool's input schema admits, for most schemas: what it makes is still to be checked. Null is left out: it is never sent. */
export function argumentsFor(input: unknown): Values {
  return valueOf(input, isMembers(input) ? input : {}, 0);
}

function valueOf(schema: unknown, root: Members, level: number): Values {
  if (!isMembers(schema)) return fc.constantFrom<unknown>('any', 7, true);
  if (typeof schema['$ref'] === 'string') {
    const defs = root['$defs'];
    const target = isMembers(defs) ? defs[schema['$ref'].slice('#/$defs/'.length)] : undefined;
    return level > MAX_LEVELS ? fc.constant({}) : valueOf(target, root, level + 1);
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]).filter((one) => one !== null));
  for (const choice of ['oneOf', 'anyOf'] as const) {
    const branches = schema[choice];
    if (Array.isArray(branches) && schema['properties'] === undefined)
      return fc.oneof(...(branches as unknown[]).filter((one) => !isNull(one)).map((one) => valueOf(one, root, level + 1)));
  }
  if (Array.isArray(schema['allOf'])) return valueOf(mergedAll(schema, root), root, level + 1);
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  return ofType(types[0] ?? (schema['properties'] ? 'object' : undefined), schema, root, level);
}

function isNull(schema: unknown): boolean {
  return isMembers(schema) && schema['type'] === 'null';
}

function mergedAll(schema: Members, root: Members): Members {
  const { allOf, ...own } = schema;
  return (allOf as unknown[]).reduce<Members>((into, branch) => {
    const here =
      isMembers(branch) && typeof branch['$ref'] === 'string' && isMembers(root['$defs']) ? root['$defs'][branch['$ref'].slice(8)] : branch;
    if (!isMembers(here)) return into;
    const properties = { ...(into['properties'] as object | undefined), ...(here['properties'] as object | undefined) };
    const required = [...((into['required'] as string[] | undefined) ?? []), ...((here['required'] as string[] | undefined) ?? [])];
    return { ...here, ...into, ...(Object.keys(properties).length > 0 && { properties }), ...(required.length > 0 && { required }) };
  }, own);
}

function ofType(type: unknown, schema: Members, root: Members, level: number): Values {
  if (type === 'object') return objectOf(schema, root, level);
  if (type === 'array') return listOf(schema, root, level);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') {
    const low = numberOf(schema['exclusiveMinimum'], numberOf(schema['minimum'], 0) - 1) + 1;
    const high = numberOf(schema['exclusiveMaximum'], numberOf(schema['maximum'], low + 50) + 1) - 1;
    return fc.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(high)) });
  }
  return type === 'string' ? textOf(schema) : fc.constantFrom<unknown>('any', 7, true);
}

function textOf(schema: Members): Values {
  const formats: Readonly<Record<string, unknown>> = {
    uri: 'https://example.com/a?b=c',
    email: 'ann@example.com',
    date: '2026-01-31',
    byte: 'aGVsbG8=',
  };
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined;
  if (format !== undefined) return fc.constant(format);
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  const minLength = Math.max(1, numberOf(schema['minLength'], 1));
  const maxLength = Math.max(minLength, numberOf(schema['maxLength'], 12));
  return fc
    .string({ unit: fc.constantFrom(...'abcXYZ019 -_.~é订&=+%/?#"\''), minLength, maxLength })
    .filter((text) => text.trim() === text && text !== '.' && text !== '..');
}

function listOf(schema: Members, root: Members, level: number): Values {
  const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as unknown[]) : [];
  const rest =
    level > MAX_LEVELS
      ? fc.constant([])
      : fc.array(valueOf(schema['items'] ?? { type: 'string' }, root, level + 1), {
          minLength: Math.max(1, numberOf(schema['minItems'], 1)),
          maxLength: Math.min(4, numberOf(schema['maxItems'], 4)),
        });
  return fc.tuple(fc.tuple(...prefix.map((one) => valueOf(one, root, level + 1))), rest).map(([first, others]) => [...first, ...others]);
}

function objectOf(schema: Members, root: Members, level: number): Values {
  const properties = isMembers(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const names = Object.keys(properties).filter((name) => required.has(name) || level <= MAX_LEVELS);
  const model = Object.fromEntries(names.map((name) => [name, valueOf(properties[name], root, level + 1)]));
  const fixed = fc.record(model, { requiredKeys: names.filter((name) => required.has(name)) });
  const open = schema['additionalProperties'];
  if (!isMembers(open) || names.length > 0) return fixed;
  return fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), valueOf(open, root, level + 1), { minKeys: 1, maxKeys: 3 });
}
