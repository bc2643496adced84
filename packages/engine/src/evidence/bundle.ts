import type { Revision } from '../catalog/index.js';
import { parsed } from '../jobs/view.js';
import type { Approval, AuditRow, Outgoing, RouteSettings, Settings, Store } from '../ports/index.js';
import { diagnose, type Diagnosis, type Facts } from './diagnosis.js';
import { REDACTION, redactValue } from './redact.js';

export interface BundleDeps {
  readonly store: Pick<Store, 'jobs' | 'approvals' | 'calls' | 'outbox'>;
  readonly settings: () => Settings;
  readonly current: (provider: string) => Revision | undefined;
  readonly clock: { readonly now: () => number };
}

type Members = Readonly<Record<string, unknown>>;

/** WIRE §15.4, redacted. Everything a stranger needs to tell how a job went, and nothing that opens anything. */
export interface DebugBundle extends Members {
  readonly kind: 'bailing-job-debug-bundle';
  readonly diagnosis: readonly Diagnosis[];
  readonly identifiers: Members;
  readonly outcome: Members;
  readonly counts: Members;
  readonly events: readonly Members[];
}

const PAGE = 500;
const ROWS_MAX = 5_000;
const LETTERS_MAX = 500;
const PREVIEW_CHARS = 2_000;

/** Null for a job nobody knows. Reads only. */
export async function debugBundle(id: string, deps: BundleDeps): Promise<DebugBundle | null> {
  const facts = await factsOf(id, deps);
  return facts && (redactValue(assembled(facts)) as DebugBundle);
}

async function factsOf(id: string, { store, settings, current, clock }: BundleDeps): Promise<Facts | null> {
  const job = await store.jobs.get(id);
  if (!job) return null;
  const [rows, holding, approvals, open, letters] = await Promise.all([
    rowsOf(id, store),
    store.jobs.holding(id),
    store.approvals.ofJob(id),
    store.calls.unresolved(id),
    store.outbox.deadOf(id, LETTERS_MAX),
  ]);
  return {
    job,
    rows,
    holding,
    approvals,
    open,
    letters,
    settings: settings(),
    current,
    now: clock.now(),
  };
}

async function rowsOf(job: string, { jobs }: BundleDeps['store']): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  for (;;) {
    const page = await jobs.audit(job, rows.at(-1)?.seq ?? 0, PAGE);
    rows.push(...page);
    if (page.length < PAGE || rows.length >= ROWS_MAX) return rows;
  }
}

function assembled(facts: Facts): DebugBundle {
  const { job, rows, approvals, letters, settings, now } = facts;
  const events = rows.map(eventOf);
  const route = settings.route(job.route);
  return {
    kind: 'bailing-job-debug-bundle',
    version: 1,
    generated_at: new Date(now).toISOString(),
    redaction: REDACTION,
    identifiers: identifiers(facts),
    principal: ((parsed(job.metadata) ?? {}) as Members)['principal'] ?? null,
    dispatch: dispatch(facts, route),
    route: { current_exists: route !== undefined, current: route ?? null, job_snapshot: null },
    outcome: { status: job.status, error: job.error, usage: parsed(job.usage), result_preview: (job.result ?? '').slice(0, PREVIEW_CHARS) },
    counts: {
      audit_events: rows.length,
      approvals: approvals.length,
      messages: 0,
      delivery_dlq: letters.length,
      trace_errors: rows.filter(({ severity }) => severity === 'error').length,
      trace_warnings: rows.filter(({ severity }) => severity === 'warning').length,
    },
    approvals: approvals.map(approvalOf),
    delivery_dlq: letters.map(letterOf),
    messages: [],
    unresolved: facts.open.map(({ key, state, reason }) => ({ tool: key.tool, state, reason, idempotency_key: key.idem })),
    events,
    ...(rows.length >= ROWS_MAX && { events_truncated: true }),
    diagnosis: diagnose(facts),
    raw_input_preview: job.input.slice(0, PREVIEW_CHARS),
  };
}

function identifiers({ job }: Facts): Members {
  return {
    job_id: job.id,
    request_id: job.requestId,
    client_app_id: job.owner === 'admin' ? null : job.owner,
    thread_id: job.threadId ?? null,
    route_key: job.route,
    principal_id: job.principalId,
  };
}

function dispatch({ job, holding }: Facts, route: RouteSettings | undefined): Members {
  return {
    status: job.status,
    target: job.target,
    profile: route?.profile ?? '',
    project: '',
    route_key: job.route,
    route_name: route?.name ?? job.route,
    lease_until: holding?.claim == null ? null : new Date(holding.leaseUntil).toISOString(),
    executor_id: holding?.executor ?? null,
    attempts: job.attempts,
    has_claim_token: holding?.claim != null,
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
  };
}

function eventOf({ at, event, stage, severity, title, summary, detail }: AuditRow): Members {
  return { ts: new Date(at).toISOString(), event, stage, severity, title, summary, detail: parsed(detail) ?? {} };
}

function approvalOf(row: Approval): Members {
  const { id, tool, scope, provider, risk, policy, reason, summary, args, argsHash, status, createdAt } = row;
  return {
    id,
    tool,
    scope,
    provider,
    risk,
    policy,
    reason,
    summary,
    args: parsed(args),
    args_hash: argsHash,
    status,
    created_at: new Date(createdAt).toISOString(),
  };
}

function letterOf({ id, kind, error, attempt, createdAt }: Outgoing): Members {
  return { id, kind, error, attempts: attempt, created_at: new Date(createdAt).toISOString() };
}
