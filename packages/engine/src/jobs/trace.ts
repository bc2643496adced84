import type { ApprovalRow, AuditRow, JobRow, Stage, Store } from '../ports/index.js';
import { jobView } from './view.js';

const PAGE = 500;
/** A trace is read whole (WIRE §15.3's limit of 100 is a defect), in pages, up to this many lines. */
const MAX_EVENTS = 20_000;

export interface TraceEvent {
  readonly ts: string;
  readonly event: string;
  readonly stage: Stage;
  readonly severity: string;
  readonly title: string;
  readonly summary: string;
  readonly detail: unknown;
}

export interface Trace {
  readonly job: Readonly<Record<string, unknown>>;
  readonly trace: { readonly summary: Readonly<Record<string, unknown>>; readonly events: readonly TraceEvent[] };
  readonly approvals: readonly Readonly<Record<string, unknown>>[];
}

/** Everything the ledger says about one job (WIRE §15.3), or null for an unknown job. */
export async function traceOf(jobId: string, store: Pick<Store, 'jobs' | 'approvals'>): Promise<Trace | null> {
  const job = await store.jobs.get(jobId);
  if (!job) return null;
  const [rows, approvals] = await Promise.all([ledger(jobId, store), store.approvals.ofJob(jobId)]);
  return {
    job: jobView(job),
    trace: { summary: summarise(job, rows, approvals), events: rows.map(eventOf) },
    approvals: approvals.map(approvalView),
  };
}

async function ledger(jobId: string, store: Pick<Store, 'jobs'>): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (;;) {
    const page = await store.jobs.audit(jobId, rows.at(-1)?.seq ?? 0, PAGE);
    rows.push(...page);
    if (page.length < PAGE || rows.length >= MAX_EVENTS) return rows;
  }
}

export function eventOf(row: AuditRow): TraceEvent {
  const { event, stage, severity, title, summary } = row;
  return { ts: new Date(row.at).toISOString(), event, stage, severity, title, summary, detail: JSON.parse(row.detail) as unknown };
}

function summarise(job: JobRow, rows: readonly AuditRow[], approvals: readonly ApprovalRow[]): Readonly<Record<string, unknown>> {
  const count = (test: (row: AuditRow) => boolean) => rows.filter(test).length;
  const stages = new Map<string, number>();
  for (const { stage } of rows) stages.set(stage, (stages.get(stage) ?? 0) + 1);
  const first = rows[0]?.at;
  const last = rows.at(-1)?.at;
  return {
    job_id: job.id,
    request_id: job.requestId,
    status: job.status,
    stage_count: Object.fromEntries(stages),
    event_count: rows.length,
    error_count: count(({ severity }) => severity === 'error'),
    warning_count: count(({ severity }) => severity === 'warning'),
    tool_calls: count(({ event }) => event === 'tool_call'),
    tool_results: count(({ event }) => event === 'tool_result'),
    approvals: approvals.length,
    deliveries: count(({ stage }) => stage === 'delivery'),
    llm_requests: count(({ event }) => event === 'llm_request'),
    ...(first !== undefined && last !== undefined && { duration_ms: last - first }),
  };
}

function approvalView(row: ApprovalRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    job_id: row.job,
    tool: row.tool,
    scope: row.scope,
    provider: row.provider,
    risk: row.risk,
    policy: row.policy,
    reason: row.reason,
    summary: row.summary,
    args: JSON.parse(row.args) as unknown,
    args_hash: row.argsHash,
    on_behalf_of: row.subject,
    status: row.status,
    created_at: new Date(row.createdAt).toISOString(),
  };
}
