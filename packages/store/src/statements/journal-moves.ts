import { statement } from './statement.js';

/**
 * `dispatching` → `completed` or `evidence_degraded`, with the answer. In WIRE §8.1 the row passes through `response_recorded`; here both
 * steps are one commit, so nobody can ever see the row between them.
 */
export const recordAnswer = statement<
  [state: string, ok: number, status: number, text: string, recordedAt: number, updatedAt: number, id: number, attempt: number]
>(
  'record-answer',
  `UPDATE bz_tool_executions SET state = ?, ok = ?, status = ?, result_text = ?, recorded_at = ?, updated_at = ?
   WHERE id = ? AND attempt = ? AND state = 'dispatching'`,
);

/** `dispatching` → `uncertain`: nobody knows, and from here on the row freezes its job. */
export const markUncertain = statement<[reason: string, updatedAt: number, id: number, attempt: number]>(
  'mark-uncertain',
  `UPDATE bz_tool_executions SET state = 'uncertain', error = ?, updated_at = ? WHERE id = ? AND attempt = ? AND state = 'dispatching'`,
);

/** A first attempt that provably never left: the row goes, the same call may be proposed again. */
export const withdrawIntent = statement<[id: number]>(
  'withdraw-intent',
  `DELETE FROM bz_tool_executions WHERE id = ? AND attempt = 1 AND state = 'dispatching'`,
);

/** A repeated attempt that provably never left: the row reads again as it did before, with the answer it had, or released where it had none. */
export const withdrawRepeat = statement<[updatedAt: number, id: number, attempt: number]>(
  'withdraw-repeat',
  `UPDATE bz_tool_executions SET state = CASE WHEN ok IS NULL THEN 'released' ELSE 'completed' END, updated_at = ?
   WHERE id = ? AND attempt = ? AND state = 'dispatching'`,
);
