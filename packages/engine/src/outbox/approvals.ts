import type { ApprovalAdapter, ApprovalKind, ApprovalRequest, ApprovalTarget } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import type { Approval, ApprovalStore, Outgoing } from '../ports/index.js';
import type { OutboxSender, SendEnd } from './sender.js';

export interface ApprovalSenderDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  /** Adapter kinds by name; a plugin brings each. */
  readonly kinds: ReadonlyMap<string, ApprovalKind>;
}

/** Tells approvers of frozen questions, through the adapter that the route named. What was decided meanwhile is not sent any more. */
export function approvalSender(deps: ApprovalSenderDeps): OutboxSender {
  const event = 'approval_notify';
  return {
    event,
    compose: async (row) => {
      const approval = await deps.approvals.get(Number(row.ref));
      if (approval?.status !== 'pending') return skipped(`approval_${approval?.status ?? 'unknown'}`);
      const adapter = adapterOf(row, deps);
      if (!adapter) return { is: 'final', error: `no plugin brings the approval kind ${targetOf(row).type}`, event };
      const body = adapter.compose(requestOf(approval));
      return body === null ? skipped('console_only') : { is: 'body', body, event: adapter.event ?? event };
    },
    send: async (row, signal) => {
      const approval = await deps.approvals.get(Number(row.ref));
      if (approval?.status !== 'pending') return skipped(`approval_${approval?.status ?? 'unknown'}`);
      const adapter = adapterOf(row, deps);
      if (!adapter) return { is: 'final', error: `no plugin brings the approval kind ${targetOf(row).type}`, event };
      return attempt(adapter, row, signal);
    },
  };
}

async function attempt(adapter: ApprovalAdapter, row: Outgoing & { readonly body: string }, signal: AbortSignal): Promise<SendEnd> {
  const event = adapter.event ?? 'approval_notify';
  const url = targetOf(row).url ?? '';
  try {
    const sent = await adapter.send({ url, body: row.body, signAs: row.signAs }, signal);
    const status = sent.status === undefined ? {} : { status: sent.status };
    if (sent.is === 'sent') return { is: 'sent', event, url, ...status };
    return { is: sent.final ? 'final' : 'retry', error: sent.error, event, url, ...status };
  } catch (error) {
    const never = error instanceof BailingError && error.entry.retry === 'never';
    return { is: never ? 'final' : 'retry', error: error instanceof Error ? error.message : 'the adapter failed', event, url };
  }
}

function skipped(reason: string): SendEnd {
  return { is: 'moot', reason, event: 'approval_notify_skipped' };
}

function targetOf(row: Outgoing): ApprovalTarget {
  return JSON.parse(row.target) as ApprovalTarget;
}

function adapterOf(row: Outgoing, { kinds }: ApprovalSenderDeps): ApprovalAdapter | undefined {
  const target = targetOf(row);
  return kinds.get(target.type)?.open(target);
}

/** A stored question as its adapter passes it on: nothing cut, nothing computed anew. */
export function requestOf(approval: Approval): ApprovalRequest {
  const intent = { approval_id: approval.id, ...(JSON.parse(approval.frozen) as Readonly<Record<string, unknown>>) };
  const { route_name: route, metadata } = intent as { route_name?: string; metadata?: Readonly<Record<string, unknown>> };
  const { subject, provider, tool, scope, risk, policy, reason, method, path, argsHash, summary } = approval;
  return {
    approvalId: approval.id,
    jobId: approval.job,
    requestId: approval.requestId,
    route: route ?? '',
    ...{ subject, provider, tool, scope, risk, policy, reason, method, path, argsHash, summary },
    args: JSON.parse(approval.args) as Readonly<Record<string, unknown>>,
    decisionPath: `/approvals/${String(approval.id)}/decision`,
    intent,
    metadata: metadata ?? {},
  };
}
