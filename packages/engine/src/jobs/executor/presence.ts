import { sha256Hex } from '@bailing/contract';
import type { Clock, Log, Records } from '@bailing/plugin-api';

/** WIRE §3.1: a claim counts as a sign of life this often. */
const THROTTLE_MS = 30_000;
/** WIRE §3.5: an executor unseen for longer is not waited for any more. */
const FORGOTTEN_MS = 48 * 3_600_000;
/** Executors of which this process remembers when it wrote them down. */
const REMEMBERED = 2_000;
const TAG = 'seen';

/** An executor as it was seen last, over all replicas. */
export interface Seen {
  /** Name of its token and the id it gives itself: `workers/worker-01`. */
  readonly executor: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Writes down which executors show a sign of life, beside the claims and never in their way; forgotten after two days. */
export class Presence {
  private readonly written = new Map<string, number>();

  constructor(
    private readonly records: Records,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** A claim or a heartbeat came; true where that is worth writing down again. */
  seen(executor: string): boolean {
    const at = this.clock.now();
    if (at - (this.written.get(executor) ?? -Infinity) < THROTTLE_MS) return false;
    // The one written longest ago goes first: what is written again is put at the end.
    this.written.delete(executor);
    this.written.set(executor, at);
    const oldest = this.written.size > REMEMBERED ? this.written.keys().next() : null;
    if (oldest?.done === false) this.written.delete(oldest.value);
    const value: Seen = { executor, at };
    this.records.put(sha256Hex(executor), JSON.stringify(value), { ttlMs: FORGOTTEN_MS, tag: TAG }).catch((error: unknown) => {
      this.written.delete(executor);
      this.log.warn('an executor could not be noted as seen', { executor, error: String(error) });
    });
    return true;
  }

  /** Executors that were seen within two days, at most `max`. */
  async all(max: number): Promise<readonly Seen[]> {
    const found: Seen[] = [];
    for (let after = ''; found.length < max;) {
      const page = await this.records.byTag(TAG, after, Math.min(500, max - found.length));
      found.push(...page.map(({ value }) => JSON.parse(value) as Seen));
      const last = page.at(-1);
      if (!last || page.length < 500) break;
      after = last.key;
    }
    return found;
  }
}
