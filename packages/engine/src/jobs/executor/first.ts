import { line } from '../../audit/index.js';
import { HEAD_START_MS } from '../../approvals/index.js';
import { executionOf } from '../../calls/index.js';
import { runApproved } from '../approved.js';
import { sentenceOf } from '../error-code.js';
import { finishJob } from '../finish.js';
import { failure, reconciliation } from '../ends.js';
import type { Taken } from '../advance.js';
import { dueAfter, orphaned } from '../orphans.js';
import { routeOfJob } from '../route-of-job.js';
import { seatOf } from '../seat-of.js';
import { stampOf } from '../stamp.js';
import type { Trade, WorkerDeps } from '../worker.js';

/** Executor jobs that were queued again by a decision: the hub runs their approved calls, then hands them to whoever claims next. */
export const approvedFirst: Trade = {
  topics: ['approved'],
  take: async (worker, deps) => deps.jobs.takeApproved({ ...worker, headStartMs: HEAD_START_MS, ...(await stampOf(deps)) }),
  work: runFirst,
};

async function runFirst(taken: Taken, signal: AbortSignal, deps: WorkerDeps): Promise<void> {
  const { job, by, open } = taken;
  const now = deps.clock.now();
  const of = { job: job.id, requestId: job.requestId };
  const lost = orphaned(open, now);
  if (lost) return void (await finishJob(by, job, reconciliation(job, executionOf(lost), now, { preflight: true }), deps));
  if (open.length > 0) {
    const tool = open[0]?.key.tool ?? '';
    return void (await deps.jobs.putBack(by, dueAfter(open) + HEAD_START_MS, false, line('job_waits_for_write', of, now, { tool })));
  }
  const route = await routeOfJob(job, deps);
  if (!route) {
    await finishJob(by, job, failure(job, sentenceOf('BAILING_ROUTE_UNKNOWN'), now), deps);
    return;
  }
  const approved = await runApproved(await seatOf(taken, route, signal, deps), job, deps, HEAD_START_MS);
  if (approved.is === 'ended') {
    if (approved.finish) await finishJob(by, job, approved.finish, deps);
    return;
  }
  const noted = line('approved_calls_run', of, deps.clock.now(), { target: job.target, sent: approved.sent });
  if ((await deps.jobs.handBack(by, noted)) === 'queued') deps.wakeups.notify(`jobs:${job.target}`);
}
