import type { JsonSchema } from '@bailing/plugin-api';
import { isMembers, type Members } from '../values.js';
import type { SchemaLibrary } from './library.js';

/** What kinds of values a schema admits. `any` where it does not say. */
export type Kind = 'plain' | 'array' | 'object' | 'any';

const ANY: ReadonlySet<Kind> = new Set(['any']);
/** A schema of a library is one object wherever it is used, so each is judged once; a circle meets `any`. */
const kindsKnown = new WeakMap<object, ReadonlySet<Kind>>();
const flatKnown = new WeakMap<object, boolean>();

/** The kinds of values a settled schema admits, read through references and combinations. */
export function kindsOf(schemas: SchemaLibrary, schema: JsonSchema): ReadonlySet<Kind> {
  const here = schemas.view(schema);
  if (!isMembers(here)) return ANY;
  const known = kindsKnown.get(here);
  if (known) return known;
  kindsKnown.set(here, ANY);
  const kinds = readKinds(schemas, here);
  kindsKnown.set(here, kinds);
  return kinds;
}

function readKinds(schemas: SchemaLibrary, here: Members): ReadonlySet<Kind> {
  const { type } = here;
  if (type !== undefined) return new Set([type].flat().map(kindOfType));
  const values = Array.isArray(here['enum']) ? (here['enum'] as unknown[]) : 'const' in here ? [here['const']] : undefined;
  if (values) return new Set(values.map(kindOfValue));
  for (const combine of ['oneOf', 'anyOf'] as const) {
    const branches = here[combine];
    if (Array.isArray(branches)) return new Set(branches.flatMap((branch: JsonSchema) => [...kindsOf(schemas, branch)]));
  }
  const all = Array.isArray(here['allOf']) ? (here['allOf'] as JsonSchema[]) : [];
  const said = all.map((branch) => kindsOf(schemas, branch)).find((kinds) => !kinds.has('any'));
  if (said) return said;
  if (here['properties'] !== undefined) return new Set(['object']);
  return new Set([here['items'] !== undefined || here['prefixItems'] !== undefined ? 'array' : 'any']);
}

function kindOfType(type: unknown): Kind {
  return type === 'object' || type === 'array' ? type : 'plain';
}

function kindOfValue(value: unknown): Kind {
  if (Array.isArray(value)) return 'array';
  return isMembers(value) ? 'object' : 'plain';
}

/** Whether every array and object a schema admits holds plain values only, so that a parameter style can write it. */
export function isFlat(schemas: SchemaLibrary, schema: JsonSchema): boolean {
  const here = schemas.view(schema);
  if (!isMembers(here)) return true;
  const known = flatKnown.get(here);
  if (known !== undefined) return known;
  flatKnown.set(here, true);
  const flat = readFlat(schemas, here);
  flatKnown.set(here, flat);
  return flat;
}

function readFlat(schemas: SchemaLibrary, here: Members): boolean {
  const plain = (inner: unknown): boolean =>
    inner === undefined || [...kindsOf(schemas, inner as JsonSchema)].every((k) => k === 'plain' || k === 'any');
  const all = (inner: unknown): boolean => !Array.isArray(inner) || inner.every(plain);
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((k) => (Array.isArray(here[k]) ? (here[k] as JsonSchema[]) : []));
  const properties = isMembers(here['properties']) ? Object.values(here['properties']) : [];
  return (
    plain(here['items']) &&
    plain(here['additionalProperties']) &&
    all(here['prefixItems']) &&
    properties.every(plain) &&
    branches.every((branch) => isFlat(schemas, branch))
  );
}
