import type { Ms, Spend } from '@bailing/engine/ports';
import type { Lanes } from '../lane/lanes.js';
import { pruneBucket, pruneExpiredRecords } from '../units/housekeeping.js';
import { bucketKey } from '../units/take-spends.js';

const EVERY_MS = 60_000;
const BUCKETS_MAX = 10_000;

/** Removes what no limit and no plugin can see any more, off the call path and in small steps. */
export class Sweeper {
  readonly #touched = new Map<string, Ms>();
  #timer: NodeJS.Timeout | undefined;
  #records = false;

  constructor(private readonly lanes: Lanes) {}

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  spent(spends: readonly Spend[]): void {
    for (const spend of spends) if (this.#touched.size < BUCKETS_MAX) this.#touched.set(bucketKey(spend), spend.windowMs);
  }

  recordExpires(): void {
    this.#records = true;
  }

  /** A step that fails is left for the next round: nothing depends on it. */
  async sweep(): Promise<void> {
    const buckets = [...this.#touched];
    this.#touched.clear();
    for (const [bucket, windowMs] of buckets) await this.lanes.submit(pruneBucket(bucket, windowMs)).catch(() => undefined);
    if (this.#records) await this.lanes.submit(pruneExpiredRecords()).catch(() => undefined);
  }
}
