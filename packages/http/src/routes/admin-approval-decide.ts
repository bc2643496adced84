import { BailingError } from '@bailing/plugin-api';
import { admin, deskOf, idParam, json, noSuch, type Reply, type Route, type RouteRequest } from '../route.js';
import type { HubApi } from '../hub-api.js';
import { refusal } from '../problem.js';
import { decisionReply } from './approval-decision.js';

/** `POST /admin/api/tool-approvals/{id}/approve` (WIRE §9.5). */
export const adminApprove: Route = {
  method: 'POST',
  path: '/admin/api/tool-approvals/:id/approve',
  access: ['admin'],
  handle: (request, hub) => decideAt(request, hub, 'approved'),
};

/** `POST /admin/api/tool-approvals/{id}/deny`. */
export const adminDeny: Route = {
  method: 'POST',
  path: '/admin/api/tool-approvals/:id/deny',
  access: ['admin'],
  handle: (request, hub) => decideAt(request, hub, 'denied'),
};

async function decideAt(request: RouteRequest, hub: HubApi, verdict: 'approved' | 'denied'): Promise<Reply> {
  const desk = deskOf(hub);
  const by = admin(request);
  const { approver, comment } = wordsOf(json(request), by.name);
  const approval = await desk.approval(idParam(request, 'id'));
  if (!approval) throw noSuch('approval', request.params['id']);
  // Whoever looks at a question that is not open is told so at once; 409 is for those who raced.
  if (approval.status !== 'pending')
    return { ...refusal('BAILING_APPROVAL_CONFLICT', { status: approval.status, decision_id: approval.decisionId }), status: 400 };
  const decisionId = `console:${String(approval.id)}:${verdict}`;
  const outcome = await desk.decide(approval, { verdict, approver, comment, decisionId }, { auth: 'admin-token', console: true });
  return decisionReply(approval, verdict, outcome);
}

function wordsOf(body: unknown, fallback: string): { readonly approver: string; readonly comment: string } {
  const members = body !== null && typeof body === 'object' ? (body as Readonly<Record<string, unknown>>) : {};
  const text = (name: string, max: number): string => {
    const value = members[name] ?? '';
    if (typeof value !== 'string') throw new BailingError('BAILING_REQUEST_MALFORMED', { at: name, detail: `${name} must be a string.` });
    return value.trim().slice(0, max).toWellFormed();
  };
  return { approver: text('approver', 64) || fallback, comment: text('comment', 1_000) };
}
