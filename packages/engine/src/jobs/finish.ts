import { deliveriesOf } from '../delivery/index.js';
import type { CallDeps } from '../calls/index.js';
import type { End, Holder, JobRow, JobStore } from '../ports/index.js';
import { cancelNow } from './cancel-now.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';

export interface FinishDeps extends RouteDeps {
  readonly jobs: Pick<JobStore, 'finish' | 'cancel' | 'cancelledBy'>;
  readonly calls: Pick<CallDeps, 'observe' | 'wakeups' | 'clock'>;
}

export type FinishedJob = 'finished' | 'requeued' | 'cancelled' | 'lost-lease';

/**
 * The one way a held job ends: its state, its audit and whatever must be sent because of it, in one commit. `requeued`: a decision came
 * meanwhile, the job runs again and nothing is sent yet. `cancelled`: somebody asked for that meanwhile, so it ended as cancelled instead.
 */
export async function finishJob(by: Holder, job: JobRow, end: End, deps: FinishDeps): Promise<FinishedJob> {
  const { outgoing, lines } = deliveriesOf(job, by.claim, end, await routeOfJob(job, deps), deps.calls.clock.now());
  const whole = { ...end, lines: [...end.lines, ...lines], outgoing };
  let finished = await deps.jobs.finish(by, whole);
  if (finished === 'cancelling') {
    if (await cancelIfAsked(job, deps)) return 'cancelled';
    // What it wrote is not known, or it is a message that was sent: that is what became of it.
    finished = await deps.jobs.finish(by, whole, true);
  }
  if (finished === 'lost-lease' || finished === 'cancelling') return 'lost-lease';
  if (finished === 'finished' && outgoing.length > 0) deps.calls.wakeups.notify('outbox');
  // The next job of its conversation may go now.
  if (typeof job.threadId === 'number') deps.calls.wakeups.notify(`jobs:${job.target}`);
  for (const written of whole.lines) deps.calls.observe(written);
  return finished;
}

/** Whether the job is over because somebody asked for its cancel while a write was on its way, which is done now. */
export async function cancelIfAsked(
  job: JobRow,
  deps: Omit<FinishDeps, 'jobs'> & { readonly jobs: Pick<JobStore, 'cancel' | 'cancelledBy'> },
) {
  const by = await deps.jobs.cancelledBy(job.id);
  if (by === null) return false;
  const { wakeups, clock, observe } = deps.calls;
  return (await cancelNow(job, by, { ...deps, wakeups, clock, observe })) === 'cancelled';
}
