import type { Approval, ApprovalStatus, ApprovalStore, Decided, Decision, Ending, Ms, Question } from '@bailing/engine/ports';
import {
  approvalById,
  type ApprovalRecord,
  approvalsByStatus,
  approvalsDue,
  approvalsNewest,
  approvalsOfJob,
  approvalsOpenAfter,
  unspentOfJob,
} from '../statements/approvals.js';
import { decideOnApproval } from '../units/decide-approval.js';
import { endApprovals } from '../units/end-approvals.js';
import { openApproval } from '../units/open-approval.js';
import { type House, read } from './house.js';

const PAGE_MAX = 500;
const OPEN = ['pending', 'approved'] as const;

export class SqlApprovalStore implements ApprovalStore {
  constructor(private readonly house: House) {}

  open(question: Question): ReturnType<ApprovalStore['open']> {
    return this.house.lanes.submit(openApproval(question));
  }

  async ofJob(job: string): Promise<readonly Approval[]> {
    return (await read(this.house, approvalsOfJob, [job])).map(approvalOf);
  }

  async get(id: number): Promise<Approval | null> {
    const [row] = await read(this.house, approvalById, [id]);
    return row ? approvalOf(row) : null;
  }

  async list(
    { status, before }: { readonly status?: ApprovalStatus; readonly before?: number },
    limit: number,
  ): Promise<readonly Approval[]> {
    const from = before ?? Number.MAX_SAFE_INTEGER;
    const found =
      status === undefined
        ? await read(this.house, approvalsNewest, [from, page(limit)])
        : await read(this.house, approvalsByStatus, [status, from, page(limit)]);
    return found.map(approvalOf);
  }

  async unspent(job: string): Promise<readonly Approval[]> {
    return (await read(this.house, unspentOfJob, [job])).map(approvalOf);
  }

  decide(decision: Decision): Promise<Decided> {
    return this.house.lanes.submit(decideOnApproval(decision));
  }

  async due(before: Ms, limit: number): Promise<readonly Approval[]> {
    const found = await Promise.all(OPEN.map((status) => read(this.house, approvalsDue, [status, before, page(limit)])));
    return found.flat().map(approvalOf).slice(0, page(limit));
  }

  async openAfter(id: number, limit: number): Promise<readonly Approval[]> {
    const found = await Promise.all(OPEN.map((status) => read(this.house, approvalsOpenAfter, [status, id, page(limit)])));
    return found
      .flat()
      .map(approvalOf)
      .sort((a, b) => a.id - b.id)
      .slice(0, page(limit));
  }

  async expire(endings: readonly Ending[]): Promise<number> {
    return endings.length === 0 ? 0 : this.house.lanes.submit(endApprovals(endings, 'expired', null));
  }

  async voidOpen(endings: readonly Ending[], reason: string): Promise<number> {
    return endings.length === 0 ? 0 : this.house.lanes.submit(endApprovals(endings, 'void', reason));
  }
}

function page(limit: number): number {
  return Math.max(1, Math.min(Math.trunc(limit), PAGE_MAX));
}

function approvalOf(row: ApprovalRecord): Approval {
  const { id, tool, scope, provider, risk, policy, reason, method, path, summary, fingerprint } = row;
  return {
    ...{ id, tool, scope, provider, risk, policy, reason, method, path, summary, fingerprint },
    job: row.job_id,
    requestId: row.request_id,
    args: row.args_json,
    argsHash: row.args_hash,
    idem: row.idempotency_key,
    frozen: row.intent,
    subject: row.on_behalf_of,
    status: row.status as ApprovalStatus,
    decisionId: row.decision_id,
    decidedBy: row.decided_by,
    comment: row.decision_comment,
    decidedAt: row.decided_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    voidReason: row.void_reason,
    createdAt: row.created_at,
  };
}
