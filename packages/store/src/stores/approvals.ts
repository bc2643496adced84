import type { ApprovalRow, ApprovalStore, Question } from '@bailing/engine/ports';
import { type ApprovalRecord, approvalsOfJob } from '../statements/approvals.js';
import { openApproval } from '../units/open-approval.js';
import { type House, read } from './house.js';

export class SqlApprovalStore implements ApprovalStore {
  constructor(private readonly house: House) {}

  open(question: Question): ReturnType<ApprovalStore['open']> {
    return this.house.lanes.submit(openApproval(question));
  }

  async ofJob(job: string): Promise<readonly ApprovalRow[]> {
    return (await read(this.house, approvalsOfJob, [job])).map(approvalRow);
  }
}

function approvalRow(row: ApprovalRecord): ApprovalRow {
  const { id, tool, scope, provider, risk, policy, reason, summary } = row;
  return {
    id,
    job: row.job_id,
    tool,
    scope,
    provider,
    risk,
    policy,
    reason,
    summary,
    args: row.args_json,
    argsHash: row.args_hash,
    subject: row.on_behalf_of,
    status: row.status as ApprovalRow['status'],
    createdAt: row.created_at,
  };
}
