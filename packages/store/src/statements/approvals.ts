import { statement } from './statement.js';

export interface ApprovalRecord {
  readonly id: number;
  readonly job_id: string;
  readonly tool: string;
  readonly scope: string;
  readonly provider: string;
  readonly risk: string;
  readonly policy: string;
  readonly reason: string;
  readonly summary: string;
  readonly args_json: string;
  readonly args_hash: string;
  readonly on_behalf_of: string;
  readonly status: string;
  readonly created_at: number;
}

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
  `SELECT id, job_id, tool, scope, provider, risk, policy, reason, summary, args_json, args_hash, on_behalf_of, status, created_at
   FROM bz_tool_approvals WHERE job_id = ? ORDER BY id`,
);
