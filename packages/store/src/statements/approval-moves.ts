import { statement } from './statement.js';

/** `pending` → `approved` or `denied`, while its time has not passed. A decision id used elsewhere is a fault of kind `duplicate`. */
export const decideApproval = statement<
  [status: string, decisionId: string, approver: string, comment: string, now: number, id: number, expiresAfter: number]
>(
  'decide-approval',
  `UPDATE bz_tool_approvals SET status = ?, decision_id = ?, decided_by = ?, decision_comment = ?, decided_at = ?
   WHERE id = ? AND status = 'pending' AND (expires_at IS NULL OR expires_at > ?)`,
);

export const approvalByDecision = statement<[decisionId: string], { readonly id: number }>(
  'approval-by-decision',
  'SELECT id FROM bz_tool_approvals WHERE decision_id = ?',
);

/** What an approval is now, for whoever found that it had moved. */
export const approvalState = statement<
  [id: number],
  {
    readonly job_id: string;
    readonly status: string;
    readonly decision_id: string | null;
    readonly used_at: number | null;
    readonly expires_at: number | null;
  }
>('approval-state', 'SELECT job_id, status, decision_id, used_at, expires_at FROM bz_tool_approvals WHERE id = ?');

/** Spends an approval: only for the exact call it froze, once, in time. */
export const spendApproval = statement<
  [usedAt: number, id: number, job: string, tool: string, argsHash: string, fingerprint: string, now: number]
>(
  'spend-approval',
  `UPDATE bz_tool_approvals SET used_at = ? WHERE id = ? AND job_id = ? AND tool = ? AND args_hash = ? AND fingerprint = ?
     AND status = 'approved' AND used_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);

/** An approval whose dispatch provably never left is unspent again. */
export const unspendApproval = statement<[id: number]>('unspend-approval', 'UPDATE bz_tool_approvals SET used_at = NULL WHERE id = ?');

/** The approval one attempt had spent: it carries the attempt's time. */
export const unspendAttempt = statement<[job: string, tool: string, argsHash: string, attemptedAt: number]>(
  'unspend-attempt',
  'UPDATE bz_tool_approvals SET used_at = NULL WHERE job_id = ? AND tool = ? AND args_hash = ? AND used_at = ?',
);

/** Pending or unspent → `expired` or `void`. */
export const endApproval = statement<[status: string, reason: string | null, id: number]>(
  'end-approval',
  `UPDATE bz_tool_approvals SET status = ?, void_reason = ? WHERE id = ? AND status IN ('pending', 'approved') AND used_at IS NULL`,
);

/** Everything nobody has used of a job that is over. */
export const voidOfJob = statement<[reason: string, job: string]>(
  'void-of-job',
  `UPDATE bz_tool_approvals SET status = 'void', void_reason = ? WHERE job_id = ? AND status IN ('pending', 'approved') AND used_at IS NULL`,
);

export const anyUnspent = statement<[job: string], { readonly id: number }>(
  'any-unspent',
  `SELECT id FROM bz_tool_approvals WHERE job_id = ? AND status = 'approved' AND used_at IS NULL LIMIT 1`,
);
