import type { Settled, Settlement } from '@bailing/engine/ports';
import { SIGNATURE_WINDOW_MS } from '@bailing/contract';
import { append } from '../ledger/append.js';
import { unspendAttempt } from '../statements/approval-moves.js';
import { lockJob } from '../statements/jobs-rerun.js';
import { endJobTexts } from '../statements/jobs-write.js';
import {
  anyUnresolved,
  insertSettlement,
  releaseRow,
  rowToSettle,
  settleApplied,
  settlementOf,
  settleRecorded,
  type ToSettle,
} from '../statements/reconcile.js';
import { reserveAnew } from '../statements/take-budget.js';
import { change, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { requeue } from './requeue.js';

/** After its send-by time a row may still be written by the process that sent it, for this long. */
const SETTLING_MS = 1_000;

/**
 * One commit: a verdict on an attempt nobody knew the outcome of. A row still on its way is nobody's to settle; `not_applied` waits until the
 * business itself would refuse a late send (its signature carries the attempt's time): that time + 300 s + the attempt's time limit.
 */
export function settleUnresolved(settlement: Settlement): Unit<Settled> {
  const { id, job } = settlement;
  return {
    name: 'settle-unresolved',
    key: job,
    *run(tx) {
      const [held] = yield* rows(lockJob, [job]);
      const [row] = yield* rows(rowToSettle, [id]);
      const before = row && row.job_id === job ? yield* earlier(settlement) : ({ is: 'unknown' } as const);
      if (before) return new Undo<Settled>(before);
      const refused = refusal(row as ToSettle, settlement, tx.now);
      if (refused) return new Undo<Settled>(refused);
      if (!(yield* move(tx, row as ToSettle, settlement))) return new Undo<Settled>({ is: 'unknown' });
      const { attempt, verdict, by, evidence, line } = settlement;
      const { tool, idempotency_key: idem } = row as ToSettle;
      yield* change(insertSettlement, [id, attempt, job, tool, idem, verdict, by, evidence, tx.now]);
      yield* append(tx, line);
      if (held?.status === 'error' && settlement.endsWith !== undefined) yield* change(endJobTexts, [null, settlement.endsWith, null, job]);
      return { is: 'settled', rerun: held ? yield* rerun(tx, held.status, settlement) : false };
    },
  };
}

function* earlier({ id, attempt, verdict }: Settlement): Steps<Settled | null> {
  const [before] = yield* rows(settlementOf, [id, attempt]);
  if (!before) return null;
  if (before.verdict === verdict) return { is: 'again', rerun: false };
  return { is: 'conflict', verdict: before.verdict as Settlement['verdict'], by: before.settled_by };
}

function refusal(row: ToSettle, { attempt, verdict }: Settlement, now: number): Settled | null {
  if (row.attempt !== attempt || row.state === 'completed' || row.state === 'released') return { is: 'unknown' };
  if (row.state === 'dispatching' && row.send_by + SETTLING_MS > now) return { is: 'in-flight' };
  const after = row.send_by + SIGNATURE_WINDOW_MS;
  return verdict === 'not_applied' && now < after ? { is: 'too-early', after } : null;
}

function* move(tx: Tx, row: ToSettle, { id, attempt, verdict, job, answer }: Settlement): Steps<boolean> {
  if (verdict === 'applied') {
    if ((yield* change(settleRecorded, [tx.now, id, attempt])) > 0) return true;
    const { ok, status, text } = answer;
    return (yield* change(settleApplied, [ok ? 1 : 0, status, text, tx.now, tx.now, id, attempt])) > 0;
  }
  if ((yield* change(releaseRow, [tx.now, id, attempt])) === 0) return false;
  const unspent = yield* change(unspendAttempt, [job, row.tool, row.args_hash, row.attempted_at]);
  if (unspent > 0) yield* change(reserveAnew, [job]);
  return true;
}

/** A job goes on where it had ended and nothing else of it is unknown. */
function* rerun(tx: Tx, status: string, { job, rerun: wanted, rerunLine, headStartMs }: Settlement): Steps<boolean> {
  if (!wanted || status === 'running' || status === 'dispatched') return false;
  if ((yield* rows(anyUnresolved, [job])).length > 0) return false;
  return yield* requeue(tx, job, status, headStartMs, rerunLine);
}
