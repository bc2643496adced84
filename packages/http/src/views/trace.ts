import { debugReport, type Evidence } from '@bailing/engine';
import type { ApprovalRow, AuditRow } from '@bailing/engine/ports';
import { jobView, parsed } from './job.js';
import { iso } from './time.js';

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

/** The answer of the trace endpoints (WIRE §15.3). `lookup` says how the job was found. */
export function traceAnswer(evidence: Evidence, lookup: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { job, trace, approvals, messages, bundle, next } = evidence;
  return {
    job: jobView(job),
    trace,
    approvals: approvals.map(approvalView),
    messages,
    lookup,
    debug_bundle: bundle,
    debug_report: debugReport(bundle),
    ...(next !== null && { trace_truncated: true, next_after_seq: next }),
  };
}
