import type { JobRow, JobStore, Wakeups } from '../ports/index.js';
import { CANCELLED, cancelNow, type CancelNowDeps } from './cancel-now.js';

export interface CancelDeps extends CancelNowDeps {
  readonly jobs: Pick<JobStore, 'get' | 'cancel'>;
  readonly wakeups: Wakeups;
}

/** How long a write on its way is waited for. */
const WRITE_WAIT_MS = 10_000;
/** How a job ends whose write came to nobody knows what. */
const UNKNOWN_WRITE = 'tool_execution_reconciliation_required';
const LOOK_EVERY_MS = 100;

/**
 * Stops a job before its next call and never in the middle of a write. While one is on its way the request stands: nothing new leaves, and the job ends
 * as cancelled once the outcome is recorded, whether or not somebody still waits here. `writing`: the outcome did not come in time, or is unknown.
 * A message that was sent ends as sent. Cancelling a cancelled job again changes nothing.
 */
export async function cancelJob(
  id: string,
  by: string,
  signal: AbortSignal,
  deps: CancelDeps,
): Promise<{ readonly is: 'cancelled'; readonly job: JobRow } | { readonly is: 'ended' | 'writing' | 'unknown' }> {
  const until = deps.clock.now() + WRITE_WAIT_MS;
  for (let stands = false; ; stands = true) {
    const job = await deps.jobs.get(id);
    if (!job) return { is: 'unknown' };
    if (isCancelled(job)) return { is: 'cancelled', job };
    const moved = await cancelNow(job, by, deps);
    if (moved === 'cancelled') return { is: 'cancelled', job: { ...job, status: 'rejected', error: CANCELLED } };
    if (moved === 'ended') {
      const ended = await deps.jobs.get(id);
      if (ended && isCancelled(ended)) return { is: 'cancelled', job: ended };
      return { is: stands && ended?.error === UNKNOWN_WRITE ? 'writing' : 'ended' };
    }
    if (moved === 'unknown') return { is: moved };
    if (signal.aborted || deps.clock.now() >= until) return { is: 'writing' };
    await deps.wakeups.wait(`job:${id}`, signal, LOOK_EVERY_MS);
  }
}

function isCancelled({ status, error }: JobRow): boolean {
  return status === 'rejected' && error === CANCELLED;
}
