import type { ChainedRow } from '../statements/audit-reads.js';
import { lineHash } from './hash.js';

/** What the hash of a stored line must be, in the chain of a writer. */
export function hashOf(row: ChainedRow, writer: string): string {
  const { job_id: job, request_id: requestId, ts: at, event, title, summary, detail } = row;
  const line = { job, requestId, at, event, stage: row.stage as 'system', severity: row.severity as 'info', title, summary, detail };
  return lineHash({ writer, seq: row.seq, prev: row.prev, line });
}
