import { line } from '../audit/index.js';
import { approvalFacts, approvedNote, type ApprovalFacts } from '../approvals/index.js';
import { callApproved, type CallDeps, type CallResult, type Seat } from '../calls/index.js';
import { SEND_MESSAGE } from '../messages/index.js';
import type { Approval, End, Holder, JobRow, JobStore } from '../ports/index.js';
import { failure, reconciliation } from './ends.js';
import { sentenceOf } from './error-code.js';

export interface ApprovedDeps {
  readonly jobs: JobStore;
  readonly calls: CallDeps;
}

/** What the first step of a job left: what the brain is told, or `ended` where the job is over or waits. */
export type ApprovedStep =
  | { readonly is: 'go'; readonly note: string | null; readonly facts: ApprovalFacts | null; readonly sent: number }
  | { readonly is: 'ended'; readonly finish?: End };

/** Waits between tries of an approved call that provably did not leave. */
const NOT_SENT_WAITS_MS = [2_000, 10_000, 60_000];
const STOPPED_WAIT_MS = 1_000;

/**
 * The first step of a job that runs again: every approved call that has not run is run by the hub, one by one, in the order it was asked. What
 * cannot go now (a rate limit, a pause, a business out of reach) keeps its approval and is tried again; what is refused keeps it too, and the
 * brain is told. `headStartMs`: an executor job that has to wait is the hub's again that much earlier than an executor's.
 */
export async function runApproved(seat: Seat, job: JobRow, deps: ApprovedDeps, headStartMs = 0): Promise<ApprovedStep> {
  let sent = 0;
  for (const approval of await deps.calls.approvals.unspent(job.id)) {
    const result = await callApproved(seat, approval, deps.calls);
    // A message is not one of the calls of its job.
    if (result.sent && approval.tool !== SEND_MESSAGE) sent += 1;
    const step = afterwards(result, job, deps);
    if (step === 'go') continue;
    if (step === 'lost') return { is: 'ended' };
    if ('status' in step) return { is: 'ended', finish: step };
    await putBack(seat.by, approval, job, { ...step, ms: step.ms + headStartMs }, deps);
    return { is: 'ended' };
  }
  const facts = await approvalFacts(job.id, { approvals: deps.calls.approvals, calls: deps.calls.calls });
  return { is: 'go', note: facts && approvedNote(facts), facts, sent };
}

interface Wait {
  readonly ms: number;
  readonly counts: boolean;
  readonly reason: string;
}

function afterwards(result: CallResult, job: JobRow, deps: ApprovedDeps): 'go' | 'lost' | End | Wait {
  const { code, governance } = result;
  if (governance?.state === 'reconciliation_required')
    return reconciliation(job, governance.execution, deps.calls.clock.now(), { preflight: false });
  if (code === 'BAILING_LEASE_LOST') return 'lost';
  if (code === 'BAILING_JOB_CANCELLED') return failure(job, sentenceOf(code), deps.calls.clock.now());
  if (code === 'BAILING_RATE_LIMITED')
    return { ms: Math.max(50, result.retryInMs ?? STOPPED_WAIT_MS), counts: false, reason: 'rate_limited' };
  if (code === 'BAILING_JOURNAL_UNAVAILABLE') return { ms: STOPPED_WAIT_MS, counts: false, reason: 'journal_unavailable' };
  if (code === 'BAILING_CALL_NOT_SENT' || code === 'BAILING_CHANNEL_CHANGED') {
    const ms = NOT_SENT_WAITS_MS[job.attempts];
    return ms === undefined ? 'go' : { ms, counts: true, reason: 'not_sent' };
  }
  return 'go';
}

async function putBack(by: Holder, approval: Approval, job: JobRow, { ms, counts, reason }: Wait, deps: ApprovedDeps): Promise<void> {
  const now = deps.calls.clock.now();
  const waits = line('approved_call_waits', { job: job.id, requestId: job.requestId }, now, {
    approval_id: approval.id,
    tool: approval.tool,
    reason,
    run_after: now + ms,
  });
  if ((await deps.jobs.putBack(by, now + ms, counts, waits)) === 'queued') deps.calls.observe(waits);
}
