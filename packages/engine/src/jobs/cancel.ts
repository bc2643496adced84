import { line } from '../audit/index.js';
import { deliveriesOf } from '../delivery/index.js';
import type { CallStore, Clock, End, JobRow, JobStore, Line, Settings, StopStore, Wakeups } from '../ports/index.js';
import { finishedLine } from './ends.js';
import { messageOfJob } from './messages/words.js';

export interface CancelDeps {
  readonly jobs: Pick<JobStore, 'get' | 'cancel'>;
  readonly calls: Pick<CallStore, 'unresolved' | 'carriedOut'>;
  readonly stops: StopStore;
  readonly settings: () => Settings;
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
 * on its way is waited for. `writing`: its outcome did not come in time, or is unknown, or the job is a message that was sent; nothing was cancelled. Cancelling a cancelled job again changes nothing.
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
    const end = endOf(job, by, deps);
    const moved = (await isSent(job, deps)) ? 'writing' : await deps.jobs.cancel(id, end);
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

/**
 * A job that is one message has nothing left to stop once that was sent: it ends as sent, by whoever takes it next, and is waited for. The open row is
 * looked for first: while the stop flag stands no other follows it.
 */
async function isSent(job: JobRow, { calls }: CancelDeps): Promise<boolean> {
  if (messageOfJob(job) === null || ['done', 'error', 'rejected'].includes(job.status)) return false;
  return (await calls.unresolved(job.id)).length === 0 && (await calls.carriedOut(job.id)).length > 0;
}

function endOf(job: JobRow, by: string, deps: CancelDeps): End {
  const now = deps.clock.now();
  const rejected = line('rejected', { job: job.id, requestId: job.requestId }, now, { reason: CANCELLED, by });
  const end: End = {
    status: 'rejected',
    result: null,
    error: CANCELLED,
    usage: null,
    lines: [rejected, finishedLine(job, 'rejected', now)],
  };
  return { ...end, outgoing: deliveriesOf(job, `cancel-${String(now)}`, end, deps.settings().route(job.route), now).outgoing };
}
