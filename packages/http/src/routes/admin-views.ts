import type { Thread } from '@bailing/engine/ports';
import { jobCursor, jobPage } from '../job-cursor.js';
import { malformed, membersOf, optionalText } from '../members.js';
import { admin, idParam, noSuch, json, operateOf, queryInt, type Route } from '../route.js';
import { jobHead } from '../views/job.js';
import { iso } from '../views/time.js';

const DAY_MS = 86_400_000;
const USAGE_ROWS = 500;
const SEQ_MAX = 9_999_999_999;
const timeOf = (ms: number | null) => (ms === null ? null : iso(ms));

/** `GET /admin/api/status` (WIRE §15.3): the hub at a glance. */
export const adminStatus: Route = {
  method: 'GET',
  path: '/admin/api/status',
  access: ['admin'],
  async handle(_request, hub) {
    const [health, { ready, checks }] = await Promise.all([hub.health(), hub.ready()]);
    return { status: 200, body: { ...health, ready, checks } };
  },
};

/** `GET /admin/api/version` (WIRE §15.3): as `GET /version`. */
export const adminVersion: Route = {
  method: 'GET',
  path: '/admin/api/version',
  access: ['admin'],
  async handle(_request, hub) {
    return { status: 200, body: await hub.version() };
  },
};

/** `GET /admin/api/dispatch-status` (WIRE §15.3): what waits, what is worked on, and what waits for a person. */
export const adminDispatchStatus: Route = {
  method: 'GET',
  path: '/admin/api/dispatch-status',
  access: ['admin'],
  async handle(_request, hub) {
    const operate = operateOf(hub);
    const [{ paused }, census, targets] = await Promise.all([hub.health(), operate.census(), operate.byTarget()]);
    const { queued, held, unresolved, approvals, outbox } = census;
    const body = {
      paused,
      queued: { count: queued.count, oldest_at: timeOf(queued.oldestAt) },
      held,
      targets: targets.map(({ target, status, count, oldestAt }) => ({ target, status, count, oldest_at: timeOf(oldestAt) })),
      unresolved: unresolved.map(({ state, count, oldestAt }) => ({ state, count, oldest_at: timeOf(oldestAt) })),
      approvals: { pending: approvals.pending, oldest_at: timeOf(approvals.oldestAt) },
      outbox: { waiting: outbox.waiting, next_at: timeOf(outbox.nextAt), dead: outbox.dead },
    };
    return { status: 200, body };
  },
};

/** `GET /admin/api/executors` (WIRE §15.3): who works from outside, since when it was not seen, and what it holds. */
export const adminExecutors: Route = {
  method: 'GET',
  path: '/admin/api/executors',
  access: ['admin'],
  async handle(_request, hub) {
    const items = (await operateOf(hub).executors()).map(({ executorId, token, seenAt, online, jobs, oldestJobAt }) => {
      return { executor_id: executorId, token, seen_at: timeOf(seenAt), online, jobs, oldest_job_at: timeOf(oldestJobAt) };
    });
    return { status: 200, body: { items } };
  },
};

/** `GET /admin/api/cost?days=30` (WIRE §15.3): what jobs used, by route and client, the dearest first. */
export const adminCost: Route = {
  method: 'GET',
  path: '/admin/api/cost',
  access: ['admin'],
  async handle(request, hub) {
    const days = queryInt(request, 'days', { min: 1, max: 366, default: 30 });
    const since = Date.now() - days * DAY_MS;
    const rows = await operateOf(hub).usage(since, USAGE_ROWS);
    const items = rows.map(({ route, owner, jobs, tokens, costUsd }) => {
      return { route, client_app_id: owner === 'admin' ? null : owner, jobs, tokens, cost_usd: costUsd };
    });
    const sum = (of: (row: (typeof items)[number]) => number) => items.reduce((total, row) => total + of(row), 0);
    const total = { jobs: sum((row) => row.jobs), tokens: sum((row) => row.tokens), cost_usd: sum((row) => row.cost_usd) };
    return { status: 200, body: { days, since: iso(since), total, items, ...(rows.length === USAGE_ROWS && { truncated: true }) } };
  },
};

/** `GET /admin/api/threads` (WIRE §15.3): conversations, newest first; `next_cursor` goes on. */
export const adminThreads: Route = {
  method: 'GET',
  path: '/admin/api/threads',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const before = queryInt(request, 'cursor', { min: 0, max: SEQ_MAX, default: 0 });
    const found = await operateOf(hub).threads(before === 0 ? SEQ_MAX : before, limit + 1);
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1) : undefined;
    return { status: 200, body: { items: page.map(threadView), ...(next && { next_cursor: next.id }) } };
  },
};

/** `GET /admin/api/threads/{id}`: one conversation with its jobs, newest first; what was said in it is in the trace of each. */
export const adminThread: Route = {
  method: 'GET',
  path: '/admin/api/threads/:id',
  access: ['admin'],
  async handle(request, hub) {
    const id = idParam(request, 'id');
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const [thread] = await operateOf(hub).threads(id + 1, 1);
    if (thread?.id !== id) throw noSuch('thread', String(id));
    const { jobs, next } = jobPage(await hub.findRuns({ threadId: id }, limit + 1, jobCursor(request)), limit);
    return { status: 200, body: { thread: threadView(thread), jobs: jobs.map(jobHead), ...(next !== undefined && { next_cursor: next }) } };
  },
};

function threadView({ id, route, scope, sessionId, jobs, createdAt }: Thread) {
  return { id, route, scope, session_id: sessionId, job_count: jobs, created_at: iso(createdAt) };
}

/** `GET /admin/api/config-audit` (WIRE §15.3): who changed, revealed, paused or tried what, newest first. */
export const adminConfigAudit: Route = {
  method: 'GET',
  path: '/admin/api/config-audit',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const before = queryInt(request, 'cursor', { min: 0, max: SEQ_MAX, default: 0 });
    const { items, next } = await operateOf(hub).done(before === 0 ? SEQ_MAX : before, limit);
    return { status: 200, body: { items, ...(next !== null && { next_cursor: next }) } };
  },
};

/** `GET /admin/api/config-diagnostics` (WIRE §15.3): what of the configuration leads nowhere. */
export const adminConfigDiagnostics: Route = {
  method: 'GET',
  path: '/admin/api/config-diagnostics',
  access: ['admin'],
  handle(_request, hub) {
    return { status: 200, body: { at: new Date().toISOString(), checks: operateOf(hub).configDiagnostics() } };
  },
};

/** `POST /admin/api/smoke` (WIRE §15.3): every check of hub and configuration, counted. It runs no job, so `run` is null and nothing is skipped. */
export const adminSmoke: Route = {
  method: 'POST',
  path: '/admin/api/smoke',
  access: ['admin'],
  async handle(request, hub) {
    membersOf(json(request), []);
    const operate = operateOf(hub);
    const checks = [...(await operate.diagnostics()), ...operate.configDiagnostics()];
    const count = (is: string) => checks.filter((one) => one.is === is).length;
    const { app } = await hub.version();
    const counts = { pass: count('ok'), warn: count('warn'), fail: count('fail'), skip: 0 };
    return { status: 200, body: { hub: app, ...counts, checks, run: null } };
  },
};

const CAPABILITIES = ['chat', 'vision', 'embedding'] as const;

/** `POST /admin/api/credentials/{name}/verify` (WIRE §18): one short question to the endpoint. */
export const adminVerify: Route = {
  method: 'POST',
  path: '/admin/api/credentials/:name/verify',
  access: ['admin'],
  async handle(request, hub) {
    const members = membersOf(json(request), ['capability', 'model', 'timeout_ms']);
    const capability = CAPABILITIES.find((one) => one === (members['capability'] ?? 'chat'));
    if (!capability) throw malformed('capability', `capability is one of ${CAPABILITIES.join(', ')}.`);
    if (capability === 'embedding') throw malformed('capability', 'This version makes no embeddings, so there is nothing to verify.');
    const timeoutMs = members['timeout_ms'] ?? 15_000;
    if (typeof timeoutMs !== 'number' || !Number.isInteger(timeoutMs) || timeoutMs < 1_000 || timeoutMs > 60_000)
      throw malformed('timeout_ms', 'timeout_ms is a whole number from 1000 to 60000.');
    const model = optionalText(members, 'model', 191);
    const asked = { capability, timeoutMs, ...(model !== undefined && { model }) };
    const name = request.params['name'] ?? '';
    return { status: 200, body: await operateOf(hub).verifyCredential(name, asked, admin(request), request.signal) };
  },
};
