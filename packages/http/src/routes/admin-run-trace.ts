import type { AuditRow, JobRow } from '@bailing/engine/ports';
import type { HubApi } from '../hub-api.js';
import type { Route } from '../route.js';
import { traceAnswer } from '../views/trace.js';
import { runOf } from './admin-run.js';

const PAGE = 500;
/** More rows than this are told by count and not sent. */
const ROWS_MAX = 5_000;

/** `GET /admin/api/runs/{job}/trace` (WIRE §15.3). */
export const adminRunTrace: Route = {
  method: 'GET',
  path: '/admin/api/runs/:job/trace',
  access: ['admin'],
  async handle(request, hub) {
    const row = await runOf(request, hub);
    return { status: 200, body: await traceOf(row, hub, { by: 'job_id', job_id: row.id }) };
  },
};

/** The trace answer of one job, all its rows read in pages. */
export async function traceOf(row: JobRow, hub: HubApi, lookup: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const rows: AuditRow[] = [];
  for (;;) {
    const page = await hub.audit(row.id, rows.at(-1)?.seq ?? 0, PAGE);
    rows.push(...page);
    if (page.length < PAGE || rows.length >= ROWS_MAX) break;
  }
  const answer = traceAnswer(row, rows, await hub.approvals(row.id), lookup);
  return rows.length >= ROWS_MAX ? { ...answer, trace_truncated: true } : answer;
}
