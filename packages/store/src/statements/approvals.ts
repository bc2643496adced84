import { statement } from './statement.js';

export interface ApprovalRecord {
  readonly id: number;
  readonly job_id: string;
  readonly request_id: string;
  readonly tool: string;
  readonly scope: string;
  readonly provider: string;
  readonly risk: string;
  readonly policy: string;
  readonly reason: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly args_json: string;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly intent: string;
  readonly on_behalf_of: string;
  readonly fingerprint: string;
  readonly status: string;
  readonly decision_id: string | null;
  readonly decided_by: string | null;
  readonly decision_comment: string | null;
  readonly decided_at: number | null;
  readonly used_at: number | null;
  readonly expires_at: number | null;
  readonly void_reason: string | null;
  readonly created_at: number;
}

const COLUMNS = `id, job_id, request_id, tool, scope, provider, risk, policy, reason, method, path, summary, args_json, args_hash, idempotency_key,
  intent, on_behalf_of, fingerprint, status, decision_id, decided_by, decision_comment, decided_at, used_at, expires_at, void_reason, created_at`;

/** The latest question about one exact call. */
export const latestApproval = statement<
  [job: string, tool: string, argsHash: string],
  { readonly id: number; readonly status: string; readonly used_at: number | null }
>(
  'latest-approval',
  'SELECT id, status, used_at FROM bz_tool_approvals WHERE job_id = ? AND tool = ? AND args_hash = ? ORDER BY id DESC LIMIT 1',
);

export const insertApproval = statement<
  [
    job: string,
    requestId: string,
    provider: string,
    tool: string,
    scope: string,
    risk: string,
    policy: string,
    reason: string,
    method: string,
    path: string,
    summary: string,
    args: string,
    argsHash: string,
    idem: string,
    intent: string,
    subject: string,
    fingerprint: string,
    expiresAt: number | null,
    createdAt: number,
  ]
>(
  'insert-approval',
  `INSERT INTO bz_tool_approvals (job_id, request_id, provider, tool, scope, risk, policy, reason, method, path, summary, args_json, args_hash,
     idempotency_key, intent, on_behalf_of, fingerprint, expires_at, created_at, status)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')`,
);

export const approvalsOfJob = statement<[job: string], ApprovalRecord>(
  'approvals-of-job',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE job_id = ? ORDER BY id`,
);

export const approvalById = statement<[id: number], ApprovalRecord>(
  'approval-by-id',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE id = ?`,
);

/** Newest first. Parameters: before id, limit. */
export const approvalsNewest = statement<[before: number, limit: number], ApprovalRecord>(
  'approvals-newest',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE id < ? ORDER BY id DESC LIMIT ?`,
);

export const approvalsByStatus = statement<[status: string, before: number, limit: number], ApprovalRecord>(
  'approvals-by-status',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?`,
);

/** Approved and unspent, in the order they were asked. */
export const unspentOfJob = statement<[job: string], ApprovalRecord>(
  'unspent-of-job',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE job_id = ? AND status = 'approved' AND used_at IS NULL ORDER BY id`,
);

/** Pending or unspent, past their stored time. Asked once per status, so that the index gives them in order. */
export const approvalsDue = statement<[status: string, before: number, limit: number], ApprovalRecord>(
  'approvals-due',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE status = ? AND expires_at <= ? AND used_at IS NULL ORDER BY expires_at LIMIT ?`,
);

export const approvalsOpenAfter = statement<[status: string, after: number, limit: number], ApprovalRecord>(
  'approvals-open-after',
  `SELECT ${COLUMNS} FROM bz_tool_approvals WHERE status = ? AND id > ? AND used_at IS NULL ORDER BY id LIMIT ?`,
);
