import { createHash } from 'node:crypto';
import { LoginThrottled } from '@bailing/http';
import type { Clock, Records } from '@bailing/plugin-api';

/** WIRE §1.5: five failures of one name from one address in ten minutes; more of one name, or from one address, are refused as well. */
const WINDOW_MS = 600_000;
const LIMITS = { pair: 5, account: 20, address: 100 } as const;
/** Requests that count at once look again this often; who does not get through is one too many. */
const ROUNDS = 12;
/** After so many at once, the next moment is as good as any. */
const BUSY_MS = 1_000;

interface Count {
  readonly n: number;
  readonly until: number;
}

/** Failed logins, counted in the store: for all hubs together, bounded by time. */
export class Failures {
  constructor(
    private readonly records: Records,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt before it is looked at, so that attempts at once cannot slip through together. @throws LoginThrottled */
  async begin(username: string, address: string): Promise<void> {
    for (const [bucket, limit] of bucketsOf(username, address)) {
      const waitMs = await this.move(bucket, 1, limit);
      if (waitMs > 0) throw new LoginThrottled('Too many failed logins within ten minutes.', Math.max(1, Math.ceil(waitMs / 1_000)));
    }
  }

  /** It was no failure after all. */
  async forgive(username: string, address: string): Promise<void> {
    const [pair, account, from] = bucketsOf(username, address);
    for (const one of [pair, account]) if (one) await this.records.drop(one[0]);
    if (from) await this.move(from[0], -1, from[1]);
  }

  /** Milliseconds until it would be counted again; 0 where it was. */
  private async move(bucket: string, by: number, limit: number): Promise<number> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const now = this.clock.now();
      const kept = await this.records.get(bucket);
      const count: Count = kept ? (JSON.parse(kept.value) as Count) : { n: 0, until: now + WINDOW_MS };
      if (by > 0 && count.n >= limit) return Math.max(1, count.until - now);
      const next = { n: Math.max(0, count.n + by), until: count.until };
      const options = { ifRev: kept?.rev ?? 0, ttlMs: Math.max(1, count.until - now) };
      if ((await this.records.put(bucket, JSON.stringify(next), options)) !== 'moved') return 0;
    }
    return BUSY_MS;
  }
}

/** Names are hashed: what was typed into the wrong field stands nowhere. */
function bucketsOf(username: string, address: string): readonly (readonly [string, number])[] {
  const key = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return [
    [key('pair', address, username), LIMITS.pair],
    [key('account', username), LIMITS.account],
    [key('address', address), LIMITS.address],
  ];
}
