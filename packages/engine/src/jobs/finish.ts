import { deliveriesOf } from '../delivery/index.js';
import type { CallDeps } from '../calls/index.js';
import type { End, Holder, JobRow, JobStore } from '../ports/index.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';

export interface FinishDeps extends RouteDeps {
  readonly jobs: Pick<JobStore, 'finish'>;
  readonly calls: Pick<CallDeps, 'observe' | 'wakeups' | 'clock'>;
}

/**
 * The one way a held job ends: its state, its audit and whatever must be sent because of it, in one commit. `requeued`: a decision came
 * meanwhile, the job runs again and nothing is sent yet.
 */
export async function finishJob(by: Holder, job: JobRow, end: End, deps: FinishDeps): Promise<'finished' | 'requeued' | 'lost-lease'> {
  const { outgoing, lines } = deliveriesOf(job, by.claim, end, await routeOfJob(job, deps), deps.calls.clock.now());
  const whole = { ...end, lines: [...end.lines, ...lines], outgoing };
  const finished = await deps.jobs.finish(by, whole);
  if (finished === 'lost-lease') return finished;
  if (finished === 'finished' && outgoing.length > 0) deps.calls.wakeups.notify('outbox');
  // The next job of its conversation may go now.
  if (typeof job.threadId === 'number') deps.calls.wakeups.notify(`jobs:${job.target}`);
  for (const written of whole.lines) deps.calls.observe(written);
  return finished;
}
