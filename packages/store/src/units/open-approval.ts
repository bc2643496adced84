import type { Question } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { insertApproval, latestApproval } from '../statements/approvals.js';
import { holdJob } from '../statements/hold-job.js';
import { change, insert, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';

export type Asked = { readonly is: 'opened' | 'already-open' | 'denied-before'; readonly id: number } | { readonly is: 'lost-lease' };

/** One commit: the frozen question and its line. The held job row makes it the only open question about this call. */
export function openApproval(question: Question): Unit<Asked> {
  const { by, key, line } = question;
  return {
    name: 'open-approval',
    key: by.job,
    *run(tx) {
      const held = yield* change(holdJob, [tx.now, by.job, by.claim, tx.now]);
      if (held === 0) return new Undo<Asked>({ is: 'lost-lease' });
      const [before] = yield* rows(latestApproval, [key.job, key.tool, key.argsHash]);
      if (before?.status === 'denied') return new Undo<Asked>({ is: 'denied-before', id: before.id });
      const open = before?.status === 'pending' || (before?.status === 'approved' && before.used_at === null);
      if (before && open) return new Undo<Asked>({ is: 'already-open', id: before.id });
      const id = yield* ask(tx, question);
      yield* append(tx, line);
      return { is: 'opened', id };
    },
  };
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
