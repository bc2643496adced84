import type { ApprovalStatus } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import { deskOf, idParam, noSuch, queryInt, type Route } from '../route.js';
import { deskApprovalView } from '../views/desk.js';

const STATUSES: readonly string[] = ['pending', 'approved', 'denied', 'expired', 'void'];

/** `GET /admin/api/tool-approvals` (WIRE §9.5): newest first, at most 50; `before` goes on from an id. */
export const adminApprovals: Route = {
  method: 'GET',
  path: '/admin/api/tool-approvals',
  access: ['admin'],
  async handle(request, hub) {
    const status = request.query.get('status') ?? 'pending';
    if (status !== 'all' && !STATUSES.includes(status))
      throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'status', detail: `status is one of ${STATUSES.join(', ')} or all.` });
    const limit = queryInt(request, 'limit', { min: 1, max: 50, default: 50 });
    const before = queryInt(request, 'before', { min: 0, max: 9_999_999_999, default: 0 });
    const filter = { ...(status !== 'all' && { status: status as ApprovalStatus }), ...(before > 0 && { before }) };
    return { status: 200, body: (await deskOf(hub).approvals(filter, limit)).map(deskApprovalView) };
  },
};

/** `GET /admin/api/tool-approvals/{id}`: the whole frozen question. */
export const adminApproval: Route = {
  method: 'GET',
  path: '/admin/api/tool-approvals/:id',
  access: ['admin'],
  async handle(request, hub) {
    const approval = await deskOf(hub).approval(idParam(request, 'id'));
    if (!approval) throw noSuch('approval', request.params['id']);
    return { status: 200, body: deskApprovalView(approval) };
  },
};
