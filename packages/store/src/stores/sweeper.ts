import type { Ms } from '@bailing/engine/ports';
import type { Reader } from '../dialects/dialect.js';
import type { Lanes } from '../lane/lanes.js';
import { anyExpiredRecord } from '../statements/records.js';
import { nextBucket } from '../statements/spends.js';
import { pruneBucket, pruneExpiredRecords } from '../units/housekeeping.js';
import { windowOfKey } from '../units/take-spends.js';

const EVERY_MS = 60_000;
/** Buckets looked at per sweep; the next sweep goes on where this one ended. */
const BUCKETS_PER_SWEEP = 50;
/** Commits spent on one bucket per sweep: enough for ten thousand spends a second. */
const STEPS_PER_BUCKET = 600;

/** Removes what no limit and no plugin can see any more, off the call path and in small steps. */
export class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #after = '';

  constructor(
    private readonly lanes: Lanes,
    private readonly reader: Reader,
    private readonly now: () => Ms,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.sweep().catch(() => undefined), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A step that fails is left for a later round: nothing depends on it. */
  async sweep(): Promise<void> {
    for (let looked = 0; looked < BUCKETS_PER_SWEEP; looked += 1) {
      const [bucket] = await this.reader.read(nextBucket, [this.#after]);
      this.#after = bucket?.bucket ?? '';
      if (!bucket) break;
      const windowMs = windowOfKey(bucket.bucket);
      if (bucket.at <= this.now() - windowMs) await this.#prune(bucket.bucket, windowMs);
    }
    for (let step = 0; step < STEPS_PER_BUCKET && (await this.reader.read(anyExpiredRecord, [this.now()])).length > 0; step += 1)
      await this.lanes.submit(pruneExpiredRecords());
  }

  async #prune(bucket: string, windowMs: Ms): Promise<void> {
    for (let step = 0; step < STEPS_PER_BUCKET; step += 1) {
      if (!(await this.lanes.submit(pruneBucket(bucket, windowMs)))) return;
    }
  }
}
