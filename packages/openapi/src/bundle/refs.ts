import { at } from '../pointer.js';
import { isMembers } from '../values.js';

/** A reference that leads out of its document. */
export interface ExternalRef {
  readonly ref: string;
  readonly pointer: string;
}

/** Members that hold values, not parts of the document: a `$ref` in them is somebody's data. */
const VALUES = new Set(['example', 'default', 'const', 'enum', 'value']);
/** Members whose members are named by the author, so that `default` in them is a name. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
  'parameters',
  'responses',
  'paths',
  'examples',
  'dependentSchemas',
]);

/** Calls `visit` for every object that holds a `$ref`, shared ones once; without recursion. */
export function eachRef(root: unknown, visit: (holder: Readonly<Record<string, unknown>>, ref: string, pointer: string) => void): void {
  const stack: { readonly node: unknown; readonly pointer: string; readonly named: boolean }[] = [
    { node: root, pointer: '', named: false },
  ];
  const seen = new Set<object>();
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, pointer, named } = top;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isMembers(node) && !named && typeof node['$ref'] === 'string') visit(node, node['$ref'], pointer);
    for (const [name, inner] of Object.entries(node)) {
      if (!named && !Array.isArray(node) && VALUES.has(name)) continue;
      stack.push({ node: inner, pointer: at(pointer, name), named: !named && !Array.isArray(node) && MAPS.has(name) && isMembers(inner) });
    }
  }
}

/** The URL of the document a reference leads to, without its fragment; undefined where it is no URL. */
export function documentUrl(ref: string, base: string): string | undefined {
  try {
    const url = new URL(ref, base);
    url.hash = '';
    return url.href;
  } catch {
    return undefined;
  }
}
