import type { RawBody } from './bytes.js';
import { callbackFailureReason, signCallback, type SignedCallback } from './callback.js';
import type { FailureReason } from './reasons.js';

/** An answer to an approval question (WIRE 9.4). */
export interface Decision {
  readonly approvalId: number;
  readonly jobId: string;
  readonly requestId: string;
  readonly argsHash: string;
  readonly decisionId: string;
  readonly decision: 'approved' | 'denied';
  readonly approver: string;
  readonly comment?: string | undefined;
  readonly decidedAt?: string | undefined;
}

/** Thrown for a decision that the hub would refuse (SIGNING 15). */
export class InvalidDecision extends TypeError {
  readonly code = 'invalid_decision';
  constructor(member: string) {
    super(
      `The member ${member} of the decision is missing or malformed. Copy the ids from the approval notice; see SIGNING 15 for the forms.`,
    );
    this.name = 'InvalidDecision';
  }
}

const filled = (value: unknown): boolean => typeof value === 'string' && value !== '';
const optional = (value: unknown): boolean => value === undefined || typeof value === 'string';

const RULES: readonly (readonly [keyof Decision, (value: unknown) => boolean])[] = [
  ['approvalId', (value) => Number.isSafeInteger(value) && Number(value) > 0],
  ['jobId', filled],
  ['requestId', filled],
  ['argsHash', (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)],
  ['decisionId', (value) => typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,128}$/.test(value)],
  ['decision', (value) => value === 'approved' || value === 'denied'],
  ['approver', filled],
  ['comment', optional],
  ['decidedAt', optional],
];

/** The body of a decision: compact JSON, members in the order of SIGNING 14. @throws {InvalidDecision} */
export function decisionBody(decision: Decision): string {
  for (const [member, holds] of RULES) if (!holds(decision[member])) throw new InvalidDecision(member);
  return JSON.stringify({
    kind: 'tool_approval_decision',
    schema_version: 'bailing.approval-decision.v1',
    approval_id: decision.approvalId,
    job_id: decision.jobId,
    request_id: decision.requestId,
    args_hash: decision.argsHash,
    decision_id: decision.decisionId,
    decision: decision.decision,
    approver: decision.approver,
    comment: decision.comment,
    decided_at: decision.decidedAt,
  });
}

/**
 * Builds and signs a decision for `POST /approvals/{id}/decision`. Send exactly `body` with `headers`. `timestamp` is unix milliseconds.
 * @throws {InvalidDecision}
 */
export function signDecision(
  secret: string,
  decision: Decision,
  options: { timestamp?: number | string } = {},
): { body: string; headers: Record<string, string> } {
  const body = decisionBody(decision);
  const timestamp = String(options.timestamp ?? Date.now());
  const signature = signCallback(secret, { timestamp, rawBody: body });
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-bailing-timestamp': timestamp, 'x-bailing-signature': signature },
  };
}

/** Why a signed decision does not verify, or `null`. Milliseconds, as a callback. */
export function decisionFailureReason(secret: string, decision: SignedCallback): FailureReason | null {
  return callbackFailureReason(secret, decision);
}

/** True when a signed decision verifies. */
export function verifyDecision(secret: string, decision: SignedCallback & { rawBody?: RawBody }): boolean {
  return callbackFailureReason(secret, decision) === null;
}
