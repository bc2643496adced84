import type { ApprovalStore, Question } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { insertApproval, latestApproval } from '../statements/approvals.js';
import { endApproval } from '../statements/approval-moves.js';
import { budgetOfJob } from '../statements/budget-of-job.js';
import { holdJob } from '../statements/hold-job.js';
import { giveBackReserved, reserveBudget } from '../statements/take-budget.js';
import { change, insert, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { putOutgoing } from './outbox-put.js';

export type Asked = Awaited<ReturnType<ApprovalStore['open']>>;

/**
 * One commit: the frozen question, what tells its approver, one reserved unit of the call budget, and its line. The held job row makes it the only
 * open question about this call.
 */
export function openApproval(question: Question): Unit<Asked> {
  const { by, key, line, notify } = question;
  return {
    name: 'open-approval',
    key: by.job,
    *run(tx) {
      if ((yield* change(holdJob, [tx.now, by.job, by.claim, tx.now])) === 0) return new Undo<Asked>({ is: 'lost-lease' });
      if (question.supersedes) yield* supersede(tx, by.job, question.supersedes);
      const [before] = yield* rows(latestApproval, [key.job, key.tool, key.argsHash]);
      if (before?.status === 'denied') return new Undo<Asked>({ is: 'denied-before', id: before.id });
      const open = before?.status === 'pending' || (before?.status === 'approved' && before.used_at === null);
      if (before && open) return new Undo<Asked>({ is: 'already-open', id: before.id });
      const refused = yield* reserve(tx, question);
      if (refused) return new Undo<Asked>(refused);
      const id = yield* ask(tx, question);
      if (notify) yield* putOutgoing(tx, { ...notify, ref: String(id), dedupe: `${notify.dedupe}${String(id)}` });
      yield* append(tx, withApproval(line, id));
      return { is: 'opened', id };
    },
  };
}

function* reserve(tx: Tx, { by, maxCalls }: Question): Steps<Asked | null> {
  const max = maxCalls ?? Number.MAX_SAFE_INTEGER;
  if ((yield* change(reserveBudget, [tx.now, by.job, by.claim, tx.now, max])) > 0) return null;
  const [job] = yield* rows(budgetOfJob, [by.job]);
  return { is: 'budget', used: (job?.calls_used ?? 0) + (job?.calls_reserved ?? 0), max };
}

/** The earlier approval gives its unit back; the new question reserves one of its own. */
function* supersede(tx: Tx, job: string, { id, line }: NonNullable<Question['supersedes']>): Steps<void> {
  if ((yield* change(endApproval, ['void', 'new_hold', id])) === 0) return;
  yield* change(giveBackReserved, [job]);
  yield* append(tx, line);
}

function* ask(tx: Tx, question: Question): Steps<number> {
  const { key, requestId, provider, scope, risk, policy, reason, method, path, summary, args, frozen, subject, fingerprint } = question;
  const what = [key.job, requestId, provider, key.tool, scope, risk, policy, reason, method, path, summary] as const;
  return yield* insert(insertApproval, [
    ...what,
    args,
    key.argsHash,
    key.idem,
    frozen,
    subject,
    fingerprint,
    question.expiresAt ?? null,
    tx.now,
  ]);
}

/** The line was made before the row had its number. */
function withApproval(line: Question['line'], id: number): Question['line'] {
  return { ...line, detail: JSON.stringify({ approval_id: id, ...(JSON.parse(line.detail) as object) }) };
}
