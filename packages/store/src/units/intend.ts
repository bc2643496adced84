import type { Intent, Refused } from '@bailing/engine/ports';
import { budgetOfJob } from '../statements/budget-of-job.js';
import { holdJob } from '../statements/hold-job.js';
import { takeBudget } from '../statements/take-budget.js';
import { change, rows, type Steps, type Tx } from '../lane/unit.js';
import { pay, weigh } from './take-spends.js';

/** Dispatched failures in a row that end a tool's use in a job (WIRE §6.4). */
export const STREAK_MAX = 2;

/** Stop flags as the statement takes them: a list is never empty, and the empty flag is never set. */
export function stopList(stops: readonly string[]): readonly string[] {
  return stops.length > 0 ? stops : [''];
}

/** Lease, claim, budget and spends, all or none. Looks before it takes anything: what is refused has changed nothing. */
export function* spend(tx: Tx, intent: Intent): Steps<Refused | null> {
  const { by, maxCalls } = intent;
  const max = Math.min(maxCalls, Number.MAX_SAFE_INTEGER);
  const weighed = yield* weigh(tx, intent.spends);
  if (weighed.is === 'rate') return (yield* whyNot(tx, intent, max)) ?? weighed;
  const taken = intent.uncounted
    ? yield* change(holdJob, [tx.now, by.job, by.claim, tx.now])
    : yield* change(takeBudget, [by.job, by.claim, tx.now, max]);
  if (taken === 0) return (yield* whyNot(tx, intent, max)) ?? { is: 'lost-lease' };
  yield* pay(tx, weighed);
  return null;
}

/** Which of the job's own conditions does not hold, if any; they are named before a rate. */
function* whyNot(tx: Tx, { by, uncounted }: Intent, max: number): Steps<Refused | null> {
  const [job] = yield* rows(budgetOfJob, [by.job]);
  const held = job?.claim === by.claim && job.lease_until > tx.now && (job.status === 'running' || job.status === 'dispatched');
  if (!job || !held) return { is: 'lost-lease' };
  const used = job.calls_used + job.calls_reserved;
  return uncounted || used < max ? null : { is: 'budget', used, max };
}
