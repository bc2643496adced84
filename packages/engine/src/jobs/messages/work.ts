import { idempotencyKey, sendHash } from '@bailing/contract';
import { line } from '../../audit/index.js';
import { executionOf, sendMessage, type CallResult, type Seat, type ToolExecution } from '../../calls/index.js';
import { keepHistory, SEND_MESSAGE } from '../../messages/index.js';
import type { End, JobRow } from '../../ports/index.js';
import type { Taken } from '../advance.js';
import { failure, finishedLine, reconciliation } from '../ends.js';
import { finishJob } from '../finish.js';
import { dueAfter, orphaned } from '../orphans.js';
import type { Trade, WorkerDeps } from '../worker.js';
import { DELIVERY } from '../../delivery/index.js';
import { letGo } from './advisory.js';
import { ALERT, messageOfJob, type MessageMetadata } from './words.js';

/** Jobs that are one message: sent through the exit, tried again only where provably nobody got anything. */
export const messages: Trade = { topics: [], take: (worker, deps) => deps.jobs.take(worker), work: workOn };

/** Before the next try of a message that could not be sent at all. */
const WAIT_MS = 2_000;

async function workOn(taken: Taken, signal: AbortSignal, deps: WorkerDeps): Promise<void> {
  const { job, by, open } = taken;
  const now = deps.clock.now();
  const lost = orphaned(open, now);
  const kept = messageOfJob(job);
  if (!kept) return void (await finishJob(by, job, failure(job, 'BAILING_HUB_FAILED: this job holds no message', now), deps));
  if (lost) return possiblySent(taken, kept, executionOf(lost), true, deps);
  if (open.length > 0) {
    const waits = line('job_waits_for_write', { job: job.id, requestId: job.requestId }, now, { tool: open[0]?.key.tool ?? '' });
    return void (await deps.jobs.putBack(by, dueAfter(open), false, waits));
  }
  // It was sent before somebody could say so: that is what its end says, whatever was stopped, disabled or taken away since.
  const [was] = await deps.calls.calls.carriedOut(job.id);
  if (was) {
    const threadId = await remembered(job, kept, deps);
    return finish(taken, sentEnd(job, kept, { ...was, ...(threadId !== null && { threadId }) }, now), deps);
  }
  await deps.jobs.note([line('started', { job: job.id, requestId: job.requestId }, now, { target: job.target })]);
  const result = await sendMessage(seatOf(taken, signal), kept.message.channel, { ...kept.message }, deps.calls, markerOf(job));
  await afterwards(taken, kept, result, deps);
}

/** A job without a route, a brain and a subject: it may send its one message. */
function seatOf({ job, by }: Taken, signal: AbortSignal): Seat {
  const client = job.owner === 'admin' ? '' : job.owner;
  return {
    by,
    job: { id: job.id, requestId: job.requestId, route: job.route, client, source: job.source, metadata: {} },
    view: { tools: new Map(), locked: [], unavailable: [], collisions: [] },
    subjects: new Map(),
    signal,
  };
}

async function afterwards(taken: Taken, kept: MessageMetadata, result: CallResult, deps: WorkerDeps): Promise<void> {
  const { job, by } = taken;
  const now = deps.clock.now();
  const { governance, code } = result;
  if (governance?.state === 'reconciliation_required') return possiblySent(taken, kept, governance.execution, false, deps);
  // Another worker goes on with it.
  if (code === 'BAILING_LEASE_LOST') return;
  if (result.ok) return finish(taken, sentEnd(job, kept, result, now), deps);
  if (mayTryAgain(result) && job.attempts + 1 < job.maxAttempts) {
    const detail = {
      attempt: job.attempts + 1,
      max: job.maxAttempts - 1,
      backoff_ms: WAIT_MS,
      run_after: now + WAIT_MS,
      error: result.text.slice(0, 300),
    };
    return void (await deps.jobs.putBack(
      by,
      now + WAIT_MS,
      true,
      line('retry_scheduled', { job: job.id, requestId: job.requestId }, now, detail),
    ));
  }
  await finish(taken, failedEnd(job, kept, result, now), deps);
}

/** Nobody got anything, and another time may do: the channel said so, or the attempt did not leave the hub. */
function mayTryAgain({ status, code }: CallResult): boolean {
  return status === 503 || (code !== undefined && ANOTHER_TIME.has(code));
}

const ANOTHER_TIME: ReadonlySet<string> = new Set([
  'BAILING_CALL_NOT_SENT',
  'BAILING_CHANNEL_CHANGED',
  'BAILING_JOURNAL_UNAVAILABLE',
  'BAILING_CALL_STOPPED',
]);

/** Who sent it, as the conversations of its recipients say. */
function markerOf({ source }: JobRow): string {
  return source === DELIVERY ? 'delivery' : 'send';
}

/** What the hub that sent it may not have come to. */
function remembered(job: JobRow, { message }: MessageMetadata, deps: WorkerDeps): Promise<number | null> {
  const argsHash = sendHash(message);
  const key = idempotencyKey({ jobId: job.id, tool: SEND_MESSAGE, argsHash, onBehalfOf: '' });
  return keepHistory(message, { job: job.id, key, marker: markerOf(job) }, deps.calls);
}

function about({ source }: JobRow, { message }: MessageMetadata, threadId: number | null = null) {
  const { channel, to, card, images, files } = message;
  return {
    ...{ channel, to: to.slice(0, 1_000).join('|'), source, thread_id: threadId },
    ...(card && { card: true }),
    ...(images.length > 0 && { images: images.length }),
    ...(files.length > 0 && { files: files.length }),
  };
}

type SentResult = Pick<CallResult, 'text'> & { readonly threadId?: number | null };

/** The end of a job whose message is known to have been sent. */
export function sentEnd(job: JobRow, kept: MessageMetadata, { text, threadId = null }: SentResult, now: number): End {
  const of = { job: job.id, requestId: job.requestId };
  const result = { text, channel: kept.message.channel, recipients: kept.message.to.length, thread_id: threadId };
  const sent = line(eventOf(job, 'channel_delivered', 'alert_sent', 'outbound_sent'), of, now, about(job, kept, threadId));
  return { status: 'done', result: JSON.stringify(result), error: null, usage: null, lines: [sent, finishedLine(job, 'done', now)] };
}

function failedEnd(job: JobRow, kept: MessageMetadata, { text, code }: Pick<CallResult, 'text' | 'code'>, now: number): End {
  const error = code === undefined ? text : `${code}: ${text}`;
  const end = failure(job, error.slice(0, 2_000), now);
  return { ...end, lines: [failedLine(job, kept, error, now), ...end.lines] };
}

/** It may have arrived. Nobody has to settle an alert; of any other message that fact stays with the job, and its row is settled like any other. */
async function possiblySent(taken: Taken, kept: MessageMetadata, what: ToolExecution, preflight: boolean, deps: WorkerDeps): Promise<void> {
  const { job } = taken;
  const text = await letGo(job, deps);
  const now = deps.clock.now();
  await finish(taken, text === null ? unknownEnd(job, kept, what, now, preflight) : failedEnd(job, kept, { text }, now), deps);
}

function unknownEnd(job: JobRow, kept: MessageMetadata, execution: ToolExecution, now: number, preflight: boolean): End {
  const end = reconciliation(job, execution, now, { preflight });
  return { ...end, lines: [failedLine(job, kept, `possibly sent: ${execution.reason}`, now), ...end.lines] };
}

function failedLine(job: JobRow, kept: MessageMetadata, error: string, now: number) {
  const event = eventOf(job, 'channel_delivery_error', 'alert_send_error', 'outbound_send_error');
  return line(event, { job: job.id, requestId: job.requestId }, now, { ...about(job, kept), error: error.slice(0, 500) });
}

function eventOf({ source }: JobRow, delivery: string, alert: string, message: string): string {
  return source === DELIVERY ? delivery : source === ALERT ? alert : message;
}

async function finish({ job, by }: Taken, end: End, deps: WorkerDeps): Promise<void> {
  await finishJob(by, job, end, deps);
}
