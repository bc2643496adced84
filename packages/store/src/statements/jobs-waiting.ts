import { JOB_SELECT, type JobRecord } from './jobs-read.js';
import { listStatement, marks, statement } from './statement.js';

/** Queued jobs that have been due since before a time. Read by one replica, now and then. */
export const waitingJobs = statement<[since: number, limit: number], JobRecord>(
  'waiting-jobs',
  `${JOB_SELECT} WHERE j.status = 'queued' AND j.run_after <= ? LIMIT ?`,
);

/** By state and target, so that jobs that went well are not looked at. Read by one replica, now and then. */
export const recentFailures = listStatement<{ readonly id: string }>(
  'recent-failures',
  (length) => `SELECT id FROM bz_jobs WHERE status = 'error' AND target IN (${marks(length)}) AND created_at >= ? AND updated_at >= ?
    AND source <> 'alert' LIMIT ?`,
);

export const endWaiting = statement<[status: string, updatedAt: number, job: string, since: number]>(
  'end-waiting',
  `UPDATE bz_jobs SET status = ?, rerun = 0, calls_reserved = 0, updated_at = ? WHERE id = ? AND status = 'queued' AND run_after <= ?`,
);
