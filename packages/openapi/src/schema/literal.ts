const MAX_LITERAL_NODES = 5_000;

/** Whether a value of `enum`, `const`, `default` or `examples` is JSON of a sensible size: YAML also knows `.nan` and shared nodes. */
export function isPlainJson(value: unknown): boolean {
  let left = MAX_LITERAL_NODES;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const one = stack.pop();
    if (left-- <= 0) return false;
    if (typeof one === 'number' && !Number.isFinite(one)) return false;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one) as unknown[]) stack.push(inner);
  }
  return true;
}
