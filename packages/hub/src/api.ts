import { accept, cancelJob, evidenceOf, line, refuseWhilePaused, withGovernance, type AcceptDeps, type CancelDeps } from '@bailing/engine';
import type { Line, Store } from '@bailing/engine/ports';
import type { AdminCaller, DeskApi, ExecutorApi, HubApi } from '@bailing/http';
import { sender } from './send.js';
import { autoPreview } from './auto-preview.js';
import { stopsApi, type StopsDeps } from './stops.js';
import { APP, CONTRACTS, buildOf } from './version.js';

export interface ApiDeps extends AcceptDeps, Pick<CancelDeps, 'log' | 'lookAgain'> {
  readonly store: Store;
  readonly authenticate: HubApi['authenticate'];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent where no server token exists: tool tokens are derived from it (WIRE §1.3). */
  readonly executors?: ExecutorApi;
  readonly observe: (line: Line) => void;
  readonly timeoutOf: (channel: string) => number;
  readonly desk: DeskApi;
  readonly follow: NonNullable<HubApi['follow']>;
  readonly toolProviders?: HubApi['toolProviders'];
  readonly operate?: HubApi['operate'];
  readonly metrics?: HubApi['metrics'];
  /** Tells what there is to stop. */
  readonly catalogue: StopsDeps['catalogue'];
  readonly objects?: HubApi['objects'];
  readonly admins?: HubApi['admins'];
}

/** The use cases behind the HTTP service. */
export function hubApi(deps: ApiDeps): HubApi {
  const { store } = deps;
  const build = buildOf(deps.env);
  return {
    ...(deps.executors && { executors: deps.executors }),
    desk: deps.desk,
    follow: deps.follow,
    stops: stopsApi(deps),
    ...(deps.toolProviders && { toolProviders: deps.toolProviders }),
    ...(deps.metrics && { metrics: deps.metrics }),
    ...(deps.operate && { operate: deps.operate }),
    ...(deps.objects && { objects: deps.objects }),
    ...(deps.admins && { admins: deps.admins }),
    authenticate: deps.authenticate,
    health: async () => {
      const [paused, queue, health] = await Promise.all([store.stops.isSet('hub'), store.jobs.counts(), store.health()]);
      const { auditFailures, lastAuditFailureAt } = health;
      const last = lastAuditFailureAt === null ? null : new Date(lastAuditFailureAt).toISOString();
      return {
        app: APP,
        build,
        paused,
        queue,
        backend: health.dialect,
        configBackend: true,
        observability: { audit_write_failures: auditFailures, last_audit_failure_at: last },
      };
    },
    ready: async () => {
      const { dialect, database, reason, migrations } = await store.health();
      const ready = database === 'ok' && migrations.status === 'ok';
      return {
        ready,
        checks: {
          state_backend: dialect,
          database,
          ...(reason && { database_reason: reason }),
          migrations: { status: migrations.status, pending: migrations.pending },
        },
      };
    },
    version: async () => {
      const { migrations } = await store.health();
      return {
        app: APP,
        build,
        runtime: { node: process.versions.node },
        contracts: CONTRACTS,
        migrations: { latest: migrations.latest, total: migrations.total },
      };
    },
    refuseWhilePaused: () => refuseWhilePaused(deps),
    run: (caller, request) => accept(caller, request, deps),
    send: sender(deps),
    autoPreview: (request) => autoPreview(request, deps.settings()),
    job: async (caller, id) => {
      const job = await store.jobs.get(id);
      return job && (caller.kind === 'admin' || job.owner === caller.appId) ? withGovernance(job, store) : null;
    },
    cancel: async (caller, id, signal) => {
      const job = await store.jobs.get(id);
      if (!job || (caller.kind === 'client' && job.owner !== caller.appId)) return 'unknown';
      return (await cancelJob(id, caller.kind === 'admin' ? caller.name : `client:${caller.appId}`, signal, deps)).is;
    },
    pause: (by) => stopFlag(deps, by, true),
    resume: (by) => stopFlag(deps, by, false),
    runs: (limit, from) => store.jobs.list(limit, from),
    findRuns: ({ jobId, requestId, clientAppId, threadId, principalId }, limit, before) => {
      const filter = {
        ...(jobId !== undefined && { jobId }),
        ...(requestId !== undefined && { requestId }),
        ...(threadId !== undefined && { threadId }),
        ...(clientAppId !== undefined && { owner: clientAppId }),
        ...(principalId !== undefined && { principalId }),
      };
      return store.jobs.find(filter, limit, before);
    },
    audit: (job, afterSeq, limit) => store.jobs.audit(job, afterSeq, limit),
    evidence: (job, after) =>
      evidenceOf(job, { store, settings: deps.settings, current: (name) => deps.catalogue.current(name), clock: deps.clock }, after),
  };
}

async function stopFlag(deps: ApiDeps, by: AdminCaller, paused: boolean): Promise<void> {
  await (paused ? deps.stops.set('hub', by.name) : deps.stops.clear('hub'));
  const event = paused ? 'hub_paused' : 'hub_resumed';
  await deps.jobs.note([line(event, { job: '-', requestId: 'system' }, deps.clock.now(), { by: by.name })]);
  if (!paused) deps.wakeups.notify('worker');
}
