import { queryInt, type Route } from '../route.js';
import { jobHead } from '../views/job.js';

/** `GET /admin/api/runs` (WIRE §15.3): job heads, newest first. */
export const adminRuns: Route = {
  method: 'GET',
  path: '/admin/api/runs',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const offset = queryInt(request, 'offset', { min: 0, max: 1_000_000, default: 0 });
    return { status: 200, body: (await hub.runs(limit, offset)).map(jobHead) };
  },
};
