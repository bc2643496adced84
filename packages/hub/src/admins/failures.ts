import { createHash } from 'node:crypto';
import { BailingError, type Clock, type Records } from '@bailing/plugin-api';

/** WIRE §1.5: five failures of one name from one address in ten minutes; more of one name, or from one address, are refused as well. */
const WINDOW_MS = 600_000;
const LIMITS = { pair: 5, account: 20, address: 100 } as const;
/** Requests that count at once look again this often; who does not get through is one too many. */
const ROUNDS = 12;

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

  /** Counts an attempt before it is looked at, so that attempts at once cannot slip through together. @throws BAILING_LOGIN_THROTTLED */
  async begin(username: string, address: string): Promise<void> {
    for (const [bucket, limit] of bucketsOf(username, address)) {
      if (!(await this.move(bucket, 1, limit)))
        throw new BailingError('BAILING_LOGIN_THROTTLED', { detail: 'Too many failed logins within ten minutes.' });
    }
  }

  /** It was no failure after all. */
  async forgive(username: string, address: string): Promise<void> {
    const [pair, account, from] = bucketsOf(username, address);
    for (const one of [pair, account]) if (one) await this.records.drop(one[0]);
    if (from) await this.move(from[0], -1, from[1]);
  }

  private async move(bucket: string, by: number, limit: number): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const now = this.clock.now();
      const kept = await this.records.get(bucket);
      const count: Count = kept ? (JSON.parse(kept.value) as Count) : { n: 0, until: now + WINDOW_MS };
      if (by > 0 && count.n >= limit) return false;
      const next = { n: Math.max(0, count.n + by), until: count.until };
      const options = { ifRev: kept?.rev ?? 0, ttlMs: Math.max(1, count.until - now) };
      if ((await this.records.put(bucket, JSON.stringify(next), options)) !== 'moved') return true;
    }
    return false;
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
