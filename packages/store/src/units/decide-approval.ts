import type { ApprovalStatus, Decided, Decision } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { approvalByDecision, approvalState, decideApproval } from '../statements/approval-moves.js';
import { lockJob, markForRerun } from '../statements/jobs-rerun.js';
import { giveBackReserved } from '../statements/take-budget.js';
import { change, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { requeue } from './requeue.js';

/**
 * One commit: the decision, its line, and what follows for the job. An ended job is queued again; one that is being worked on is marked and looks
 * when it ends; a denial gives the reserved unit back. Whoever comes second is told what the first one said.
 */
export function decideOnApproval(decision: Decision): Unit<Decided> {
  const { id, job, decisionId, verdict, approver, comment, line } = decision;
  return {
    name: 'decide',
    key: job,
    *run(tx) {
      const [held] = yield* rows(lockJob, [job]);
      const moved = yield* decideOnce([verdict, decisionId, approver, comment, tx.now, id, tx.now]);
      if (moved === 0) return new Undo<Decided>(yield* why(tx, decision));
      yield* append(tx, line);
      if (verdict === 'denied') {
        yield* change(giveBackReserved, [job]);
        return { is: 'decided', rerun: 'none' };
      }
      return { is: 'decided', rerun: held ? yield* rerun(tx, held.status, decision) : 'none' };
    },
  };
}

function* decideOnce(params: Parameters<NonNullable<(typeof decideApproval)['types']>>[0]): Steps<number> {
  try {
    return yield* change(decideApproval, params);
  } catch (error) {
    if (isFault(error, 'duplicate')) return 0;
    throw error;
  }
}

function* rerun(tx: Tx, status: string, { job, rerunLine, headStartMs }: Decision): Steps<'now' | 'at-finish' | 'none'> {
  if (status === 'running' || status === 'dispatched') {
    yield* change(markForRerun, [tx.now, job]);
    return 'at-finish';
  }
  return (yield* requeue(tx, job, status, headStartMs, rerunLine)) ? 'now' : 'none';
}

function* why(tx: Tx, { id, decisionId, verdict }: Decision): Steps<Decided> {
  const [is] = yield* rows(approvalState, [id]);
  if (!is) return { is: 'unknown' };
  if (is.status === verdict && is.decision_id === decisionId) return { is: 'again' };
  const [used] = yield* rows(approvalByDecision, [decisionId]);
  if (used && used.id !== id) return { is: 'decision-id-used', approval: used.id };
  if (is.status === 'void') return { is: 'void' };
  const late = is.status === 'pending' && is.expires_at !== null && is.expires_at <= tx.now;
  if (is.status === 'expired' || late) return { is: 'expired' };
  return { is: 'conflict', status: is.status as ApprovalStatus, decisionId: is.decision_id };
}
