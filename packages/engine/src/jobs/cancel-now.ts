import { line } from '../audit/index.js';
import { deliveriesOf } from '../delivery/index.js';
import type { Clock, End, JobRow, JobStore, Line, Wakeups } from '../ports/index.js';
import { finishedLine } from './ends.js';
import { messageOfJob } from './messages/words.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';

export interface CancelNowDeps extends RouteDeps {
  readonly jobs: Pick<JobStore, 'cancel'>;
  readonly clock: Clock;
  readonly wakeups: Pick<Wakeups, 'notify'>;
  readonly observe: (line: Line) => void;
}

/** A cancelled job's `error`, and the reason word of its `rejected` line. */
export const CANCELLED = 'cancelled';

/** Ends a job as cancelled, or, while a write of it is on its way, leaves word that it ends so. */
export async function cancelNow(job: JobRow, by: string, deps: CancelNowDeps): ReturnType<JobStore['cancel']> {
  const end = await endOf(job, by, deps);
  const moved = await deps.jobs.cancel(job.id, end, messageOfJob(job) !== null, by);
  if (moved !== 'cancelled') return moved;
  for (const written of end.lines) deps.observe(written);
  for (const topic of ['outbox', `job:${job.id}`, `cancel:${job.id}`, `jobs:${job.target}`]) deps.wakeups.notify(topic);
  return moved;
}

async function endOf(job: JobRow, by: string, deps: CancelNowDeps): Promise<End> {
  const now = deps.clock.now();
  const rejected = line('rejected', { job: job.id, requestId: job.requestId }, now, { reason: CANCELLED, by });
  const end: End = {
    status: 'rejected',
    result: null,
    error: CANCELLED,
    usage: null,
    lines: [rejected, finishedLine(job, 'rejected', now)],
  };
  return { ...end, outgoing: deliveriesOf(job, `cancel-${String(now)}`, end, await routeOfJob(job, deps), now).outgoing };
}
