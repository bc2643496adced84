import { queryInt, type Route } from '../route.js';
import { auditView } from '../views/trace.js';
import { runOf } from './admin-run.js';

/** `GET /admin/api/runs/{job}/audit` (WIRE §15.3): 100 ledger rows, or `limit` of them after `after_seq`. */
export const adminRunAudit: Route = {
  method: 'GET',
  path: '/admin/api/runs/:job/audit',
  access: ['admin'],
  async handle(request, hub) {
    const row = await runOf(request, hub);
    const limit = queryInt(request, 'limit', { min: 1, max: 1_000, default: 100 });
    const after = queryInt(request, 'after_seq', { min: 0, max: 9_999_999_999, default: 0 });
    return { status: 200, body: (await hub.audit(row.id, after, limit)).map(auditView) };
  },
};
