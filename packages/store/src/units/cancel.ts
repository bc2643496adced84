import { cancelFlag } from '@bailing/contract';
import type { End } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { voidOfJob } from '../statements/approval-moves.js';
import { anyCarriedOut } from '../statements/journal-reads.js';
import { cancelJob, lockJob, setJobError } from '../statements/jobs-rerun.js';
import { anyUnresolved } from '../statements/reconcile.js';
import { forgetRound } from '../statements/rounds.js';
import { clearStop, setStop, stopIsSet } from '../statements/stops.js';
import { change, rows, Undo, type Unit } from '../lane/unit.js';
import { putOutgoing } from './outbox-put.js';
import { withPrevious } from './requeue.js';

type Cancelled = 'cancelled' | 'ended' | 'writing' | 'unknown';

/**
 * One commit: a job that has not ended is over, whoever holds it. Its holder loses the claim, so its next call is refused; while a write has no
 * recorded outcome, a flag says that it is being cancelled, until it ends; where `isOneWrite`, nothing is cancelled once that write has succeeded.
 * Questions nobody has used become void.
 */
export function cancel(job: string, end: End, isOneWrite: boolean, by: string): Unit<Cancelled> {
  return {
    name: 'cancel',
    key: job,
    *run(tx) {
      const [held] = yield* rows(lockJob, [job]);
      if (!held) return new Undo<Cancelled>('unknown');
      if (['done', 'error', 'rejected'].includes(held.status)) return new Undo<Cancelled>('ended');
      if ((yield* rows(anyUnresolved, [job])).length > 0) {
        if ((yield* rows(stopIsSet, [cancelFlag(job)])).length > 0) return new Undo<Cancelled>('writing');
        yield* change(setStop, [cancelFlag(job), by, tx.now]);
        return 'writing';
      }
      if (isOneWrite && (yield* rows(anyCarriedOut, [job])).length > 0) return new Undo<Cancelled>('writing');
      yield* change(cancelJob, [end.status, tx.now, job]);
      yield* change(setJobError, [end.error, job]);
      yield* change(clearStop, [cancelFlag(job)]);
      yield* change(forgetRound, [job]);
      yield* change(voidOfJob, ['job_cancelled', job]);
      for (const one of end.outgoing ?? []) yield* putOutgoing(tx, one);
      for (const line of end.lines) yield* append(tx, withPrevious(line, held.status));
      return 'cancelled';
    },
  };
}
