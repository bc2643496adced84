import { statement } from './statement.js';

/** Checks claim, lease and state of the job and takes one unit of its call budget: one row or nothing. Parameters: job, claim, now, max calls. */
export const takeBudget = statement<[job: string, claim: string, now: number, maxCalls: number]>(
  'take-budget',
  `UPDATE bz_jobs SET calls_used = calls_used + 1
   WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched') AND calls_used < ?`,
);
