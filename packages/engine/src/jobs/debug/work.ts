import { line } from '../../audit/index.js';
import { callDebug, executionOf, framed, type CallDeps, type Debugged, type Seat } from '../../calls/index.js';
import type { End, Holder, JobRow } from '../../ports/index.js';
import type { Taken } from '../advance.js';
import { failure, finishedLine, reconciliation } from '../ends.js';
import { finishJob } from '../finish.js';
import { dueAfter, orphaned } from '../orphans.js';
import type { Trade, WorkerDeps } from '../worker.js';
import { DEBUG_CLIENT, debugOfJob, type DebugAsk, type DebugMetadata } from './words.js';

/** Jobs that are one debug call: carried out once, at once, or not at all. */
export const debugCalls: Trade = { topics: [], take: (worker, deps) => deps.jobs.take(worker), work: workOn };

/** How long after it was asked for a debug call may still begin: whoever asked is gone by then, and a write nobody waits for surprises. */
export const DEBUG_BEGINS_WITHIN_MS = 15_000;

async function workOn(taken: Taken, signal: AbortSignal, deps: WorkerDeps): Promise<void> {
  const { job, by, open, recovered } = taken;
  const now = deps.clock.now();
  const kept = debugOfJob(job);
  if (!kept) return void (await finishJob(by, job, failure(job, 'BAILING_HUB_FAILED: this job holds no debug call', now), deps));
  const lost = orphaned(open, now);
  if (lost) return void (await finishJob(by, job, reconciliation(job, executionOf(lost), now, { preflight: true }), deps));
  if (open.length > 0) {
    const waits = line('job_waits_for_write', { job: job.id, requestId: job.requestId }, now, { tool: open[0]?.key.tool ?? '' });
    return void (await deps.jobs.putBack(by, dueAfter(open), false, waits));
  }
  const age = now - job.createdAt;
  const mine = kept.replica === by.replica;
  if (!mine && !recovered && age < LEFT_FOR_MS) return leaveToItsHub(taken, kept, now, deps);
  await deps.jobs.note([line('started', { job: job.id, requestId: job.requestId }, now, { target: job.target })]);
  // Whoever asked waits at the process that was asked; where that is gone, nobody does.
  const late = recovered || !mine ? 'gone' : age > DEBUG_BEGINS_WITHIN_MS ? 'busy' : undefined;
  const { args, ...ask } = kept.debug;
  const done = await callDebug(debugSeat(job, by, kept.debug, signal), { ...ask, arguments: args, ...(late && { late }) }, deps.calls);
  // Another worker goes on with it.
  if (done.result.code === 'BAILING_LEASE_LOST') return;
  await finishJob(by, job, endOf(job, done, deps.clock.now()), deps);
}

/** The process that was asked is about to take it; after that it is gone. */
const LEFT_FOR_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

async function leaveToItsHub({ job, by }: Taken, { replica }: DebugMetadata, now: number, deps: WorkerDeps): Promise<void> {
  const left = line('debug_call_left', { job: job.id, requestId: job.requestId }, now, { replica });
  await deps.jobs.putBack(by, now + LOOK_AGAIN_MS, false, left);
}

/** A job without a route and a brain; the subject is the operator's word, and written down as such. */
function debugSeat(job: Pick<JobRow, 'id' | 'requestId' | 'source'>, by: Holder, ask: DebugAsk, signal: AbortSignal): Seat {
  return {
    by,
    job: { id: job.id, requestId: job.requestId, route: '', client: DEBUG_CLIENT, source: job.source, metadata: {} },
    view: { tools: new Map(), locked: [], unavailable: [], collisions: [] },
    subjects: new Map([[ask.provider, ask.subject]]),
    signal,
  };
}

/** The bytes of a debug call, made again from what was asked: the same ones, or their digest tells that the document changed since. */
export function debugBytes(job: Pick<JobRow, 'id' | 'requestId' | 'source'>, ask: DebugAsk, deps: CallDeps) {
  const nobody = { job: job.id, claim: '', replica: '' };
  const seat = debugSeat(job, nobody, ask, new AbortController().signal);
  return framed(seat, { provider: ask.provider, tool: ask.tool, arguments: ask.args }, deps);
}

/** What the job keeps of a debug call; sent bytes are not kept, they are made again. */
export interface DebugOutcome extends Omit<Debugged, 'result'> {
  readonly ok: boolean;
  readonly status: number;
  readonly sent: boolean;
  readonly says: string;
  readonly code?: string;
}

/** It did its work where it can say what happened, whatever the business said; only an unknown outcome is an error of the job. */
function endOf(job: JobRow, { result, ...more }: Debugged, now: number): End {
  const { ok, status, sent, code, governance } = result;
  // What a business said follows its log policy; the hub's own words do not need one.
  const says = more.response ? '' : result.text;
  const debug: DebugOutcome = { ok, status, sent, says, ...(code !== undefined && { code }), ...more };
  if (governance?.state === 'reconciliation_required') {
    const end = reconciliation(job, governance.execution, now, { preflight: false });
    return { ...end, result: JSON.stringify({ ...(JSON.parse(end.result ?? '{}') as object), debug }) };
  }
  const text = says === '' ? `The business answered ${String(status)}.` : says;
  return { status: 'done', result: JSON.stringify({ text, debug }), error: null, usage: null, lines: [finishedLine(job, 'done', now)] };
}
