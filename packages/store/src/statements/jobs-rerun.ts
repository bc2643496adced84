import { listStatement, marks, statement } from './statement.js';
import type { CandidateRow } from './jobs-queued.js';

/**
 * The row every decision about a job's future goes through, locked where the database has more than one writer: a decision and the end of the
 * job never pass each other unseen. Job before approval, everywhere.
 */
export const lockJob = statement<[job: string], { readonly status: string; readonly rerun: number }>('lock-job', {
  sqlite: 'SELECT status, rerun FROM bz_jobs WHERE id = ?',
  mysql: 'SELECT status, rerun FROM bz_jobs WHERE id = ? FOR UPDATE',
});

/** An ended or waiting job is queued (again); `rerun = 2` says that the hub runs its approved calls before executors get it. */
export const requeueEnded = statement<[runAfter: number, updatedAt: number, job: string]>(
  'requeue-ended',
  `UPDATE bz_jobs SET status = 'queued', rerun = 2, attempts = 0, claim = NULL, replica = NULL, executor = NULL, dispatched_at = NULL,
     lease_until = 0, run_after = ?, updated_at = ?
   WHERE id = ? AND status IN ('queued', 'done', 'error', 'rejected')`,
);

/** What ran again is delivered, also where its first end was not to be (WIRE §9.5). */
export const clearJobError = statement<[job: string]>('clear-job-error', {
  sqlite: `UPDATE bz_job_texts SET error = NULL,
     metadata = CASE WHEN metadata LIKE '%"no_delivery"%' THEN json_remove(metadata, '$.no_delivery') ELSE metadata END WHERE job_id = ?`,
  // What MySQL's JSON functions answer has a collation of its own, which mixes with no column's.
  mysql: `UPDATE bz_job_texts SET error = NULL,
     metadata = CASE WHEN metadata LIKE '%"no_delivery"%' THEN CONVERT(JSON_REMOVE(metadata, '$.no_delivery') USING utf8mb4) COLLATE utf8mb4_bin
       ELSE metadata END WHERE job_id = ?`,
});

/** Whoever holds the job holds it no longer; what its questions had reserved is free. */
export const cancelJob = statement<[status: string, updatedAt: number, job: string]>(
  'cancel-job',
  `UPDATE bz_jobs SET status = ?, rerun = 0, calls_reserved = 0, claim = NULL, replica = NULL, executor = NULL, dispatched_at = NULL,
     lease_until = 0, updated_at = ?
   WHERE id = ? AND status IN ('queued', 'running', 'dispatched')`,
);

export const setJobError = statement<[error: string | null, job: string]>(
  'set-job-error',
  'UPDATE bz_job_texts SET error = ? WHERE job_id = ?',
);

/** A job that is being worked on: it looks for unspent approvals when it ends. */
export const markForRerun = statement<[updatedAt: number, job: string]>(
  'mark-for-rerun',
  `UPDATE bz_jobs SET rerun = 1, updated_at = ? WHERE id = ? AND status IN ('running', 'dispatched')`,
);

/** The end of a marked job: queued again, or over, by the claim that holds it. */
export const endMarked = statement<[status: string, rerun: number, runAfter: number, updatedAt: number, job: string, claim: string]>(
  'end-marked',
  `UPDATE bz_jobs SET status = ?, rerun = ?, run_after = ?, claim = NULL, executor = NULL, dispatched_at = NULL, lease_until = 0, updated_at = ?
   WHERE id = ? AND claim = ? AND rerun = 1 AND status IN ('running', 'dispatched')`,
);

/** Executor jobs whose approved calls the hub runs first. Parameters: now plus head start, targets …, limit. */
export const approvedCandidates = listStatement<CandidateRow>('approved-candidates', (length) => {
  const select = `SELECT id, created_at FROM bz_jobs WHERE status = 'queued' AND rerun = 2 AND run_after <= ? AND target IN (${marks(length)})
    ORDER BY created_at LIMIT ?`;
  return { sqlite: select, mysql: `${select} FOR UPDATE SKIP LOCKED` };
});

/** Whether there are any, asked outside any transaction. */
export const anyApproved = listStatement<{ readonly id: string }>(
  'any-approved',
  (length) => `SELECT id FROM bz_jobs WHERE status = 'queued' AND rerun = 2 AND run_after <= ? AND target IN (${marks(length)}) LIMIT 1`,
);

export const handBackJob = statement<[runAfter: number, updatedAt: number, id: string, claim: string]>(
  'hand-back-job',
  `UPDATE bz_jobs SET status = 'queued', rerun = CASE WHEN rerun = 1 THEN 1 ELSE 0 END, claim = NULL, replica = NULL, executor = NULL,
     dispatched_at = NULL, lease_until = 0, run_after = ?, updated_at = ?
   WHERE id = ? AND claim = ? AND status IN ('running', 'dispatched')`,
);
