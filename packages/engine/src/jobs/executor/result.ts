import { BailingError } from '@bailing/plugin-api';
import { line } from '../../audit/index.js';
import { executionOf } from '../../calls/index.js';
import type { End, Holder, Holding, JobRow } from '../../ports/index.js';
import { finishJob } from '../finish.js';
import { finishedLine, reconciliation } from '../ends.js';
import { orphaned } from '../orphans.js';
import { executorKey, mayServe, type ExecutorCaller, type ExecutorDeps } from './deps.js';
import { extendHeld } from './extend-held.js';
import { withoutSecrets } from './unsecret.js';

export async function heartbeat(caller: ExecutorCaller, executorId: string, deps: ExecutorDeps): Promise<void> {
  const executor = executorKey(caller, executorId);
  deps.presence.seen(executor);
  await extendHeld(executor, deps);
}

/** WIRE §3.6. `output` becomes the job's result as it is. */
export interface ResultReport {
  readonly job_id: string;
  readonly ok: boolean;
  readonly output: unknown;
  readonly usage?: unknown;
  readonly error?: string;
  readonly claim_token?: string;
}

export type Reported =
  { readonly is: 'finished' } | { readonly is: 'retried' } | { readonly is: 'ignored'; readonly status: string; readonly note: string };

const NOTE = {
  over: 'the job is not dispatched any more; this report was ignored',
  stale: 'another claim holds the job; this report was ignored',
};

/**
 * An executor's report. Before a success is believed, unresolved writes are looked for: a job with one ends as reconciliation, with the
 * report's members beside it.
 * @throws BailingError 404 for an unknown job, 403 where the token may not work on its target, 400 without the claim token that was issued
 */
export async function report(caller: ExecutorCaller, body: ResultReport, deps: ExecutorDeps): Promise<Reported> {
  const held = await deps.jobs.holding(body.job_id);
  if (!held) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  if (!mayServe(caller, held.job.target))
    throw new BailingError('BAILING_REQUEST_FORBIDDEN', { detail: 'This token may not work on the target of the job.' });
  if (held.job.status !== 'dispatched' || held.claim === null) return { is: 'ignored', status: held.job.status, note: NOTE.over };
  if (body.claim_token === undefined)
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'claim_token', detail: 'Send the claim token that came with the job.' });
  if (body.claim_token !== held.claim) return { is: 'ignored', status: held.job.status, note: NOTE.stale };
  if (body.ok && body.output !== undefined && body.output !== null && (typeof body.output !== 'object' || Array.isArray(body.output))) {
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'output', detail: 'The output is one JSON object, such as {"text":"…"}.' });
  }
  await inFlightSettled(body.job_id, deps);
  const clean = withoutSecrets(body, { claim: held.claim, serverToken: deps.serverToken }, deps.blank);
  return settleReport(held, { job: held.job.id, claim: held.claim, replica: deps.replica }, clean, deps);
}

const LOOK_EVERY_MS = 50;

/** A write still on its way is waited for: its outcome is about to be known, and a job is not called unknown before its time. */
async function inFlightSettled(job: string, deps: ExecutorDeps): Promise<void> {
  for (;;) {
    const open = await deps.calls.calls.unresolved(job);
    if (open.length === 0 || orphaned(open, deps.clock.now())) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function settleReport({ job }: Holding, by: Holder, body: ResultReport, deps: ExecutorDeps): Promise<Reported> {
  const now = deps.clock.now();
  const open = await deps.calls.calls.unresolved(job.id);
  if (open[0]) {
    const row = orphaned(open, now) ?? open[0];
    return finish(by, job, withReport(reconciliation(job, executionOf(row), now, { preflight: false }), body), deps);
  }
  if (body.ok) return finish(by, job, ended(job, 'done', body, null, now), deps);
  if (job.attempts + 1 < job.maxAttempts) {
    const detail = {
      attempt: job.attempts + 1,
      max: job.maxAttempts - 1,
      via: 'executor',
      new_session: !job.isContinue,
      error: (body.error ?? '').slice(0, 300),
    };
    const moved = await deps.jobs.putBack(by, now, true, line('retry_scheduled', { job: job.id, requestId: job.requestId }, now, detail));
    if (moved === 'queued') deps.wakeups.notify(`jobs:${job.target}`);
    return moved === 'queued' ? { is: 'retried' } : { is: 'ignored', status: 'dispatched', note: NOTE.stale };
  }
  return finish(by, job, ended(job, 'error', body, (body.error ?? 'the executor reported a failure').slice(0, 2_000), now), deps);
}

function ended(job: JobRow, status: 'done' | 'error', body: ResultReport, error: string | null, now: number): End {
  const usage = body.usage !== null && typeof body.usage === 'object' ? JSON.stringify(body.usage) : null;
  return { status, result: objectText(body.output), error, usage, lines: [finishedLine(job, status, now, error ?? undefined)] };
}

/** What the executor reported is kept beside the reconciliation, never instead of it. */
function withReport(end: End, body: ResultReport): End {
  const reported = body.output !== null && typeof body.output === 'object' && !Array.isArray(body.output) ? body.output : {};
  return { ...end, result: JSON.stringify({ ...reported, ...(JSON.parse(end.result ?? '{}') as object) }) };
}

function objectText(output: unknown): string | null {
  return output !== null && typeof output === 'object' && !Array.isArray(output) ? JSON.stringify(output) : null;
}

async function finish(by: Holder, job: JobRow, end: End, deps: ExecutorDeps): Promise<Reported> {
  const finished = await finishJob(by, job, end, deps);
  if (finished === 'cancelled') return { is: 'ignored', status: 'rejected', note: NOTE.over };
  if (finished === 'lost-lease') return { is: 'ignored', status: 'dispatched', note: NOTE.stale };
  // A decision came while the executor worked: the hub runs the approved call, then the job is claimable again.
  if (finished === 'requeued') deps.wakeups.notify('approved');
  return { is: 'finished' };
}
