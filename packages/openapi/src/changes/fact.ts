/** Which way a change moved what an agent may do. What cannot be judged counts as looser. */
export type Direction = 'looser' | 'tighter' | 'neutral';

/** One fact about one tool (or, with an empty `tool`, about the provider) between two revisions. */
export interface ChangeFact {
  readonly tool: string;
  readonly direction: Direction;
  /** Stable: `risk_lowered`, `enum_widened`, `approval_dropped` … */
  readonly code: string;
  /** Dot path of the argument, where the change is about one. */
  readonly param?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** A sentence for an alert. */
  readonly says: string;
}

/** Collects the facts of one tool; bounded, and a fact past the bound still says so. */
export class Facts {
  readonly list: ChangeFact[] = [];
  constructor(private readonly tool: string) {}

  add(direction: Direction, code: string, says: string, more: Partial<Pick<ChangeFact, 'param' | 'before' | 'after'>> = {}): void {
    if (this.list.length === MAX_FACTS)
      this.list.push({ tool: this.tool, direction: 'looser', code: 'more_changes', says: 'There are more changes than are listed.' });
    if (this.list.length < MAX_FACTS) this.list.push({ tool: this.tool, direction, code, ...more, says });
  }
}

const MAX_FACTS = 100;

/** Equality of JSON values whatever the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
