/** How far a parsed document may reach once its YAML aliases are written out. */
export interface SizeLimits {
  readonly nodes: number;
  readonly depth: number;
}

export type Measured = { readonly ok: true; readonly nodes: number } | { readonly ok: false; readonly what: 'nodes' | 'depth' };

/** Counts every node, shared ones once per place, and stops at the limit. Without recursion, so a deep document cannot end it. */
export function measure(value: unknown, limits: SizeLimits): Measured {
  const stack: { readonly items: readonly unknown[]; next: number }[] = [{ items: [value], next: 0 }];
  let nodes = 0;
  for (let top = stack[0]; top; top = stack[stack.length - 1]) {
    if (top.next >= top.items.length) {
      stack.pop();
      continue;
    }
    const node = top.items[top.next++];
    if (++nodes > limits.nodes) return { ok: false, what: 'nodes' };
    if (typeof node !== 'object' || node === null) continue;
    if (stack.length > limits.depth) return { ok: false, what: 'depth' };
    stack.push({ items: Array.isArray(node) ? (node as readonly unknown[]) : Object.values(node), next: 0 });
  }
  return { ok: true, nodes };
}
