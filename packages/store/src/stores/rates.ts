import type { RateStore, Spend } from '@bailing/engine/ports';
import { lookAtWindows } from '../statements/spends.js';
import { LIST_MAX, padded } from '../statements/statement.js';
import { takeRates } from '../units/take-rates.js';
import { bucketKey } from '../units/take-spends.js';
import { type House, read } from './house.js';

export class SqlRateStore implements RateStore {
  constructor(private readonly house: House) {}

  async take(spends: readonly Spend[]): ReturnType<RateStore['take']> {
    return spends.length === 0 ? { is: 'taken' } : await this.house.lanes.submit(takeRates(spends));
  }

  async look(spends: readonly Spend[]): Promise<readonly number[]> {
    const used = new Map<string, number>();
    const now = this.house.now();
    for (let from = 0; from < spends.length; from += LIST_MAX) {
      const some = spends.slice(from, from + LIST_MAX);
      const params = padded(some).flatMap((spend) => [...Array<string>(4).fill(bucketKey(spend)), now - spend.windowMs]);
      for (const row of await read(this.house, lookAtWindows.of(some.length), params))
        used.set(row.bucket, row.base === null ? 0 : (row.last_cum ?? 0) - row.base);
    }
    return spends.map((spend) => used.get(bucketKey(spend)) ?? 0);
  }
}
