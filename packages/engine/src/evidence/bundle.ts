import type { Revision } from '../catalog/index.js';
import { attemptsOf } from '../delivery/index.js';
import { parsed } from '../jobs/view.js';
import type { Approval, JobRow, JobStatus, Outgoing, RouteSettings, Settings, Store } from '../ports/index.js';
import { diagnose, type Diagnosis, type Facts } from './diagnosis.js';
import { ledgerOf } from './ledger.js';
import { messagesOf, type MessageView } from './messages.js';
import { REDACTION, redactValue } from './redact.js';
import { traceOf, type Trace } from './trace.js';

export interface BundleDeps {
  readonly store: Pick<Store, 'jobs' | 'approvals' | 'calls' | 'outbox' | 'conversations'>;
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

const LETTERS_MAX = 500;
const PREVIEW_CHARS = 2_000;

/** Everything that is kept about one job: as it is, and redacted for strangers. */
export interface Evidence {
  readonly job: JobRow;
  readonly trace: Trace;
  readonly approvals: readonly Approval[];
  readonly messages: readonly MessageView[];
  readonly bundle: DebugBundle;
  /** The `seq` after which `trace.events` goes on; null where it holds all. */
  readonly next: number | null;
}

/** Null for a job nobody knows. Reads only. Lines begin after the `seq` `after`. */
export async function evidenceOf(id: string, deps: BundleDeps, after = 0): Promise<Evidence | null> {
  const facts = await factsOf(id, deps, after);
  if (!facts) return null;
  const { job, ledger, approvals, messages } = facts;
  const trace = traceOf(job, ledger, approvals.length, messages.length);
  return { job, trace, approvals, messages, bundle: redactValue(assembled(facts, trace)) as DebugBundle, next: ledger.next };
}

/** Null for a job nobody knows. Reads only. */
export async function debugBundle(id: string, deps: BundleDeps): Promise<DebugBundle | null> {
  return (await evidenceOf(id, deps))?.bundle ?? null;
}

async function factsOf(id: string, { store, settings, current, clock }: BundleDeps, after: number): Promise<Facts | null> {
  const holding = await store.jobs.holding(id);
  if (!holding) return null;
  const { job } = holding;
  const unreadable: string[] = [];
  /** What cannot be read is said, and keeps nobody from the rest: a trace is asked for when something is broken. */
  const readable = <T>(what: string, rows: Promise<readonly T[]>): Promise<readonly T[]> =>
    rows.catch(() => {
      unreadable.push(what);
      return [];
    });
  const [ledger, approvals, open, letters, messages, thread] = await Promise.all([
    ledgerOf(id, store.jobs, after),
    store.approvals.ofJob(id),
    readable('the journal', store.calls.unresolved(id)),
    readable('the outbox', store.outbox.deadOf(id, LETTERS_MAX)),
    readable('the conversation', messagesOf(job, store.conversations)),
    job.status === 'queued' && typeof job.threadId === 'number' ? store.jobs.find({ threadId: job.threadId }, THREAD_MAX) : [],
  ]);
  const ahead = thread.filter((one) => one.id !== job.id && UNENDED.has(one.status) && one.createdAt <= job.createdAt);
  return { job, ledger, holding, approvals, open, letters, messages, ahead, unreadable, settings: settings(), current, now: clock.now() };
}

/** Of a conversation only so many jobs may be unended at once; more of the newest than that. */
const THREAD_MAX = 200;
const UNENDED: ReadonlySet<JobStatus> = new Set<JobStatus>(['queued', 'running', 'dispatched']);

function assembled(facts: Facts, trace: Trace): DebugBundle {
  const { job, ledger, approvals, letters, messages, settings, now } = facts;
  const route = settings.route(job.route);
  return {
    kind: 'bailing-job-debug-bundle',
    version: 1,
    generated_at: new Date(now).toISOString(),
    redaction: REDACTION,
    identifiers: identifiers(facts),
    principal: ((parsed(job.metadata) ?? {}) as Members)['principal'] ?? null,
    dispatch: dispatch(facts, route),
    route: { current_exists: route !== undefined, current: route ?? null, job_snapshot: snapshot(job) },
    outcome: { status: job.status, error: job.error, usage: parsed(job.usage), result_preview: cut(job.result ?? '') },
    counts: {
      audit_events: ledger.tally.total,
      approvals: approvals.length,
      messages: messages.length,
      delivery_dlq: letters.length,
      trace_errors: ledger.tally.errors,
      trace_warnings: ledger.tally.warnings,
    },
    approvals: approvals.map(approvalOf),
    delivery_dlq: letters.map(letterOf),
    messages,
    unresolved: facts.open.map(({ key, state, reason }) => ({ tool: key.tool, state, reason, idempotency_key: key.idem })),
    trace: trace.summary,
    events: trace.events,
    ...(ledger.next !== null && { events_truncated: true }),
    diagnosis: diagnose(facts),
    raw_input_preview: cut(job.input),
  };
}

function cut(text: string): string {
  return text.slice(0, PREVIEW_CHARS).toWellFormed();
}

/** What the job itself kept of its route when it was accepted; the rest of a route counts as it is now, at every call. */
function snapshot({ route, target, maxAttempts, specSet }: JobRow): Members {
  return { route_key: route, target, max_attempts: maxAttempts, spec_set: specSet ?? null };
}

function identifiers({ job }: Facts): Members {
  return {
    job_id: job.id,
    request_id: job.requestId,
    client_app_id: job.owner === 'admin' ? null : job.owner,
    thread_id: job.threadId ?? null,
    route_key: job.route,
    principal_id: job.principalId ?? null,
  };
}

const TAKEN = new Set(['inhub_claimed', 'started', 'dispatched']);

function dispatch({ job, holding, ledger }: Facts, route: RouteSettings | undefined): Members {
  const taken = ledger.rows.findLast(({ event }) => TAKEN.has(event));
  return {
    status: job.status,
    target: job.target,
    profile: job.profile ?? '',
    project: '',
    route_key: job.route,
    route_name: route?.name ?? job.route,
    run_after: new Date(holding.runAfter).toISOString(),
    claimed_at: taken ? new Date(taken.at).toISOString() : null,
    lease_until: holding.claim === null ? null : new Date(holding.leaseUntil).toISOString(),
    executor_id: holding.executor,
    dispatched_at: holding.dispatchedAt === null ? null : new Date(holding.dispatchedAt).toISOString(),
    attempts: job.attempts,
    has_claim_token: holding.claim !== null,
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
  };
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

function letterOf(row: Outgoing): Members {
  const { id, kind, error, createdAt } = row;
  return { id, kind, error, attempts: attemptsOf(row), created_at: new Date(createdAt).toISOString() };
}
