/** A stored time as the wire shows it: ISO-8601, UTC. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
