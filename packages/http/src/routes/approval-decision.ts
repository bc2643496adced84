import { DECISION_BODY_BYTES, HEADERS } from '@bailing/contract';
import type { DecisionOutcome } from '@bailing/engine';
import type { Approval } from '@bailing/engine/ports';
import { readToken } from '../auth.js';
import { refusal } from '../problem.js';
import { deskOf, json, type Reply, type Route, type RouteRequest } from '../route.js';
import { readDecision } from './decision-request.js';

/** `POST /approvals/{id}/decision` (WIRE §9.3 to §9.5), by bearer token or by signature; authentication comes before existence. */
export const approvalDecision: Route = {
  method: 'POST',
  path: '/approvals/:id/decision',
  access: 'own',
  maxBytes: DECISION_BODY_BYTES,
  async handle(request, hub) {
    const desk = deskOf(hub);
    const { approval, door } = await desk.admit(request.params['id'] ?? '', {
      token: readToken(request.headers, request.query),
      timestamp: header(request, HEADERS.timestamp),
      signature: header(request, HEADERS.signature),
      body: request.body,
    });
    const verdict = readDecision(json(request), approval);
    return decisionReply(approval, verdict.verdict, await desk.decide(approval, verdict, door));
  },
};

function header(request: RouteRequest, name: string): string | null {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

/** WIRE §9.5. Whoever comes late is told what stands. */
export function decisionReply({ id }: Approval, verdict: 'approved' | 'denied', outcome: DecisionOutcome): Reply {
  const base = { ok: true, id, status: verdict, decision_id: outcome.decisionId };
  switch (outcome.is) {
    case 'decided':
      return {
        status: 200,
        body: {
          ...base,
          idempotent: false,
          rerun: outcome.rerun !== 'none',
          ...(outcome.rerun !== 'none' && { rerun_when: outcome.rerun === 'now' ? 'now' : 'at_finish' }),
        },
      };
    case 'again':
      return { status: 200, body: { ...base, idempotent: true, rerun: false } };
    case 'conflict':
      return refusal('BAILING_APPROVAL_CONFLICT', { status: outcome.status, decision_id: outcome.standing });
    case 'decision-id-used':
      return refusal('BAILING_APPROVAL_DECISION_ID_USED', { decision_id: outcome.decisionId, approval_id: outcome.approval });
    case 'expired':
      return refusal('BAILING_APPROVAL_EXPIRED', { status: 'expired', decision_id: null });
    case 'void':
      return refusal('BAILING_APPROVAL_VOID', { status: 'void', decision_id: null });
  }
}
