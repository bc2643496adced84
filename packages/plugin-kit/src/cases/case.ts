/** One sentence that every implementation of an interface must keep, and how to find out. */
export interface Case<T> {
  readonly title: string;
  /** Rejects where the sentence does not hold. `make` gives a fresh instance each time; one answer may take `patienceMs`. */
  readonly check: (make: Make<T>, patienceMs: number) => Promise<void>;
}

/** Milliseconds that one answer of a plugin may take here; hubs are stricter. */
export const PATIENCE_MS = 5_000;

export type Make<T> = () => T | Promise<T>;

/** Declares one `it` per case inside the `describe` of the caller (mocha, jest, vitest or anything that has a global `it`). */
export function declareCases<T>(cases: readonly Case<T>[], make: Make<T>): void {
  const declare = (globalThis as { it?: (title: string, run: () => Promise<void>) => unknown }).it;
  if (declare === undefined) throw new TypeError('conformance cases are declared inside a test runner that has a global "it"');
  for (const one of cases) declare(one.title, () => one.check(make, PATIENCE_MS));
}

/** The titles of the cases that do not hold; for proving that a case can fail. */
export async function failingTitles<T>(cases: readonly Case<T>[], make: Make<T>, patienceMs = PATIENCE_MS): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const one of cases) {
    await one.check(make, patienceMs).catch(() => failing.push(one.title));
  }
  return failing;
}
