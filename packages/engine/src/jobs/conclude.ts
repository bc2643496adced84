import { line } from '../audit/index.js';
import type { LoopEnd } from '../brain/index.js';
import { executionOf } from '../calls/index.js';
import type { End, Holder, JobRow, Open } from '../ports/index.js';
import type { AdvanceDeps } from './advance.js';
import { endOf, failure, journalUnavailable, reconciliation } from './ends.js';
import { sentenceOf } from './error-code.js';
import { orphaned } from './orphans.js';

/** How a job ends after its brain has worked; null where it does not end here, because another worker goes on with it. */
export async function conclude(by: Holder, job: JobRow, end: LoopEnd, deps: AdvanceDeps): Promise<End | null> {
  if (end.is === 'lost-lease') return letGo(by, job, deps);
  if (end.is === 'cancelled') return failure(job, sentenceOf('BAILING_JOB_CANCELLED'), deps.clock.now());
  if (end.is === 'journal-unavailable') return withoutJournal(job, end.reason, deps);
  return endOf(job, end, deps.clock.now());
}

/** What was refused for the lost lease was refused to this worker, not to the job. Still held, it is queued again at once; else it is taken already. */
async function letGo(by: Holder, job: JobRow, deps: AdvanceDeps): Promise<null> {
  const now = deps.clock.now();
  const released = line('job_released', { job: job.id, requestId: job.requestId }, now, { reason: 'lease_lost' });
  if ((await deps.jobs.putBack(by, now, false, released)) === 'queued') deps.calls.wakeups.notify(`jobs:${job.target}`);
  return null;
}

/** A commit whose answer was lost may have written the row all the same: such a job is unresolved, not merely without a journal. */
async function withoutJournal(job: JobRow, reason: string, deps: AdvanceDeps): Promise<End> {
  const now = deps.clock.now();
  const open = await deps.calls.calls.unresolved(job.id).catch((): readonly Open[] => []);
  const row = orphaned(open, now) ?? open[0];
  return row ? reconciliation(job, executionOf(row), now, { preflight: false }) : journalUnavailable(job, reason, now);
}
