import { statement } from './statement.js';

/** A write's intent, before anything leaves (WIRE §8.1). Unique on (job, tool, args hash): a duplicate is a fault of kind `duplicate`. */
export const insertIntent = statement<
  [
    job: string,
    tool: string,
    argsHash: string,
    idem: string,
    scope: string,
    subject: string,
    args: string,
    digest: string,
    provider: string,
    fingerprint: string,
    owner: string,
    sendBy: number,
    attemptedAt: number,
    createdAt: number,
    updatedAt: number,
  ]
>(
  'insert-intent',
  `INSERT INTO bz_tool_executions (job_id, tool, args_hash, idempotency_key, scope, on_behalf_of, args, request_digest, provider, fingerprint,
     owner, send_by, attempted_at, created_at, updated_at, state, attempt, error)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'dispatching', 1, '')`,
);
