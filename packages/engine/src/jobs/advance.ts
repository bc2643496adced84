import { DEFAULT_MAX_CALLS } from '@bailing/contract';
import { BailingError, ModelFailure, type Clock, type ModelProvider, type Streams } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import { resumes, think } from '../brain/index.js';
import { call, executionOf, type CallDeps, type Seat } from '../calls/index.js';
import type { Catalogue } from '../catalog/index.js';
import { backgroundOf, remembering, summarise, type Background, type Contexts } from '../context/index.js';
import type { InputDeps } from '../inputs/index.js';
import type { ConversationStore, End, Holder, JobRow, JobStore, Line, Open, RouteSettings } from '../ports/index.js';
import { runApproved, type ApprovedStep } from './approved.js';
import { conclude } from './conclude.js';
import { failure, reconciliation } from './ends.js';
import { sentenceOf } from './error-code.js';
import { cancelIfAsked, finishJob, type FinishedJob } from './finish.js';
import { guided } from './guided.js';
import { inputsOf, keepHeard } from './inputs.js';
import { dueAfter, mayBeCancelled, orphaned } from './orphans.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';
import { seatOf } from './seat-of.js';
import { viewLines } from './view-lines.js';

export interface AdvanceDeps extends RouteDeps {
  readonly jobs: JobStore;
  readonly calls: CallDeps;
  readonly catalogue: Catalogue;
  /** The model of a route. @throws BailingError where its credential is missing */
  readonly model: (route: RouteSettings) => ModelProvider;
  /** How what users link to is read; absent: links stay links. */
  readonly inputs?: InputDeps;
  readonly clock: Clock;
  readonly displayTimeZone: string;
  /** Who adds background to jobs, in order; absent: nobody. */
  readonly contexts?: Contexts;
  /** What was said before; absent: nothing is remembered. */
  readonly conversations?: ConversationStore;
  /** Where running jobs show what happens; absent: nobody reads along. */
  readonly streams?: Streams;
}

export interface Taken {
  readonly by: Holder;
  readonly job: JobRow;
  readonly recovered: boolean;
  readonly open: readonly Open[];
}

/** Working time of a job whose route names none. */
const DEADLINE_MS = 1_200_000;

/** Advances one held job to its end. Unresolved journal rows end it before any brain is asked (WIRE §8.2). */
export async function advance(taken: Taken, signal: AbortSignal, deps: AdvanceDeps): Promise<void> {
  const { job, by } = taken;
  if (taken.recovered)
    await note(
      deps,
      line('recovered', { job: job.id, requestId: job.requestId }, deps.clock.now(), { scope: 'stale', prev_status: 'running' }),
    );
  if (taken.open.length > 0) return preflight(taken, deps);
  if (mayBeCancelled(taken) && (await cancelIfAsked(job, deps))) return;
  const route = await routeOfJob(job, deps);
  if (!route) return void (await finish(by, job, failure(job, sentenceOf('BAILING_ROUTE_UNKNOWN'), deps.clock.now()), deps));
  const end = await work(taken, route, signal, deps);
  // A commit that fails here is no failure of the job: its lease runs out and it goes on where the journal says it was.
  if (!end) return;
  const finished = await finish(by, job, end, deps);
  if (end.status === 'done' && finished !== 'cancelled') await remember(job, route, signal, deps);
}

/** The job is over and whoever waits for it is told; only then is its conversation summarised, where the route wants that. */
async function remember(job: JobRow, route: RouteSettings, signal: AbortSignal, deps: AdvanceDeps): Promise<void> {
  const { conversations } = deps;
  const what = conversations && remembering(job, route, deps.settings());
  if (!conversations || !what?.memory.summary_enabled) return;
  deps.calls.wakeups.notify(`job:${job.id}`);
  const written = await summarise(job, route, what, signal, { ...deps, conversations });
  if (written) await noteQuietly(deps, written);
}

/** Approved calls, then the brain. Null where the job does not end here. */
async function work(taken: Taken, route: RouteSettings, signal: AbortSignal, deps: AdvanceDeps): Promise<End | null> {
  const { job, by } = taken;
  try {
    const seat = await seatOf(taken, route, signal, deps);
    const approved = await runApproved(seat, job, deps);
    if (approved.is === 'ended') return approved.finish ?? null;
    await announce(seat, job, deps);
    return await conclude(by, job, await ask(seat, job, route, approved, deps), deps);
  } catch (error) {
    return failed(taken, route, error, signal, deps);
  }
}

async function background(seat: Seat, job: JobRow, route: RouteSettings, deps: AdvanceDeps): Promise<Background> {
  const { background: found, lines } = await backgroundOf(seat, job, route, deps);
  for (const written of lines) await noteQuietly(deps, written);
  return found;
}

/** In flight in a process that may still be alive: wait. Orphaned or unknown: the job ends as reconciliation. */
async function preflight({ job, by, open }: Taken, deps: AdvanceDeps): Promise<void> {
  const now = deps.clock.now();
  const lost = orphaned(open, now);
  if (lost) return void (await finish(by, job, reconciliation(job, executionOf(lost), now, { preflight: true }), deps));
  const due = dueAfter(open);
  const waiting = line('job_waits_for_write', { job: job.id, requestId: job.requestId }, now, {
    run_after: due,
    tool: open[0]?.key.tool ?? '',
  });
  await deps.jobs.putBack(by, due, false, waiting);
}

/** @throws BailingError BAILING_LEASE_LOST where another worker goes on with the job */
async function save(seat: Seat, state: string, deps: AdvanceDeps): Promise<void> {
  if ((await deps.jobs.saveRound(seat.by, state)) === 'lost-lease') throw new BailingError('BAILING_LEASE_LOST');
}

async function announce(seat: Seat, job: JobRow, deps: AdvanceDeps): Promise<void> {
  const now = deps.clock.now();
  const started = line('started', { job: job.id, requestId: job.requestId }, now, { target: job.target });
  await deps.jobs.note([started, ...viewLines(seat, now)]);
}

async function ask(seat: Seat, job: JobRow, route: RouteSettings, approved: Extract<ApprovedStep, { is: 'go' }>, deps: AdvanceDeps) {
  const note = (event: string, detail: Readonly<Record<string, unknown>>) =>
    void noteQuietly(deps, line(event, { job: job.id, requestId: job.requestId }, deps.clock.now(), detail));
  const { streams } = deps;
  const saved = await deps.jobs.round(job.id);
  const begun = resumes({ saved, approvedNote: approved.note });
  const prepared = await inputsOf(job, route, begun, seat.signal, { ...deps, note });
  const text = prepared?.said ?? job.input;
  if (!begun) await keepHeard(seat.by, job, prepared, deps.jobs);
  const model = deps.model(route);
  const maxCalls = route.tools?.max_calls ?? DEFAULT_MAX_CALLS;
  if (prepared?.guidance !== undefined) return guided(prepared.guidance, job, model.name, maxCalls);
  return think(
    {
      route,
      text,
      ...(!begun && { background: await background(seat, { ...job, input: text }, route, deps) }),
      ...(prepared && { attached: prepared }),
      view: seat.view,
      maxCalls,
      callsUsed: job.callsUsed + approved.sent,
      approvedNote: approved.note,
      nowText: timeText(deps.clock.now(), deps.displayTimeZone),
      signal: seat.signal,
      deadlineMs: route.target_config.deadline_ms ?? DEADLINE_MS,
      saved,
    },
    {
      model,
      call: (proposal) => call(seat, proposal, deps.calls),
      note,
      save: (state) => save(seat, state, deps),
      ...(streams && isShown(route) && { show: (event) => streams.publish(job.id, event) }),
    },
  );
}

/**
 * Transient model failures go back to the queue while the route's retry policy lasts; a database that is away is nobody's failure, so the job
 * stays where it is; everything else ends the job with a sentence.
 */
async function failed(taken: Taken, route: RouteSettings, error: unknown, signal: AbortSignal, deps: AdvanceDeps): Promise<End | null> {
  const { job, by } = taken;
  const now = deps.clock.now();
  if (error instanceof BailingError && error.code.startsWith('BAILING_STORE_')) throw error;
  if (signal.aborted) {
    // Told to stop, not failed: the job goes on elsewhere. Where the lease was lost, it already does.
    await deps.jobs.putBack(
      by,
      now,
      false,
      line('job_released', { job: job.id, requestId: job.requestId }, now, { reason: 'worker_stopping' }),
    );
    return null;
  }
  if (error instanceof ModelFailure && error.transient && job.attempts + 1 < job.maxAttempts) {
    const backoff = route.retry?.backoff_ms ?? 5_000;
    const detail = {
      attempt: job.attempts + 1,
      max: job.maxAttempts - 1,
      backoff_ms: backoff,
      run_after: now + backoff,
      error: error.message.slice(0, 300),
    };
    await deps.jobs.putBack(by, now + backoff, true, line('retry_scheduled', { job: job.id, requestId: job.requestId }, now, detail));
    if (isShown(route)) deps.streams?.publish(job.id, { is: 'reset', reason: 'retry' });
    return null;
  }
  return failure(job, wordsOf(error, job, deps), now);
}

/** Whether clients may read a route's jobs along while they run (`target_config.streaming`; absent: they may). */
export function isShown(route: RouteSettings): boolean {
  return route.target === 'llm' && route.target_config.streaming !== false;
}

function wordsOf(error: unknown, job: JobRow, deps: AdvanceDeps): string {
  if (error instanceof ModelFailure) return error.message;
  if (error instanceof BailingError) return `${error.code}: ${error.message}`;
  deps.log.error('a job failed', { job: job.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return 'BAILING_HUB_FAILED: The hub failed while working on this job.';
}

async function finish(by: Holder, job: JobRow, end: End, deps: AdvanceDeps): Promise<FinishedJob> {
  const finished = await finishJob(by, job, end, deps);
  if (finished === 'requeued') deps.calls.wakeups.notify(`jobs:${job.target}`);
  return finished;
}

async function note(deps: AdvanceDeps, written: Line): Promise<void> {
  await deps.jobs.note([written]);
  deps.calls.observe(written);
}

async function noteQuietly(deps: AdvanceDeps, written: Line): Promise<void> {
  try {
    await note(deps, written);
  } catch (error) {
    deps.log.warn('an audit line could not be written', { job: written.job, event: written.event, error: String(error) });
  }
}

function timeText(now: number, timeZone: string): string {
  return `${new Date(now).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })} (${timeZone})`;
}
