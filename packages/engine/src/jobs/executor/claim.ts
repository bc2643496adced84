import { BailingError } from '@bailing/plugin-api';
import { line } from '../../audit/index.js';
import { executionOf, type Seat } from '../../calls/index.js';
import { backgroundOf } from '../../context/index.js';
import { carriedBy } from '../../delivery/index.js';
import type { Holder, JobRow, Line, Open, RouteSettings } from '../../ports/index.js';
import { runApproved } from '../approved.js';
import { sentenceOf } from '../error-code.js';
import { cancelIfAsked, finishJob } from '../finish.js';
import { keepHeard } from '../inputs.js';
import { failure, reconciliation } from '../ends.js';
import { dueAfter, mayBeCancelled, orphaned } from '../orphans.js';
import { routeOfJob } from '../route-of-job.js';
import { seatOf } from '../seat-of.js';
import { stampOf } from '../stamp.js';
import { viewLines } from '../view-lines.js';
import { attachments, inputsFor } from './attachments.js';
import { executorKey, LEASE_MS, mayServe, type ExecutorCaller, type ExecutorDeps } from './deps.js';
import { extendHeld } from './extend-held.js';
import { toolsBlock } from './tools-block.js';

export interface ClaimRequest {
  readonly executor_id: string;
  readonly targets: readonly string[];
  /** 0 to 55 000. */
  readonly wait_ms: number;
}

/** A handed-out job. Whoever writes the answer tells by one of the two what became of it. */
export interface HandedOver {
  readonly body: Readonly<Record<string, unknown>>;
  /** The answer is with the executor: what it works on stays its own as long as it shows that it is alive. */
  readonly delivered: () => Promise<void>;
  /** The connection died before the answer was through: the job is claimable again at once. */
  readonly undelivered: () => Promise<void>;
}

/** Nobody wakes a claim for what another replica accepted; this often it looks by itself. */
const LOOK_EVERY_MS = 1_000;

interface Taken {
  readonly by: Holder;
  readonly job: JobRow;
  readonly recovered: boolean;
  readonly open: readonly Open[];
}

/**
 * Hands a queued job of the caller's targets to an executor, at once or as soon as one comes (WIRE §3.1). A job with unresolved writes is
 * never handed out: it ends as reconciliation first.
 * @throws BailingError 403 where the token blocks every registered target named, 400 where none is registered
 */
export async function claim(
  caller: ExecutorCaller,
  request: ClaimRequest,
  signal: AbortSignal,
  deps: ExecutorDeps,
): Promise<HandedOver | null | 'paused'> {
  const targets = servedTargets(caller, request.targets, deps);
  const until = deps.clock.now() + request.wait_ms;
  const executor = executorKey(caller, request.executor_id);
  // An executor that works on several jobs may do no more than ask for the next one.
  if (deps.presence.seen(executor)) await extendHeld(executor, deps);
  while (!signal.aborted) {
    if (await deps.stops.isSet('hub')) return 'paused';
    const waking = wakeUp(targets, signal, deps);
    const taken = await takeOne(targets, executor, deps);
    if (taken) {
      waking.cancel();
      const handed = await handOver(taken, request.executor_id, deps);
      if (!handed) continue;
      if (!signal.aborted) return handed;
      await handed.undelivered();
      return null;
    }
    const left = until - deps.clock.now();
    if (left <= 0) {
      waking.cancel();
      return null;
    }
    await waking.until(Math.min(left, LOOK_EVERY_MS));
  }
  return null;
}

function servedTargets(caller: ExecutorCaller, wanted: readonly string[], deps: ExecutorDeps): string[] {
  const settings = deps.settings();
  const registered = wanted.filter((name) => {
    const target = settings.target(name);
    return target?.kind === 'executor' && target.enabled;
  });
  const served = registered.filter((name) => mayServe(caller, name));
  if (served.length > 0) return served;
  if (registered.length > 0)
    throw new BailingError('BAILING_REQUEST_FORBIDDEN', { at: 'targets', detail: 'This token may not work on these targets.' });
  throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'targets', detail: 'None of these is a registered target of kind executor.' });
}

async function takeOne(targets: readonly string[], executor: string, deps: ExecutorDeps): Promise<Taken | undefined> {
  const stamped = await stampOf(deps);
  const [taken] = await deps.jobs.take({ replica: deps.replica, max: 1, leaseMs: LEASE_MS, targets, executor, ...stamped });
  return taken;
}

/** Listening starts before looking, so that a job accepted in between is not slept over. */
function wakeUp(targets: readonly string[], signal: AbortSignal, deps: ExecutorDeps) {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const topics = targets.map((target) => `jobs:${target}`);
  const woken = deps.wakeups.wait(topics, either, 60_000);
  return {
    cancel: () => done.abort(),
    until: async (ms: number) => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([woken, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
      clearTimeout(timer);
      done.abort();
    },
  };
}

/** The work item, or null where the job ended or went back instead. */
async function handOver(taken: Taken, executorId: string, deps: ExecutorDeps): Promise<HandedOver | null> {
  const { job, by } = taken;
  const now = deps.clock.now();
  if (taken.open.length > 0) return settleFirst(taken, now, deps);
  if (mayBeCancelled(taken) && (await cancelIfAsked(job, deps))) return null;
  const route = await routeOfJob(job, deps);
  if (!route) {
    await finishJob(by, job, failure(job, sentenceOf('BAILING_ROUTE_UNKNOWN'), now), deps);
    return null;
  }
  const seat = await seatOf(taken, route, new AbortController().signal, deps);
  const approved = await runApproved(seat, job, deps);
  if (approved.is === 'ended') {
    if (approved.finish) await finishJob(by, job, approved.finish, deps);
    return null;
  }
  const tools = toolsBlock(seat, route, deps.serverToken, approved.note);
  const { inputs, background, lines } = await addedTo(seat, job, route, by, deps);
  await deps.jobs.note([...dispatchedLines(taken, seat, executorId, tools, now), ...lines]);
  const body = { ...workItem(job, route, by, seat, tools), ...attachments(job, inputs, background) };
  const delivered = async (): Promise<void> => void (await deps.jobs.handedOver(by));
  return { body, delivered, undelivered: () => giveBack(job, by, deps) };
}

/** What goes with a user's words. An answer that is only delivered stays as it is: nothing is read, remembered or added. */
async function addedTo(seat: Seat, job: JobRow, route: RouteSettings, by: Holder, deps: ExecutorDeps) {
  if (carriedBy(job)) return { inputs: undefined, background: { blocks: [], memory: null }, lines: [] };
  const inputs = await inputsFor(job, route, deps);
  await keepHeard(by, job, inputs, deps.jobs);
  return { inputs, ...(await backgroundOf(seat, { ...job, input: inputs?.said ?? job.input }, route, deps)) };
}

async function settleFirst({ job, by, open }: Taken, now: number, deps: ExecutorDeps): Promise<null> {
  const lost = orphaned(open, now);
  if (lost) await finishJob(by, job, reconciliation(job, executionOf(lost), now, { preflight: true }), deps);
  else
    await deps.jobs.putBack(
      by,
      dueAfter(open),
      false,
      line('job_waits_for_write', { job: job.id, requestId: job.requestId }, now, { tool: open[0]?.key.tool ?? '' }),
    );
  return null;
}

function dispatchedLines(
  taken: Taken,
  seat: Seat,
  executorId: string,
  tools: Readonly<Record<string, unknown>> | undefined,
  now: number,
): Line[] {
  const of = { job: taken.job.id, requestId: taken.job.requestId };
  const offered = tools && { tools: seat.view.tools.size, tools_mode: tools.mode };
  const dispatched = line('dispatched', of, now, { executor_id: executorId, target: taken.job.target, ...offered });
  const recovered = taken.recovered ? [line('recovered', of, now, { scope: 'stale', prev_status: 'dispatched' })] : [];
  return [...recovered, dispatched, ...viewLines(seat, now)];
}

function workItem(
  job: JobRow,
  route: RouteSettings,
  by: Holder,
  seat: Seat,
  tools: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  return {
    job_id: job.id,
    request_id: job.requestId,
    target: job.target,
    profile: job.profile ?? route.profile,
    project: '',
    project_path: null,
    metadata: seat.job.metadata,
    source: job.source,
    target_config: carriedBy(job)?.delivery ?? {},
    session: { sessionId: job.sessionId, isContinue: job.isContinue },
    claim_token: by.claim,
    ...(tools && { tools }),
  };
}

async function giveBack(job: JobRow, by: Holder, deps: ExecutorDeps): Promise<void> {
  const now = deps.clock.now();
  await deps.jobs.putBack(
    by,
    now,
    false,
    line('dispatch_undelivered', { job: job.id, requestId: job.requestId }, now, { reason: 'connection_lost' }),
  );
  deps.wakeups.notify(`jobs:${job.target}`);
}
