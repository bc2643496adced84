import type { Intended } from '../ticket.js';

const KEYS_MAX = 10_000;

interface Pending {
  /** Whether the latest outcome under way is a failure. */
  readonly failed: boolean;
  readonly written: Promise<unknown>;
}

/**
 * What this process knows about failure streaks before the database does. It saves the reset of a streak that nobody began, and keeps
 * outcomes that ride with a later commit from being missed by the next call.
 */
export class Streaks {
  #tick = 0;
  /** Failures older than this may have been forgotten. */
  #forgottenUpTo = 0;
  readonly #failedAt = new Map<string, number>();
  readonly #pending = new Map<string, Pending>();

  get tick(): number {
    return this.#tick;
  }

  /** Call when a failure is about to be written. */
  failed(job: string, tool: string): void {
    this.#tick += 1;
    if (this.#failedAt.size >= KEYS_MAX) {
      this.#failedAt.clear();
      this.#forgottenUpTo = this.#tick;
    }
    this.#failedAt.set(keyOf(job, tool), this.#tick);
  }

  /** Whether a success has to reset a streak: there was one when the call was intended, or it began since. */
  mustClear({ job, tool, streak, tick }: Intended): boolean {
    return streak > 0 || (this.#failedAt.get(keyOf(job, tool)) ?? this.#forgottenUpTo) > tick;
  }

  /** Notes an outcome that is on its way to the database. */
  pend(job: string, tool: string, failed: boolean, written: Promise<unknown>): void {
    const key = keyOf(job, tool);
    const pending = { failed, written };
    this.#pending.set(key, pending);
    void written.then(() => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    });
  }

  /** The latest outcome under way; units of one job are written in order, so it is written last. */
  pending(job: string, tool: string): Pending | undefined {
    return this.#pending.get(keyOf(job, tool));
  }
}

function keyOf(job: string, tool: string): string {
  return `${job}\n${tool}`;
}
