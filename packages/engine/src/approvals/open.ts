import type { FrozenCall, GovernedCall, Verdict } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { CallDeps } from '../calls/deps.js';
import type { Seat } from '../calls/seat.js';
import { DEFAULT_MAX_CALLS } from '@bailing/contract';
import { isSend } from '../messages/index.js';
import type { ApprovalStore, Key, NewOutgoing, Question } from '../ports/index.js';

export interface Held {
  readonly seat: Seat;
  readonly call: GovernedCall;
  readonly frozen: FrozenCall;
  readonly key: Key;
  readonly verdict: Extract<Verdict, { is: 'hold' }>;
  /** The gates whose holds this approval answers. */
  readonly holds: readonly string[];
  readonly summary: string;
  /** The approval this question takes the place of. */
  readonly supersedes?: Question['supersedes'];
}

/** Opens the frozen question (WIRE §9.1): the full arguments, what will be sent, and why it was held. */
export async function openApproval(held: Held, deps: CallDeps): ReturnType<ApprovalStore['open']> {
  const { call, key, verdict, seat } = held;
  const tools = deps.settings().route(seat.job.route)?.tools;
  const expiry = tools?.approval?.expires_after_ms;
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
    // As they were written: the order of members is part of the bytes an approver saw, though not of the hash.
    args: JSON.stringify(call.args),
    frozen: JSON.stringify(intentOf(held, routeNames(held, deps))),
    subject: call.subject,
    fingerprint: call.tool.fingerprint,
    line: pending,
    // A message is not counted with the calls of its job.
    ...(!isSend(call.tool) && { maxCalls: tools?.max_calls ?? DEFAULT_MAX_CALLS }),
    notify: notification(seat, tools?.approval ?? { type: 'console' }),
    ...(expiry !== undefined && { expiresAt: now + expiry }),
    ...(held.supersedes && { supersedes: held.supersedes }),
  });
  if (opened.is === 'opened') {
    deps.observe(pending, call);
    deps.wakeups.notify('outbox');
  }
  return opened;
}

interface RouteNames {
  readonly name: string;
  readonly subjectField: string | undefined;
}

function routeNames({ seat, call }: Held, deps: CallDeps): RouteNames {
  const route = deps.settings().route(seat.job.route);
  const source = route?.tools?.sources.find(({ provider }) => provider === call.tool.provider);
  return { name: route?.name ?? seat.job.route, subjectField: source?.subject_field };
}

/** What tells the approver, put into the question's own commit. Its body is composed once the question has its number. */
function notification(seat: Seat, { type, url }: { readonly type: string; readonly url?: string }): NewOutgoing {
  const target = JSON.stringify({ type, ...(url !== undefined && { url }) });
  const { id, requestId, client } = seat.job;
  return { dedupe: 'approval:', kind: 'approval', ref: '', target, body: null, job: id, requestId, signAs: client };
}

/** The intent as an approver will see it (WIRE §9.2), with exactly what will be sent. */
function intentOf({ call, frozen, verdict, seat, summary, holds }: Held, names: RouteNames): Readonly<Record<string, unknown>> {
  return {
    kind: 'tool_approval_intent',
    schema_version: 'bailing.approval-intent.v1',
    job_id: seat.job.id,
    request_id: seat.job.requestId,
    route_key: seat.job.route,
    route_name: names.name,
    source: seat.job.source,
    ...(call.subject !== '' && { subject: call.subject }),
    ...(names.subjectField !== undefined && { subject_field: names.subjectField }),
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
