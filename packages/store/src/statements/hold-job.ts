import { statement } from './statement.js';

/** Fences a commit by the claim without spending anything: one row or the lease is lost. */
export const holdJob = statement<[now: number, job: string, claim: string, now: number]>(
  'hold-job',
  `UPDATE bz_jobs SET updated_at = ? WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched')`,
);
