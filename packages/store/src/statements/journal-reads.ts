import { listStatement, marks, statement } from './statement.js';

export interface OpenRow {
  readonly job_id: string;
  readonly tool: string;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly state: string;
  readonly scope: string;
  readonly on_behalf_of: string;
  readonly owner: string;
  readonly send_by: number;
  readonly reason: string;
}

/** Unresolved rows of some jobs, oldest first. */
export const openRowsOf = listStatement<OpenRow>(
  'open-rows-of',
  (length) => `SELECT job_id, tool, args_hash, idempotency_key, state, scope, on_behalf_of, owner, send_by, error AS reason
    FROM bz_tool_executions WHERE job_id IN (${marks(length)}) AND state <> 'completed' AND state <> 'released' ORDER BY id`,
);

/** Writes of a job that are known to have succeeded, oldest first. */
export const carriedOutOf = statement<[job: string], { readonly ok: number; readonly status: number; readonly result_text: string }>(
  'carried-out-of',
  `SELECT ok, status, result_text FROM bz_tool_executions WHERE job_id = ? AND state = 'completed' AND ok = 1 ORDER BY id LIMIT 100`,
);

export const anyCarriedOut = statement<[job: string], { readonly id: number }>(
  'any-carried-out',
  `SELECT id FROM bz_tool_executions WHERE job_id = ? AND state = 'completed' AND ok = 1 LIMIT 1`,
);

/** What was recorded under one key; the caller ignores rows that wait for their answer. */
export const recordedUnder = statement<
  [job: string, tool: string, argsHash: string],
  { readonly state: string; readonly idempotency_key: string; readonly ok: number; readonly status: number; readonly result_text: string }
>(
  'recorded-under',
  `SELECT state, idempotency_key, ok, status, result_text FROM bz_tool_executions WHERE job_id = ? AND tool = ? AND args_hash = ?`,
);
