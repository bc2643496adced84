import type { ApprovalRow, AuditRow, JobRow, Stage } from '@bailing/engine/ports';
import { jobView, parsed } from './job.js';
import { iso } from './time.js';

const STAGES: readonly Stage[] = [
  ...(['launch', 'context', 'execution', 'tool', 'approval', 'delivery'] as const),
  ...(['summary', 'recovery', 'channel', 'config', 'system'] as const),
];

/** One ledger row as the wire shows it (WIRE §15.1). */
export function auditView(row: AuditRow): Record<string, unknown> {
  return {
    seq: row.seq,
    ts: iso(row.at),
    job_id: row.job,
    request_id: row.requestId,
    event: row.event,
    stage: row.stage,
    severity: row.severity,
    title: row.title,
    summary: row.summary,
    detail: parsed(row.detail) ?? {},
  };
}

/** A stored question as the trace shows it. */
export function approvalView(row: ApprovalRow): Record<string, unknown> {
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
    args: parsed(row.args),
    args_hash: row.argsHash,
    subject: row.subject,
    status: row.status,
    created_at: iso(row.createdAt),
  };
}

/** `trace` of WIRE §15.3: counts per stage and the events in order of writing. */
export function traceView(job: JobRow, rows: readonly AuditRow[], approvals: readonly ApprovalRow[]): Record<string, unknown> {
  const events = rows.map((row) => {
    const { ts, event, stage, severity, title, summary, detail } = auditView(row);
    return { ts, event, stage, severity, title, summary, detail };
  });
  return { summary: summaryOf(job, rows, approvals), events };
}

function summaryOf(job: JobRow, rows: readonly AuditRow[], approvals: readonly ApprovalRow[]): Record<string, unknown> {
  const count = (test: (row: AuditRow) => boolean): number => rows.filter(test).length;
  const named = (...events: string[]): number => count((row) => events.includes(row.event));
  const first = rows[0]?.at ?? job.createdAt;
  const last = rows.at(-1)?.at ?? job.updatedAt;
  return {
    job_id: job.id,
    request_id: job.requestId,
    status: job.status,
    stage_count: Object.fromEntries(STAGES.map((stage) => [stage, count((row) => row.stage === stage)])),
    event_count: rows.length,
    error_count: count((row) => row.severity === 'error'),
    warning_count: count((row) => row.severity === 'warning'),
    tool_calls: named('tool_call'),
    tool_results: named('tool_result'),
    approvals: approvals.length,
    deliveries: count((row) => row.stage === 'delivery'),
    llm_requests: named('llm_request'),
    perceptions: count((row) => row.event.startsWith('perception')),
    knowledge_events: count((row) => row.event.startsWith('kb_')),
    message_count: 0,
    duration_ms: Math.max(0, last - first),
  };
}

/** The answer of the trace endpoints. `lookup` says how the job was found. */
export function traceAnswer(
  job: JobRow,
  rows: readonly AuditRow[],
  approvals: readonly ApprovalRow[],
  lookup: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return {
    job: jobView(job),
    trace: traceView(job, rows, approvals),
    approvals: approvals.map(approvalView),
    messages: [],
    lookup,
  };
}
