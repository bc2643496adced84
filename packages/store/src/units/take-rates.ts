import type { Spend } from '@bailing/engine/ports';
import { Undo, type Unit } from '../lane/unit.js';
import { hotKeys, type RateRefusal, takeSpends } from './take-spends.js';

/** One commit of spends alone, for limits that belong to no call. */
export function takeRates(spends: readonly Spend[]): Unit<{ readonly is: 'taken' } | RateRefusal> {
  const hot = hotKeys(spends);
  return {
    name: 'take-rates',
    key: hot[0] ?? '-',
    hot,
    *run(tx) {
      const refused = yield* takeSpends(tx, spends);
      return refused ? new Undo<{ readonly is: 'taken' } | RateRefusal>(refused) : { is: 'taken' };
    },
  };
}
