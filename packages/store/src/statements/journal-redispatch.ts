import { statement } from './statement.js';

/** A recorded 429 or 503, or a released row, goes out again under its key (WIRE §8.1, §8.3). The old answer stays in the row until a new one replaces it. */
export const redispatchIntent = statement<
  [owner: string, sendBy: number, attemptedAt: number, updatedAt: number, digest: string, fingerprint: string, id: number, attempt: number]
>(
  'redispatch-intent',
  `UPDATE bz_tool_executions SET state = 'dispatching', attempt = attempt + 1, owner = ?, send_by = ?, attempted_at = ?, updated_at = ?,
     request_digest = ?, fingerprint = ?, error = '', probes = 0, probe_at = NULL, evidence = NULL
   WHERE id = ? AND attempt = ? AND state IN ('completed', 'released')`,
);
