import type { ApprovalRequest } from '@bailing/plugin-api';

/** `tool_approval_request` (WIRE §9.2): nothing is cut, and `intent.request` shows exactly what will be sent. */
export function requestBody(request: ApprovalRequest): object {
  const { approvalId, jobId, requestId, argsHash, intent } = request;
  const { confirm_when: confirmWhen, subject_field: subjectField, route_key: routeKey } = intent;
  return {
    kind: 'tool_approval_request',
    approval_id: approvalId,
    job_id: jobId,
    request_id: requestId,
    route: request.route,
    ...(typeof routeKey === 'string' && { route_key: routeKey }),
    ...(request.subject !== '' && { subject: request.subject }),
    ...(typeof subjectField === 'string' && { subject_field: subjectField }),
    provider: request.provider,
    tool: request.tool,
    scope: request.scope,
    risk: request.risk,
    policy: request.policy,
    reason: request.reason,
    method: request.method,
    path: request.path,
    args: request.args,
    args_hash: argsHash,
    ...(request.summary !== '' && { summary: request.summary }),
    ...(confirmWhen !== undefined && { confirm_when: confirmWhen }),
    intent,
    decision_path: request.decisionPath,
    decision_contract: contractOf(request),
    metadata: request.metadata,
  };
}

const KIND = { kind: 'tool_approval_decision', schema_version: 'bailing.approval-decision.v1' } as const;

function contractOf({ approvalId, jobId, requestId, argsHash }: ApprovalRequest): object {
  const match = { approval_id: approvalId, job_id: jobId, request_id: requestId, args_hash: argsHash };
  return {
    ...KIND,
    required_fields: ['approval_id', 'job_id', 'request_id', 'args_hash', 'decision_id', 'decision', 'approver'],
    decision_values: ['approved', 'denied'],
    idempotency: 'decision_id',
    match,
    example: {
      ...KIND,
      ...match,
      decision_id: `biz-${String(approvalId)}-<your-approval-record-id>`,
      decision: 'approved',
      approver: '<business-user-id>',
      comment: '',
    },
  };
}
