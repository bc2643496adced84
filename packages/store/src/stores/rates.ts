import type { RateStore, Spend } from '@bailing/engine/ports';
import { takeRates } from '../units/take-rates.js';
import type { House } from './house.js';

export class SqlRateStore implements RateStore {
  constructor(private readonly house: House) {}

  async take(spends: readonly Spend[]): ReturnType<RateStore['take']> {
    return spends.length === 0 ? { is: 'taken' } : await this.house.lanes.submit(takeRates(spends));
  }
}
