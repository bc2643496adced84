import type { JsonSchema } from '@bailing/plugin-api';

type Node = Readonly<Record<string, unknown>>;

/** Dotted paths of every `writeOnly` text of an object schema. */
export function secretPaths(schema: JsonSchema, at = ''): readonly string[] {
  const properties = (schema as Node)['properties'] as Readonly<Record<string, Node>> | undefined;
  return Object.entries(properties ?? {}).flatMap(([name, child]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return child['writeOnly'] === true ? [path] : secretPaths(child, path);
  });
}

/** The value at a dotted path; undefined where the way ends before. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((node, name) => (node !== null && typeof node === 'object' ? (node as Node)[name] : undefined), value);
}

/** A copy with another value at a dotted path, or without it (`undefined`). The way to it must exist. */
export function withValueAt(value: Node, path: string, next: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  const { [name]: child, ...others } = value;
  const replaced = rest.length === 0 ? next : withValueAt((child ?? {}) as Node, rest.join('.'), next);
  // The order of members stays what it was.
  if (replaced === undefined) return others;
  return child === undefined ? { ...others, [name]: replaced } : { ...value, [name]: replaced };
}
