import type { Spend } from '@bailing/engine/ports';
import type { Unit } from '../lane/unit.js';
import { hotBuckets, type RateRefusal, takeSpends } from './take-spends.js';

/** One commit of spends alone, for limits that belong to no call. */
export function takeRates(spends: readonly Spend[]): Unit<{ readonly is: 'taken' } | RateRefusal> {
  const hot = hotBuckets(spends);
  return {
    name: 'take-rates',
    key: [...hot.keys()].join(' '),
    hot,
    *run(tx) {
      return (yield* takeSpends(tx, spends)) ?? { is: 'taken' };
    },
  };
}
