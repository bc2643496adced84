import { listStatement, marks } from './statement.js';

/**
 * Everything an intend commit has to know, in one read by key: unresolved rows of the job, the recorded row of the same write, stop flags
 * that are set, and the tool's failure streak. `kind` tells them apart.
 */
export interface LookRow {
  readonly kind: 'open' | 'same' | 'stop' | 'streak';
  readonly id: number;
  readonly tool: string;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly state: string;
  readonly scope: string;
  readonly on_behalf_of: string;
  readonly owner: string;
  readonly send_by: number;
  readonly attempt: number;
  readonly reason: string;
  readonly ok: number;
  readonly status: number;
  readonly result_text: string;
}

const OPEN = `SELECT 'open' AS kind, id, tool, args_hash, idempotency_key, state, scope, on_behalf_of, owner, send_by, attempt,
  error AS reason, 0 AS ok, 0 AS status, '' AS result_text
  FROM bz_tool_executions WHERE job_id = ? AND state <> 'completed' AND state <> 'released'`;
const SAME = `SELECT 'same', id, tool, args_hash, idempotency_key, state, scope, on_behalf_of, owner, send_by, attempt,
  error, ok, status, result_text
  FROM bz_tool_executions WHERE job_id = ? AND tool = ? AND args_hash = ? AND state IN ('completed', 'released')`;
const stops = (length: number): string =>
  `SELECT 'stop', 0, what, '', '', '', '', '', '', 0, 0, '', 0, 0, '' FROM bz_stops WHERE what IN (${marks(length)})`;
const STREAK = `SELECT 'streak', 0, tool, '', '', '', '', '', '', 0, streak, '', 0, 0, '' FROM bz_tool_failures WHERE job_id = ? AND tool = ?`;

/** Parameters: job · stops … · job, tool */
export const lookBeforeRead = listStatement<LookRow>('look-before-read', (length) => [OPEN, stops(length), STREAK].join('\nUNION ALL '));

/** Parameters: job · job, tool, args hash · stops … · job, tool */
export const lookBeforeWrite = listStatement<LookRow>('look-before-write', (length) =>
  [OPEN, SAME, stops(length), STREAK].join('\nUNION ALL '),
);
