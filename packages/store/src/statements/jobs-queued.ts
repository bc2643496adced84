import { statement } from './statement.js';

export interface CandidateRow {
  readonly id: string;
  readonly created_at: number;
  readonly thread_id?: number | null;
  readonly thread_seq?: number | null;
}

/** The next owner, by name, with a job due at a target. Reads ahead of locks: what it says is looked at again. */
export const nextOwner = statement<[target: string, after: string, now: number], { readonly owner: string }>('next-owner', {
  sqlite: `SELECT owner FROM bz_jobs INDEXED BY bz_jobs_fair WHERE status = 'queued' AND target = ? AND owner > ? AND run_after <= ?
    ORDER BY owner LIMIT 1`,
  mysql: `SELECT owner FROM bz_jobs FORCE INDEX (bz_jobs_fair) WHERE status = 'queued' AND target = ? AND owner > ? AND run_after <= ?
    ORDER BY owner LIMIT 1`,
});

const QUEUED = (index: string): string => `SELECT j.id, j.created_at, j.thread_id, j.thread_seq FROM bz_jobs j ${index}
    WHERE j.status = 'queued' AND j.target = ? AND j.owner = ? AND j.run_after <= ?
    AND (j.thread_id IS NULL OR NOT EXISTS (SELECT 1 FROM bz_jobs o WHERE o.thread_id = j.thread_id
      AND o.status IN ('queued', 'running', 'dispatched') AND o.thread_seq < j.thread_seq))
    ORDER BY j.run_after, j.id LIMIT ?`;

/**
 * Queued and due of one owner, due longest first; of a thread only its oldest job that has not ended (WIRE §2.9). Other workers' candidates are
 * skipped, not waited for.
 */
export const queuedOfOwner = statement<[target: string, owner: string, now: number, limit: number], CandidateRow>('queued-of-owner', {
  sqlite: QUEUED('INDEXED BY bz_jobs_fair'),
  mysql: `${QUEUED('FORCE INDEX (bz_jobs_fair)')} FOR UPDATE SKIP LOCKED`,
});
