import { sha256Hex } from './bytes.js';

/** Where seen calls are remembered. `add` answers true only for the first of equal keys; a shared store makes it hold over processes. */
export interface ReplayStore {
  /** @param expiresAt unix milliseconds after which the key may be forgotten. */
  add(key: string, expiresAt: number): boolean | Promise<boolean>;
}

export interface ReplayGuard {
  /** True when this signature was not accepted for this job before. A throw refuses the call. */
  firstTime(signature: string, jobId: string): boolean | Promise<boolean>;
}

/** Remembers up to `limit` keys in this process; when full of living keys it refuses (throws) rather than forget. */
export class MemoryReplayStore implements ReplayStore {
  readonly #seen = new Map<string, number>();
  readonly #limit: number;
  readonly #clock: () => number;

  constructor(options: { limit?: number; clock?: () => number } = {}) {
    this.#limit = options.limit ?? 100_000;
    this.#clock = options.clock ?? Date.now;
  }

  add(key: string, expiresAt: number): boolean {
    this.#sweep();
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= this.#limit) throw new Error('The replay store is full; raise its limit or use a shared store.');
    this.#seen.set(key, expiresAt);
    return true;
  }

  /** Keys live equally long, so the oldest are first and a sweep stops at the first living one. */
  #sweep(): void {
    const now = this.#clock();
    for (const [key, expiresAt] of this.#seen) {
      if (expiresAt > now) return;
      this.#seen.delete(key);
    }
  }
}

/** A guard that remembers signature and job for twice the window (SIGNING 35). */
export function replayGuard(options: { store?: ReplayStore; windowSec?: number; clock?: () => number } = {}): ReplayGuard {
  const clock = options.clock ?? Date.now;
  const store = options.store ?? new MemoryReplayStore({ clock });
  const lifetime = 2 * (options.windowSec ?? 300) * 1000;
  return { firstTime: (signature, jobId) => store.add(sha256Hex(`${signature}\n${jobId}`), clock() + lifetime) };
}
