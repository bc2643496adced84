import { attemptsOf } from '@bailing/engine';
import type { Approval, Outgoing, Unresolved } from '@bailing/engine/ports';
import { parsed } from './job.js';
import { iso } from './time.js';
import { approvalView } from './trace.js';

/** A frozen question as a person at the desk sees it: the whole intent, what will be sent, and what became of it. */
export function deskApprovalView(row: Approval): Record<string, unknown> {
  const intent = parsed(row.frozen) as Record<string, unknown> | null;
  return {
    ...approvalView(row),
    request_id: row.requestId,
    method: row.method,
    path: row.path,
    idempotency_key: row.idem,
    intent: intent && { approval_id: row.id, ...intent },
    decision_path: `/approvals/${String(row.id)}/decision`,
    decision_id: row.decisionId,
    decided_by: row.decidedBy,
    decision_comment: row.comment,
    decided_at: isoOrNull(row.decidedAt),
    used_at: isoOrNull(row.usedAt),
    expires_at: isoOrNull(row.expiresAt),
    void_reason: row.voidReason,
  };
}

/** An unresolved write with what is compared with the records of the business (WIRE §8.3). */
export function unresolvedView(row: Unresolved): Record<string, unknown> {
  return {
    id: row.id,
    attempt: row.attempt,
    job_id: row.key.job,
    request_id: row.requestId,
    subject: row.subject,
    provider: row.provider,
    tool: row.key.tool,
    scope: row.scope,
    state: row.state,
    reason: row.reason,
    args: parsed(row.args),
    args_hash: row.key.argsHash,
    idempotency_key: row.key.idem,
    request_digest: row.digest,
    attempted_at: iso(row.attemptedAt),
    send_by: iso(row.sendBy),
    not_applied_after: iso(row.sendBy + 300_000),
    probes: row.probes,
    evidence: parsed(row.evidence),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

const PREVIEW_CHARS = 500;

/** A dead letter (WIRE §10.4). */
export function deadLetterView(row: Outgoing): Record<string, unknown> {
  const target = parsed(row.target) as { readonly type?: string; readonly url?: string; readonly to?: string | readonly string[] } | null;
  return {
    id: row.id,
    kind: row.kind,
    ref: row.ref,
    parent_job_id: row.job,
    channel: target?.type ?? row.kind,
    recipient: target?.url ?? [target?.to ?? []].flat().slice(0, 100).join('|'),
    content_preview: (row.body ?? '').slice(0, PREVIEW_CHARS).toWellFormed(),
    error: row.error ?? '',
    attempts: attemptsOf(row),
    resolved: row.state === 'resolved',
    created_at: iso(row.createdAt),
    resolved_at: row.state === 'resolved' ? iso(row.updatedAt) : null,
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
