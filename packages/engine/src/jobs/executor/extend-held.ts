import { LEASE_MS, MAX_DISPATCHED_MS, type ExecutorDeps } from './deps.js';

/**
 * What an executor has in its hands stays its own for another lease (WIRE §3.1, §3.5), but nothing that was dispatched longer ago than two hours, and
 * nothing that never reached it: that is handed out again once its first lease is over.
 */
export async function extendHeld(executor: string, { jobs, clock }: Pick<ExecutorDeps, 'jobs' | 'clock'>): Promise<void> {
  await jobs.extend(executor, LEASE_MS, clock.now() - MAX_DISPATCHED_MS);
}
