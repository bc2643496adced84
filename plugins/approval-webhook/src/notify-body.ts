import type { ApprovalRequest } from '@bailing/plugin-api';

/** The plain notification (WIRE §9.2): `args` is the whole canonical text. */
export function notifyBody(request: ApprovalRequest): object {
  const { approvalId, jobId, requestId, tool, scope, risk, policy, reason, intent, summary } = request;
  return {
    kind: 'tool_approval',
    approval_id: approvalId,
    job_id: jobId,
    request_id: requestId,
    ...{ tool, scope, risk, policy, reason },
    args: JSON.stringify(request.args),
    intent,
    message: `${tool} waits for approval ${String(approvalId)}: ${summary} (${reason})`,
  };
}
