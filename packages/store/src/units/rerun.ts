import type { End, Holder, JobStatus, Line, Ms } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { anyUnspent } from '../statements/approval-moves.js';
import { endMarked, handBackJob, lockJob } from '../statements/jobs-rerun.js';
import { appliedAndGone } from '../statements/reconcile.js';
import { change, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { requeue } from './requeue.js';

/**
 * The end of a job that a decision has marked: queued again where an approved call has not run, else over. Null where the job is not marked
 * or not held under this claim.
 */
export function* endOfMarked(tx: Tx, by: Holder, end: End): Steps<'finished' | 'requeued' | null> {
  const [job] = yield* rows(lockJob, [by.job]);
  if (job?.rerun !== 1) return null;
  const again = end.status !== 'rejected' && (yield* rows(anyUnspent, [by.job])).length > 0;
  const [status, rerun] = again ? (['queued', 2] as const) : ([end.status, 0] as const);
  const moved = yield* change(endMarked, [status, rerun, tx.now, tx.now, by.job, by.claim]);
  return moved === 0 ? null : again ? 'requeued' : 'finished';
}

/**
 * One commit: a person queues an ended job again. A job that is one act has ends that stay: the journal, which would answer for what was done, is
 * kept for some days only, while the end and the verdicts of people are kept.
 */
export function rerunJob(
  job: string,
  headStartMs: Ms,
  line: Line,
  staying: readonly JobStatus[],
): Unit<'queued' | 'in-flight' | 'stays' | 'unknown'> {
  return {
    name: 'rerun',
    key: job,
    *run(tx) {
      const [held] = yield* rows(lockJob, [job]);
      if (!held) return new Undo<'unknown'>('unknown');
      if (staying.includes(held.status as JobStatus)) return new Undo<'stays'>('stays');
      if (staying.length > 0 && (yield* rows(appliedAndGone, [job])).length > 0) return new Undo<'stays'>('stays');
      const over = held.status === 'done' || held.status === 'error' || held.status === 'rejected';
      if (!over || !(yield* requeue(tx, job, held.status, headStartMs, line))) return new Undo<'in-flight'>('in-flight');
      return 'queued';
    },
  };
}

/** One commit: the approved calls of a held executor job have been seen to; executors may have it now. */
export function handBack(by: Holder, line: Line): Unit<'queued' | 'lost-lease'> {
  return {
    name: 'hand-back',
    key: by.job,
    *run(tx) {
      if ((yield* change(handBackJob, [tx.now, tx.now, by.job, by.claim])) === 0) return new Undo<'lost-lease'>('lost-lease');
      yield* append(tx, line);
      return 'queued';
    },
  };
}
