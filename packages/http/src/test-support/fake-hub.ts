import type { ApprovalRow, AuditRow, JobRow } from '@bailing/engine/ports';
import { BailingError, type Log } from '@bailing/plugin-api';
import { evidenceOf, type BundleDeps, type Evidence, type SendRequest } from '@bailing/engine';
import type { Sent } from '../hub-api.js';
import type {
  Accepted,
  AutoPreviewRequest,
  Caller,
  DeskApi,
  ExecutorApi,
  FollowApi,
  HubApi,
  RunFilter,
  RunRequest,
  StopsApi,
} from '../index.js';

export const ADMIN_TOKEN = 'server-token-for-tests-01';
export const CLIENT_TOKEN = 'a'.repeat(32);
export const OTHER_TOKEN = 'b'.repeat(32);
export const EXECUTOR_TOKEN = 'e'.repeat(32);
export const JOB_ID = '11111111-2222-4333-8444-555555555555';

const CALLERS: Readonly<Record<string, Caller>> = {
  [ADMIN_TOKEN]: { kind: 'admin', name: 'admin' },
  [CLIENT_TOKEN]: { kind: 'client', appId: 'crm' },
  [OTHER_TOKEN]: { kind: 'client', appId: 'shop' },
  [EXECUTOR_TOKEN]: { kind: 'executor', name: 'mac', allowedTargets: ['my-agent'] },
};

export function jobRow(more: Partial<JobRow> = {}): JobRow {
  return {
    id: JOB_ID,
    requestId: 'crm:1',
    owner: 'crm',
    route: 'refunds',
    target: 'llm',
    source: 'crm',
    input: 'Review refund 42.',
    metadata: '{"user_id":"179:1"}',
    sessionId: '99999999-2222-4333-8444-555555555555',
    isContinue: false,
    maxAttempts: 1,
    createdAt: 1_718_000_000_000,
    status: 'queued',
    result: null,
    error: null,
    usage: null,
    attempts: 0,
    callsUsed: 0,
    updatedAt: 1_718_000_000_500,
    ...more,
  } as JobRow;
}

export function auditRow(seq: number, more: Partial<AuditRow> = {}): AuditRow {
  return {
    seq,
    event: 'received',
    at: 1_718_000_000_000 + seq,
    job: JOB_ID,
    requestId: 'crm:1',
    stage: 'launch',
    severity: 'info',
    title: 'Received',
    summary: 'crm asked for refunds',
    detail: '{"target":"llm"}',
    ...more,
  };
}

/** A hub of plain memory. What it was asked is in its members. */
export class FakeHub implements HubApi {
  paused = false;
  requests: RunRequest[] = [];
  /** What the next `POST /send` comes to. */
  sent: Sent = { is: 'sent', job: jobRow({ target: 'channel-send', status: 'done' }), recipients: 2 };
  sends: SendRequest[] = [];
  jobs = new Map<string, JobRow>();
  ledger: AuditRow[] = [];
  questions: ApprovalRow[] = [];
  filters: RunFilter[] = [];
  /** Set to make `run` throw it or to wait for it. */
  beforeRun: () => Promise<void> = () => Promise.resolve();
  healthy = true;
  executors?: ExecutorApi;
  desk?: DeskApi;
  follow?: FollowApi;
  stops?: StopsApi;

  authenticate(token: string | null): Promise<Caller | null> {
    return Promise.resolve(token !== null && Object.hasOwn(CALLERS, token) ? (CALLERS[token] ?? null) : null);
  }
  health(): ReturnType<HubApi['health']> {
    const build = { commit: 'c', branch: 'b', build_time: 't' };
    return Promise.resolve({
      app: { name: 'bailing', version: '0.1.0' },
      build,
      paused: this.paused,
      queue: { running: 0, waiting: this.jobs.size },
      backend: 'sqlite',
      configBackend: true,
      observability: { audit_write_failures: 0, last_audit_failure_at: null },
    });
  }
  ready(): ReturnType<HubApi['ready']> {
    const migrations = { status: 'ok', pending: 0 } as const;
    return Promise.resolve({
      ready: this.healthy,
      checks: { state_backend: 'sqlite', database: this.healthy ? 'ok' : 'failed', migrations },
    });
  }
  version(): ReturnType<HubApi['version']> {
    return Promise.resolve({
      app: { name: 'bailing', version: '0.1.0' },
      build: { commit: 'c', branch: 'b', build_time: 't' },
      runtime: { node: process.version },
      contracts: { clientApi: 'bailing.client-api.v1' },
      migrations: { latest: '0001', total: 1 },
    });
  }
  refuseWhilePaused(): Promise<void> {
    return this.paused ? Promise.reject(new BailingError('BAILING_HUB_PAUSED')) : Promise.resolve();
  }
  async run(caller: Caller, request: RunRequest): Promise<Accepted> {
    await this.beforeRun();
    this.requests.push(request);
    const owner = caller.kind === 'client' ? caller.appId : 'admin';
    const before = [...this.jobs.values()].find((job) => job.requestId === request.request_id);
    if (before && before.owner !== owner && owner !== 'admin') throw new BailingError('BAILING_REQUEST_FOREIGN', { at: 'request_id' });
    if (before) return { is: 'same', job: before };
    const job = jobRow({ requestId: request.request_id, owner, route: request.route, input: request.input });
    this.jobs.set(job.id, job);
    return { is: 'new', job, session: { id: job.sessionId, isContinue: false } };
  }
  send(_caller: Caller, request: SendRequest): Promise<Sent> {
    this.sends.push(request);
    return Promise.resolve(this.sent);
  }

  autoPreview(request: AutoPreviewRequest): Readonly<Record<string, unknown>> {
    return { ok: false, error: 'route_auto_no_match', candidates: [], rows: [], principal: null, client: request.clientAppId ?? null };
  }
  job(caller: Caller, id: string): Promise<JobRow | null> {
    const job = this.jobs.get(id);
    return Promise.resolve(job && (caller.kind === 'admin' || (caller.kind === 'client' && caller.appId === job.owner)) ? job : null);
  }
  async cancel(caller: Caller, id: string): ReturnType<HubApi['cancel']> {
    const job = await this.job(caller, id);
    if (!job) return 'unknown';
    if (job.status === 'done') return 'ended';
    if (job.status === 'running') return 'writing';
    this.jobs.set(id, { ...job, status: 'rejected', error: 'cancelled' });
    return 'cancelled';
  }
  pause(): Promise<void> {
    this.paused = true;
    return Promise.resolve();
  }
  resume(): Promise<void> {
    this.paused = false;
    return Promise.resolve();
  }
  runs(limit: number, from: Parameters<HubApi['runs']>[1]): Promise<readonly JobRow[]> {
    const all = [...this.jobs.values()];
    const at = 'before' in from ? all.findIndex(({ id }) => id === from.before.id) + 1 : from.offset;
    return Promise.resolve(all.slice(at, at + limit));
  }
  findRuns(filter: RunFilter, limit: number): Promise<readonly JobRow[]> {
    this.filters.push(filter);
    const wanted = [...this.jobs.values()].filter((job) => filter.requestId === undefined || job.requestId === filter.requestId);
    return Promise.resolve(wanted.slice(0, limit));
  }
  audit(job: string, afterSeq: number, limit: number): Promise<readonly AuditRow[]> {
    return Promise.resolve(this.ledger.filter((row) => row.job === job && row.seq > afterSeq).slice(0, limit));
  }
  evidence(id: string, afterSeq: number): Promise<Evidence | null> {
    const job = this.jobs.get(id);
    const holding = job ? { job, claim: null, executor: null, leaseUntil: 0, runAfter: 0, dispatchedAt: null } : null;
    const none = () => Promise.resolve([]);
    const store = {
      jobs: { holding: () => Promise.resolve(holding), audit: this.audit.bind(this), find: none },
      approvals: { ofJob: () => Promise.resolve(this.questions) },
      ...{ calls: { unresolved: none }, outbox: { deadOf: none }, conversations: { before: none } },
    };
    const settings = { route: () => undefined };
    const deps = { store, settings: () => settings, current: () => undefined, clock: { now: () => 1_718_000_001_000 } };
    return evidenceOf(id, deps as unknown as BundleDeps, afterSeq);
  }
}

/** A log that keeps its lines as text. */
export function keepingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
