import { randomUUID } from 'node:crypto';
import { BailingError, type Clock } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { JobRow, JobStore, JobThread, RateStore, RouteSettings, Settings, StopStore, Wakeups } from '../ports/index.js';
import { overhear, type InputDeps } from '../inputs/index.js';
import { audienceRefusal } from './audience.js';
import { autoCandidates, autoRoute, type AutoDecision } from './auto-route.js';
import { judgeBudgets, type NearBudget } from './budget.js';
import { principalOf, type Principal } from './principal.js';
import { sessionOf, type Joined, type Session } from './session.js';

/** Who asks. A client acts under its `app_id`; the server token and loopback development are administrators. */
export type Caller = { readonly kind: 'admin'; readonly name: string } | { readonly kind: 'client'; readonly appId: string };

/** A `/run` body whose shape has been checked (WIRE §2.1). */
export interface RunRequest {
  readonly request_id: string;
  readonly input: string;
  readonly route: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Administrators only; clients get their `app_id`. */
  readonly source?: string;
  /** Administrators only; the route's where absent. */
  readonly profile?: string;
  /** Where the end is told; the route's default where absent (WIRE §10.2). */
  readonly callback_url?: string;
  /** W3C trace context; kept with the job as `metadata.trace_context`, for its calls and its executor. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string };
}

export type Accepted =
  | { readonly is: 'new'; readonly job: JobRow; readonly session: Session }
  | { readonly is: 'same'; readonly job: JobRow }
  | { readonly is: 'unrouted'; readonly decision: AutoDecision };

export interface AcceptDeps {
  readonly jobs: JobStore;
  readonly rates: RateStore;
  readonly stops: StopStore;
  readonly settings: () => Settings;
  /** How recordings are written down, for `route: auto`; absent: they lead nowhere. */
  readonly inputs?: InputDeps;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
}

/** WIRE §2.3: so many unended jobs a thread holds. */
const THREAD_IN_FLIGHT = 6;

/** Before the body is looked at: a paused hub accepts nothing. @throws BailingError BAILING_HUB_PAUSED */
export async function refuseWhilePaused(deps: Pick<AcceptDeps, 'stops'>): Promise<void> {
  if (await deps.stops.isSet('hub')) throw new BailingError('BAILING_HUB_PAUSED');
}

/**
 * Claims a request id and queues a job (WIRE §2.2, steps 4 to 10). The same request id of the same owner, also at the same moment, is
 * one job.
 * @throws BailingError with the refusal's code
 */
export async function accept(caller: Caller, request: RunRequest, deps: AcceptDeps): Promise<Accepted> {
  const settings = deps.settings();
  await clientRules(caller, request, settings, deps);
  const channel = caller.kind === 'client' ? caller.appId : 'admin';
  const principal = principalOf(request.metadata, channel, caller.kind === 'client' ? caller.appId : undefined);
  const chosen = request.route === 'auto' ? await chooseRoute(caller, request, principal, settings, deps) : null;
  if (chosen && chosen.selected === undefined) return { is: 'unrouted', decision: chosen.decision };
  const route = routeOf(chosen?.selected ?? request.route, settings);
  const refused = audienceRefusal(route.audience, principal);
  if (refused) throw new BailingError('BAILING_AUDIENCE_REFUSED', { detail: refused, at: 'metadata.principal' });
  const session = sessionOf(route, request.metadata);
  targetOf(route, settings);
  const decided = chosen && { route_decision: chosen.decision };
  const metadata = {
    ...request.metadata,
    ...(principal && { principal }),
    ...decided,
    ...(request.trace && { trace_context: request.trace }),
  };
  const job = newJob(caller, request, route, session, metadata, principal?.id ?? null, deps.clock.now());
  const client = caller.kind === 'client' ? settings.client(caller.appId) : undefined;
  const { over, near } = await judgeBudgets(route, client, job.createdAt, deps.jobs);
  await tellNear(near, deps);
  const said = over && line('rejected', { job: job.id, requestId: job.requestId }, job.createdAt, { reason: over.reason, ...over.detail });
  const launched = over && said ? { ...job, refusal: { error: over.error, line: said } } : job;
  const accepted = await deps.jobs.accept(launched, received(job, channel), caller.kind === 'admin');
  if (accepted.is === 'foreign') throw new BailingError('BAILING_REQUEST_FOREIGN', { at: 'request_id' });
  if (accepted.is === 'same') return { is: 'same', job: accepted.job };
  if (accepted.job.status === 'queued') deps.wakeups.notify(`jobs:${job.target}`);
  return { is: 'new', job: accepted.job, session: { id: accepted.job.sessionId, isContinue: accepted.job.isContinue } };
}

/** A soft limit is told in the ledger once an hour, over all hubs; who is told of it, rules decide. */
async function tellNear(near: readonly NearBudget[], { rates, jobs, clock }: AcceptDeps): Promise<void> {
  for (const { key, message } of near) {
    const first = await rates.take([{ bucket: `alert:${key}`, limit: 1, windowMs: 3_600_000, cost: 1 }]);
    if (first.is === 'taken')
      await jobs.note([line('alert', { job: '-', requestId: 'budget' }, clock.now(), { kind: 'alert', key, message })]);
  }
}

async function clientRules(caller: Caller, request: RunRequest, settings: Settings, deps: AcceptDeps): Promise<void> {
  if (caller.kind !== 'client') return;
  const client = settings.client(caller.appId);
  if (!client?.enabled) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  if (request.route !== 'auto' && !client.allowed_routes.includes('*') && !client.allowed_routes.includes(request.route)) {
    throw new BailingError('BAILING_ROUTE_FORBIDDEN', { at: 'route' });
  }
  if (client.rate_limit_per_min === 0) return;
  const spend = { bucket: `client:${caller.appId}`, limit: client.rate_limit_per_min, windowMs: 60_000, cost: 1 };
  const taken = await deps.rates.take([spend]);
  if (taken.is === 'rate')
    throw new BailingError('BAILING_CLIENT_RATE_LIMITED', { detail: `Free again in ${String(taken.retryInMs)} ms.` });
}

async function chooseRoute(caller: Caller, request: RunRequest, principal: Principal | null, settings: Settings, { inputs }: AcceptDeps) {
  const client = caller.kind === 'client' ? settings.client(caller.appId) : undefined;
  const ask = { input: request.input, metadata: request.metadata, principal, ...(client && { client }) };
  if (!inputs) return autoRoute(ask, settings);
  return autoRoute(ask, settings, await overhear(request.input, autoCandidates(ask, settings), inputs));
}

function routeOf(key: string, settings: Settings): RouteSettings {
  const route = settings.route(key);
  if (!route) throw new BailingError('BAILING_ROUTE_UNKNOWN', { at: 'route' });
  if (!route.enabled) throw new BailingError('BAILING_ROUTE_DISABLED', { at: 'route' });
  return route;
}

function targetOf(route: RouteSettings, settings: Settings): void {
  if (settings.target(route.target)?.enabled) return;
  throw new BailingError('BAILING_ROUTE_DISABLED', { detail: `Its target ${route.target} is not available.` });
}

function newJob(
  caller: Caller,
  request: RunRequest,
  route: RouteSettings,
  session: Joined,
  metadata: object,
  principalId: string | null,
  now: number,
) {
  const id = randomUUID();
  const thread = threadOf(session, id, request.request_id, now);
  return {
    id,
    ...(thread && { thread }),
    requestId: request.request_id,
    owner: caller.kind === 'client' ? caller.appId : 'admin',
    route: route.route_key,
    target: route.target,
    profile: request.profile ?? route.profile,
    source: caller.kind === 'client' ? caller.appId : (request.source ?? 'unknown'),
    input: request.input,
    metadata: JSON.stringify(metadata),
    principalId,
    sessionId: session.id,
    isContinue: session.isContinue,
    maxAttempts: 1 + (route.retry?.max ?? 0),
    callbackUrl: request.callback_url ?? route.default_callback_url ?? null,
    createdAt: now,
  };
}

function threadOf({ scope, keepsSession = false }: Joined, id: string, requestId: string, now: number): JobThread | undefined {
  if (scope === undefined) return undefined;
  const quota = { reason: 'thread_inflight_quota', quota: THREAD_IN_FLIGHT };
  const error = `thread_inflight_quota: ${String(THREAD_IN_FLIGHT)} jobs of this conversation have not ended yet; send the next when one has`;
  return {
    scope,
    keepsSession,
    maxInFlight: THREAD_IN_FLIGHT,
    refusal: { error, line: line('rejected', { job: id, requestId }, now, quota) },
  };
}

function received(job: ReturnType<typeof newJob>, channel: string) {
  return line('received', { job: job.id, requestId: job.requestId }, job.createdAt, {
    target: job.target,
    project: '',
    profile: job.profile,
    source: job.source,
    route: job.route,
    client: channel,
    session: job.sessionId,
    continue: job.isContinue,
  });
}
