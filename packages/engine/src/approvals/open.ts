import { canonicalJson } from '@bailing/contract';
import type { FrozenCall, GovernedCall, Verdict } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { CallDeps } from '../calls/deps.js';
import type { Seat } from '../calls/seat.js';
import type { ApprovalStore, Key } from '../ports/index.js';

export interface Held {
  readonly seat: Seat;
  readonly call: GovernedCall;
  readonly frozen: FrozenCall;
  readonly key: Key;
  readonly verdict: Extract<Verdict, { is: 'hold' }>;
  /** The gates whose holds this approval answers. */
  readonly holds: readonly string[];
  readonly summary: string;
}

/** Opens the frozen question (WIRE §9.1): the full arguments, what will be sent, and why it was held. */
export async function openApproval(held: Held, deps: Pick<CallDeps, 'approvals' | 'clock' | 'observe'>): ReturnType<ApprovalStore['open']> {
  const { call, key, verdict, seat } = held;
  const now = deps.clock.now();
  const pending = line('tool_approval_pending', { job: seat.job.id, requestId: seat.job.requestId }, now, {
    tool: call.tool.name,
    scope: call.tool.scope,
    risk: call.tool.risk,
    policy: verdict.policy,
    reason: verdict.reason,
    args_hash: call.argsHash,
    confirm_required: call.tool.confirmRequired,
    ...(verdict.condition && { confirm_when: verdict.condition }),
  });
  const opened = await deps.approvals.open({
    by: seat.by,
    key,
    requestId: seat.job.requestId,
    provider: call.tool.provider,
    scope: call.tool.scope,
    risk: call.tool.risk,
    policy: verdict.policy,
    reason: verdict.reason,
    method: call.tool.method,
    path: call.tool.path,
    summary: held.summary.slice(0, 1_000),
    args: canonicalJson(call.args),
    frozen: JSON.stringify(intentOf(held)),
    subject: call.subject,
    fingerprint: call.tool.fingerprint,
    line: pending,
  });
  if (opened.is === 'opened') deps.observe(pending, call);
  return opened;
}

/** The intent as an approver will see it (WIRE §9.2), with exactly what will be sent. */
function intentOf({ call, frozen, verdict, seat, summary, holds }: Held): Readonly<Record<string, unknown>> {
  return {
    kind: 'tool_approval_intent',
    schema_version: 'bailing.approval-intent.v1',
    job_id: seat.job.id,
    request_id: seat.job.requestId,
    route_key: seat.job.route,
    source: seat.job.source,
    subject: call.subject,
    provider: call.tool.provider,
    tool: call.tool.name,
    scope: call.tool.scope,
    risk: call.tool.risk,
    policy: verdict.policy,
    reason: verdict.reason,
    method: call.tool.method,
    path: call.tool.path,
    args: call.args,
    args_hash: call.argsHash,
    summary,
    holds,
    ...(verdict.condition && { confirm_when: verdict.condition }),
    request: { method: frozen.method, target: frozen.target, body: Buffer.from(frozen.body).toString('utf8'), digest: frozen.digest },
    metadata: seat.job.metadata,
  };
}
