import type { JsonSchema } from '@bailing/plugin-api';

type Node = Readonly<Record<string, unknown>>;

/** JSON types a parameter may have, or why its schema cannot say. `param` is a dot path through objects only (WIRE §5). */
export type TypesAt =
  { readonly ok: true; readonly types: ReadonlySet<string> } | { readonly ok: false; readonly why: 'missing_schema' | 'untyped_schema' };

export function typesAt(schema: JsonSchema, param: string): TypesAt {
  let node = deref(schema, schema);
  for (const name of param.split('.')) {
    const properties = asNode(node?.properties);
    if (!properties || !Object.hasOwn(properties, name)) return { ok: false, why: 'missing_schema' };
    node = deref(properties[name], schema);
  }
  if (!node) return { ok: false, why: 'missing_schema' };
  const stated =
    typeof node.type === 'string' ? [node.type] : Array.isArray(node.type) ? node.type.filter((type) => typeof type === 'string') : [];
  if (stated.length === 0) return { ok: false, why: 'untyped_schema' };
  return { ok: true, types: new Set(node.nullable === true ? [...stated, 'null'] : stated) };
}

function asNode(value: unknown): Node | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Node) : undefined;
}

/** Follows local references, bounded: a ring of references has no type. */
function deref(value: unknown, root: JsonSchema): Node | undefined {
  let node = asNode(value);
  for (let hops = 0; node && typeof node.$ref === 'string' && hops < 32; hops++) {
    if (!node.$ref.startsWith('#/')) return undefined;
    let target: unknown = root;
    for (const part of node.$ref.slice(2).split('/')) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      const step = asNode(target);
      target = step && Object.hasOwn(step, key) ? step[key] : undefined;
    }
    node = asNode(target);
  }
  return node && typeof node.$ref === 'string' ? undefined : node;
}
