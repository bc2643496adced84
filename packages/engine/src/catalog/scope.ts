/** Whether a route's allow list reaches a scope: exact, `a.b.*` for everything below `a.b.`, `*` for all (WIRE §4.7). */
export function scopeAllowed(scope: string, allow: readonly string[]): boolean {
  return allow.some(
    (pattern) => pattern === '*' || pattern === scope || (pattern.endsWith('.*') && scope.startsWith(pattern.slice(0, -1))),
  );
}
