/** A place in a chain and what stands there. */
export interface NamedHead {
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
}

/** What the detail of a line names under a member; null where it cannot be read. */
export function namedIn(detail: string, member: 'heads' | 'cuts'): readonly NamedHead[] | null {
  let value: unknown;
  try {
    value = JSON.parse(detail);
  } catch {
    return null;
  }
  const named = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[member] : undefined;
  return Array.isArray(named) && named.every(isHead) ? named : null;
}

function isHead(value: unknown): value is NamedHead {
  if (typeof value !== 'object' || value === null) return false;
  const { writer, seq, hash } = value as Record<string, unknown>;
  return typeof writer === 'string' && typeof seq === 'number' && typeof hash === 'string';
}
