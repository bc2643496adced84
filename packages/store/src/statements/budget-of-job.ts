import { statement } from './statement.js';

export interface BudgetRow {
  readonly claim: string | null;
  readonly lease_until: number;
  readonly status: string;
  readonly calls_used: number;
  readonly calls_reserved: number;
}

/** Tells, after `take-budget` moved no row, which of its conditions did not hold. */
export const budgetOfJob = statement<[job: string], BudgetRow>(
  'budget-of-job',
  'SELECT claim, lease_until, status, calls_used, calls_reserved FROM bz_jobs WHERE id = ?',
);
