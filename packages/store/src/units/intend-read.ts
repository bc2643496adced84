import type { Intent, Ms, Refused } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { lookBeforeRead } from '../statements/look-before-call.js';
import { padded } from '../statements/statement.js';
import { rows, type Unit } from '../lane/unit.js';
import { spend, stopList, STREAK_MAX } from './intend.js';
import { frozenBy, openOf, sortLooked } from './looked.js';
import { hotBuckets } from './take-spends.js';

export type ReadIntended = { readonly is: 'go'; readonly signAt: Ms; readonly streak: number } | Refused;

/** One commit of a governed read: freeze, stop flags, failure streak, lease, budget, spends, audit line; all or nothing. */
export function intendRead(intent: Intent): Unit<ReadIntended> {
  const { by, tool, line } = intent;
  const stops = stopList(intent.stops);
  return {
    name: 'intend-read',
    key: by.job,
    hot: hotBuckets(intent.spends),
    *run(tx) {
      const found = yield* rows(lookBeforeRead.of(stops.length), [by.job, ...padded(stops), by.job, tool]);
      const { open, stop, streak } = sortLooked(found, stops);
      const frozen = frozenBy(open, tx.now);
      if (frozen) return { is: 'frozen', row: openOf(frozen, by.job) };
      if (streak >= STREAK_MAX) return { is: 'twice-failed' };
      if (stop !== undefined) return { is: 'stopped', what: stop };
      const refused = yield* spend(tx, intent);
      if (refused) return refused;
      yield* append(tx, line, tx.now);
      return { is: 'go', signAt: tx.now, streak };
    },
  };
}
