/** A JSON Schema node as data. */
export type Node = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows local references, joins `allOf`, takes the first branch of a union that is not null. Anything deeper reads as "anything". */
export function resolve(node: unknown, root: Node, depth = 0): Node {
  if (!isNode(node) || depth > MAX_DEPTH) return {};
  if (typeof node.$ref === 'string') {
    const { $ref, ...beside } = node;
    return { ...resolve(pointed($ref, root), root, depth + 1), ...beside };
  }
  const union = [node.oneOf, node.anyOf].find(Array.isArray) as readonly unknown[] | undefined;
  const parts = Array.isArray(node.allOf) ? (node.allOf as readonly unknown[]) : [];
  const branch = union?.map((one) => resolve(one, root, depth + 1)).find((one) => one.type !== 'null');
  if (!branch && parts.length === 0) return node;
  return [...parts.map((part) => resolve(part, root, depth + 1)), branch ?? {}, node].reduce(merge, {});
}

function merge(a: Node, b: Node): Node {
  const required = [...stringsOf(a.required), ...stringsOf(b.required)];
  return {
    ...a,
    ...b,
    ...(isNode(a.properties) && isNode(b.properties) && { properties: { ...a.properties, ...b.properties } }),
    ...(required.length > 0 && { required }),
  };
}

function pointed(ref: string, root: Node): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (isNode(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
}

/** The type a value should have: the first that is not null. Guessed from other keywords where none is written. */
export function typeOf(node: Node): string {
  const types = Array.isArray(node.type) ? (node.type as unknown[]) : [node.type];
  const named = types.find((type) => typeof type === 'string' && type !== 'null');
  if (typeof named === 'string') return named;
  if (isNode(node.properties)) return 'object';
  if (node.items !== undefined) return 'array';
  const sample = Array.isArray(node.enum) ? (node.enum[0] as unknown) : node.const;
  if (typeof sample === 'number') return 'number';
  if (typeof sample === 'boolean') return 'boolean';
  return 'string';
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A repeated group that repeats or branches inside. */
const RUNAWAY = /\([^()]*[+*}|][^()]*\)\s*[+*{]/;

/**
 * A pattern of a schema, or undefined where it does not compile or could run away: a repeated group that repeats or branches inside.
 * Candidates are short, so what is left is quick.
 */
export function patternOf(node: Node): RegExp | undefined {
  const source = textOf(node.pattern);
  if (source === '' || source.length > 300 || RUNAWAY.test(source)) return undefined;
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
