import type { JsonSchema } from '@bailing/plugin-api';
import { isMembers, own } from '../values.js';

const MAX_HOPS = 32;

/** The schemas of one revision with their references followed; the same schema always gives the same view. */
export class Views {
  readonly #known = new Map<object, JsonSchema>();
  constructor(private readonly root: JsonSchema) {}

  /** What a schema says once its `$ref` is followed. Words beside a `$ref` go before those behind it. */
  view(schema: JsonSchema): JsonSchema {
    if (!isMembers(schema) || typeof schema['$ref'] !== 'string') return schema;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    let here: JsonSchema = schema;
    for (let hops = 0; hops < MAX_HOPS && isMembers(here) && typeof here['$ref'] === 'string'; hops++) {
      const { $ref, ...beside } = here;
      const target = this.#target($ref);
      if (target === undefined) break;
      here = Object.keys(beside).length === 0 || !isMembers(target) ? target : { ...target, ...beside };
    }
    this.#known.set(schema, here);
    return here;
  }

  #target(ref: string): JsonSchema | undefined {
    const defs: unknown = isMembers(this.root) ? this.root['$defs'] : undefined;
    return isMembers(defs) && ref.startsWith('#/$defs/') ? (own(defs, ref.slice('#/$defs/'.length)) as JsonSchema | undefined) : undefined;
  }
}

/** Whether two values of two revisions say the same, references followed; circles end where a pair is met again. */
export function sameSchemas(before: Views, was: unknown, after: Views, is: unknown, met = new Map<unknown, Set<unknown>>()): boolean {
  if (was === is && typeof was !== 'object') return true;
  if (Array.isArray(was) && Array.isArray(is))
    return was.length === is.length && was.every((one, i) => sameSchemas(before, one, after, (is as readonly unknown[])[i], met));
  if (!isMembers(was) || !isMembers(is)) return was === is;
  const [a, b] = [before.view(was), after.view(is)];
  const known = met.get(a) ?? new Set();
  if (known.has(b)) return true;
  met.set(a, known.add(b));
  if (!isMembers(a) || !isMembers(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameSchemas(before, a[name], after, b[name], met))
  );
}
