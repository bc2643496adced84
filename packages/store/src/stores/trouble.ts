import type { Ms, StoreHealth } from '@bailing/engine/ports';
import { isFull } from '../dialects/fault.js';

/** How long a finding counts before a write is tried again to see whether it still holds. */
const LOOK_AGAIN_MS = 2_000;

/** What keeps a database that answers from taking anything: known from the last commit, forgotten with the next one that works. */
export class Trouble {
  #since: Ms | null = null;
  #looked = 0;

  failed(error: unknown, now: Ms): void {
    if (isFull(error)) this.#since ??= now;
  }

  worked(): void {
    this.#since = null;
  }

  /** Why nothing can be written; tries `write` where the last word is old, because a hub nobody uses commits nothing by itself. */
  async why(now: Ms, write: () => Promise<unknown>): Promise<StoreHealth['reason'] | undefined> {
    if (this.#since === null) return undefined;
    if (now - this.#looked >= LOOK_AGAIN_MS) {
      this.#looked = now;
      await write().catch(() => undefined);
    }
    return this.#since === null ? undefined : 'full';
  }
}
