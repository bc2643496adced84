import type { AutoDecision, CallResult, Evidence, SendRequest, executor, HandedOver, Proposal } from '@bailing/engine';
import type { AuditRow, JobCursor, JobHead, JobRow } from '@bailing/engine/ports';
import type { AdminsApi } from './admins-api.js';
import type { DeskApi } from './desk-api.js';
import type { FollowApi } from './follow-api.js';
import type { MetricsApi } from './metrics-api.js';
import type { OperateApi } from './operate-api.js';
import type { StopsApi } from './stops-api.js';
import type { ObjectsApi } from './objects-api.js';
import type { ToolProvidersApi } from './tool-providers-api.js';

/** Who asks. The server token, and loopback development without one, are administrators (`name` says which: `admin`, `dev`). */
export type Caller = AdminCaller | ClientCaller | ExecutorCaller;
export interface AdminCaller {
  readonly kind: 'admin';
  readonly name: string;
  /** A person's session; the server token where absent. */
  readonly via?: 'session';
  readonly role?: string;
  /** What the role may do (WIRE §1.5); everything where absent. */
  readonly perms?: readonly string[];
}
export interface ClientCaller {
  readonly kind: 'client';
  readonly appId: string;
}
export interface ExecutorCaller {
  readonly kind: 'executor';
  readonly name: string;
  /** Target names, or `*`. */
  readonly allowedTargets: readonly string[];
}

/** A `POST /run` body whose form was checked (WIRE §2.1). `route` is empty where an administrator named none. */
export interface RunRequest {
  readonly request_id: string;
  readonly input: string;
  readonly route: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly callback_url?: string;
  /** W3C trace context of the request, from its headers. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string };
  /** Administrators only, as is the next. */
  readonly source?: string;
  readonly profile?: string;
}

/** `new`: this request made the job. `same`: the owner asked before, also at the same moment. */
export type Accepted =
  | { readonly is: 'new'; readonly job: JobRow; readonly session: { readonly id: string; readonly isContinue: boolean } }
  | { readonly is: 'same'; readonly job: JobRow }
  /** `route: auto` that led nowhere, or to two routes alike (WIRE §2.5). */
  | { readonly is: 'unrouted'; readonly decision: AutoDecision };

export interface AutoPreviewRequest {
  readonly input: string;
  /** With the principal in it, where one was given. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly clientAppId?: string;
  readonly channel?: string;
}

/** How a `POST /send` went (WIRE §10.5). `pending`: not over when the patience ended; asking again with the same request_id tells. */
export type Sent =
  | { readonly is: 'sent'; readonly job: JobRow; readonly recipients: number }
  | { readonly is: 'same' | 'failed' | 'pending'; readonly job: JobRow };

/** WIRE §2.8; sent as it is. */
export interface HealthView {
  readonly app: { readonly name: string; readonly version: string };
  readonly build: { readonly commit: string; readonly branch: string; readonly build_time: string };
  readonly paused: boolean;
  readonly queue: { readonly running: number; readonly waiting: number };
  readonly backend: string;
  readonly configBackend: boolean;
  readonly observability: { readonly audit_write_failures: number; readonly last_audit_failure_at: string | null };
}
export interface ReadyView {
  readonly ready: boolean;
  readonly checks: {
    readonly state_backend: string;
    readonly database: 'ok' | 'failed';
    /** Present where it failed: `unreachable` or `full`. */
    readonly database_reason?: 'unreachable' | 'full';
    readonly migrations: { readonly status: 'ok' | 'pending'; readonly pending: number };
  };
}
export interface VersionView {
  readonly app: { readonly name: string; readonly version: string };
  readonly build: { readonly commit: string; readonly branch: string; readonly build_time: string };
  readonly runtime: { readonly node: string };
  readonly contracts: Readonly<Record<string, string>>;
  readonly migrations: { readonly latest: string; readonly total: number };
}

/** Filters of `GET /admin/api/runs/trace` (WIRE §15.3); every given one must match. */
export interface RunFilter {
  readonly jobId?: string;
  readonly requestId?: string;
  /** `client_id` and `client_app_id` mean the same client. */
  readonly clientAppId?: string;
  readonly threadId?: number;
  readonly principalId?: string;
}

/**
 * What the HTTP service needs of the hub: use cases, never storage. Refusals are thrown as `BailingError` with their code; the service turns them into
 * answers. Everything else that is thrown answers 500 and is logged.
 */
export interface HubApi {
  /** `token` null: none was sent (loopback development may admit that). Null: nobody. Compares in constant time. */
  authenticate(token: string | null): Promise<Caller | null>;
  health(): Promise<HealthView>;
  ready(): Promise<ReadyView>;
  version(): Promise<VersionView>;
  /** @throws BAILING_HUB_PAUSED; asked before a `/run` body is looked at (WIRE §2.2, step 2) */
  refuseWhilePaused(): Promise<void>;
  /** WIRE §2.2, steps 4 to 10. */
  run(caller: AdminCaller | ClientCaller, request: RunRequest): Promise<Accepted>;
  /** Which route a request would get, and why (WIRE §2.5); sent as it is. */
  /** Sends one message and waits for its end. @throws BailingError */
  send(caller: AdminCaller | ClientCaller, request: SendRequest, signal: AbortSignal): Promise<Sent>;
  autoPreview(request: AutoPreviewRequest): Readonly<Record<string, unknown>>;
  /** Null where it is unknown or another client's. */
  job(caller: AdminCaller | ClientCaller, id: string): Promise<JobRow | null>;
  /** Stops a job before its next call. `unknown`: there is none, or it is another client's; `writing`: a write has no known outcome. */
  cancel(caller: AdminCaller | ClientCaller, id: string, signal: AbortSignal): Promise<'cancelled' | 'ended' | 'writing' | 'unknown'>;
  pause(by: AdminCaller): Promise<void>;
  resume(by: AdminCaller): Promise<void>;
  /** Newest first, behind a cursor or an offset. */
  runs(limit: number, from: { readonly offset: number } | { readonly before: JobCursor }): Promise<readonly JobHead[]>;
  /** Newest first, behind a cursor; the filter holds at least one member. */
  findRuns(filter: RunFilter, limit: number, before?: JobCursor): Promise<readonly JobHead[]>;
  /** Ledger of one job in order of writing, after `afterSeq`. */
  audit(job: string, afterSeq: number, limit: number): Promise<readonly AuditRow[]>;
  /** Everything that is kept about one job, its lines beginning after `afterSeq`; null for one nobody knows. */
  evidence(job: string, afterSeq: number): Promise<Evidence | null>;
  /** Absent where the hub serves no executors: their paths are not found then. */
  readonly executors?: ExecutorApi;
  /** Stop flags; their paths are not found where it is absent. */
  readonly stops?: StopsApi;
  /** Decisions, settlements and dead letters; their paths are not found where it is absent. */
  readonly desk?: DeskApi;
  /** Reading jobs along; the path is not found where it is absent. */
  readonly follow?: FollowApi;
  /** Tool sources; their paths are not found where it is absent. */
  readonly toolProviders?: ToolProvidersApi;
  /** Metrics; the path is not found where it is absent. */
  readonly metrics?: MetricsApi;
  /** Questions of whoever runs the hub; their paths are not found where it is absent. */
  readonly operate?: OperateApi;
  /** Administrators and their sessions; their paths are not found where it is absent. */
  readonly admins?: AdminsApi;
  /** Configuration objects; their paths are not found where it is absent. */
  readonly objects?: ObjectsApi;
}

/** The executor protocol (WIRE §3). The caller is a token name and its targets; an administrator comes as `admin` with `*`. */
export interface ExecutorApi {
  /**
   * Waits up to `wait_ms` for work. `signal` aborts when the connection is lost or the server stops. Null: nothing. Whether a hand-over reached
   * the executor is told by `delivered` and `undelivered`.
   * @throws BailingError 403, 400 for targets that are blocked or not registered
   */
  claim(caller: ExecutorCaller, request: executor.ClaimRequest, signal: AbortSignal): Promise<HandedOver | null | 'paused'>;
  heartbeat(caller: ExecutorCaller, executorId: string): Promise<void>;
  /** @throws BailingError 404, 403, 400 */
  report(caller: ExecutorCaller, report: executor.ResultReport): Promise<executor.Reported>;
  /** `token` is the job's tool token, empty where none came. @throws BailingError 404, 401, 400 */
  toolDefs(job: string, token: string, names: readonly string[]): Promise<readonly object[]>;
  /** @throws BailingError 404, 401, 400, 429, 503 (WIRE §3.4, rows 1 to 8) */
  invokeTool(job: string, token: string, proposal: Proposal): Promise<CallResult>;
}
