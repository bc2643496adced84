import { jobCursor, jobPage } from '../job-cursor.js';
import { malformed } from '../members.js';
import { queryInt, type Route } from '../route.js';
import { jobHead } from '../views/job.js';

/** `GET /admin/api/runs` (WIRE §15.3): job heads, newest first. `x-next-cursor` goes on where the page ended, however many there are. */
export const adminRuns: Route = {
  method: 'GET',
  path: '/admin/api/runs',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const offset = queryInt(request, 'offset', { min: 0, max: 1_000_000, default: 0 });
    const before = jobCursor(request);
    if (before && offset > 0) throw malformed('offset', 'offset and cursor do not go together.');
    const { jobs, next } = jobPage(await hub.runs(limit + 1, before ? { before } : { offset }), limit);
    return { status: 200, body: jobs.map(jobHead), ...(next !== undefined && { headers: { 'x-next-cursor': next } }) };
  },
};
