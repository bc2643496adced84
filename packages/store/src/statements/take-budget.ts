import { statement } from './statement.js';

/** Checks claim, lease and state of the job and takes one unit of its call budget, of which open questions have reserved some: one row or nothing. Parameters: job, claim, now, max calls. */
export const takeBudget = statement<[job: string, claim: string, now: number, maxCalls: number]>(
  'take-budget',
  `UPDATE bz_jobs SET calls_used = calls_used + 1
   WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched') AND calls_used + calls_reserved < ?`,
);

/** An approved call pays with the unit its question reserved: never refused for budget, only for a lost lease. Parameters: job, claim, now. */
export const takeReserved = statement<[job: string, claim: string, now: number]>(
  'take-reserved',
  `UPDATE bz_jobs SET calls_used = calls_used + 1, calls_reserved = CASE WHEN calls_reserved > 0 THEN calls_reserved - 1 ELSE 0 END
   WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched')`,
);

/** An approved message is not counted: the unit its question held is free again. Parameters: job, claim, now. */
export const freeReserved = statement<[job: string, claim: string, now: number]>(
  'free-reserved',
  `UPDATE bz_jobs SET calls_reserved = CASE WHEN calls_reserved > 0 THEN calls_reserved - 1 ELSE 0 END
   WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched')`,
);

/** A question reserves the unit its call will need. Parameters: now, job, claim, now, max calls. */
export const reserveBudget = statement<[now: number, job: string, claim: string, leaseAfter: number, maxCalls: number]>(
  'reserve-budget',
  `UPDATE bz_jobs SET calls_reserved = calls_reserved + 1, updated_at = ?
   WHERE id = ? AND claim = ? AND lease_until > ? AND status IN ('running', 'dispatched') AND calls_used + calls_reserved < ?`,
);

/** A question that ended without its call gives its unit back. */
export const giveBackReserved = statement<[job: string]>(
  'give-back-reserved',
  'UPDATE bz_jobs SET calls_reserved = calls_reserved - 1 WHERE id = ? AND calls_reserved > 0',
);

/** A dispatch that never left takes its use back and reserves the unit again, for the approval that is unspent again. */
export const reserveAgain = statement<[job: string]>(
  'reserve-again',
  'UPDATE bz_jobs SET calls_used = calls_used - 1, calls_reserved = calls_reserved + 1 WHERE id = ? AND calls_used > 0',
);

/** An approval given back by a settlement reserves a unit anew; the lost attempt stays counted. */
export const reserveAnew = statement<[job: string]>('reserve-anew', 'UPDATE bz_jobs SET calls_reserved = calls_reserved + 1 WHERE id = ?');
