import { line } from '../audit/index.js';
import { deliveriesOf } from '../delivery/index.js';
import type { Clock, End, JobRow, JobStore, Line, StopStore, Wakeups } from '../ports/index.js';
import { finishedLine } from './ends.js';
import { messageOfJob } from './messages/words.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';

export interface CancelDeps extends RouteDeps {
  readonly jobs: Pick<JobStore, 'get' | 'cancel'>;
  readonly stops: StopStore;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly observe: (line: Line) => void;
}

/** A cancelled job's `error`, and the reason word of its `rejected` line. */
export const CANCELLED = 'cancelled';
/** How long a write on its way is waited for. */
const WRITE_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * Stops a job before its next call and never in the middle of a write: a stop flag of the job is set first, so nothing new leaves while a write
 * on its way is waited for. `writing`: its outcome did not come in time, or is unknown, or the job is a message that was sent and ends as sent; nothing
 * was cancelled. Cancelling a cancelled job again changes nothing.
 */
export async function cancelJob(
  id: string,
  by: string,
  signal: AbortSignal,
  deps: CancelDeps,
): Promise<{ readonly is: 'cancelled'; readonly job: JobRow } | { readonly is: 'ended' | 'writing' | 'unknown' }> {
  const job = await deps.jobs.get(id);
  if (!job) return { is: 'unknown' };
  const stop = `job:${id}`;
  await deps.stops.set(stop, by);
  try {
    return await cancelStopped(id, by, signal, deps);
  } finally {
    await deps.stops.clear(stop);
  }
}

async function cancelStopped(
  id: string,
  by: string,
  signal: AbortSignal,
  deps: CancelDeps,
): Promise<{ readonly is: 'cancelled'; readonly job: JobRow } | { readonly is: 'ended' | 'writing' | 'unknown' }> {
  const until = deps.clock.now() + WRITE_WAIT_MS;
  for (;;) {
    const job = await deps.jobs.get(id);
    if (!job) return { is: 'unknown' };
    if (job.status === 'rejected' && job.error === CANCELLED) return { is: 'cancelled', job };
    const end = await endOf(job, by, deps);
    const moved = await deps.jobs.cancel(id, end, messageOfJob(job) !== null);
    if (moved === 'cancelled') {
      for (const written of end.lines) deps.observe(written);
      for (const topic of ['outbox', `job:${id}`, `cancel:${id}`, `jobs:${job.target}`]) deps.wakeups.notify(topic);
      return { is: 'cancelled', job: { ...job, status: 'rejected', error: CANCELLED } };
    }
    if (moved !== 'writing') return { is: moved };
    if (signal.aborted || deps.clock.now() >= until) return { is: 'writing' };
    await deps.wakeups.wait(`job:${id}`, signal, LOOK_EVERY_MS);
  }
}

async function endOf(job: JobRow, by: string, deps: CancelDeps): Promise<End> {
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
