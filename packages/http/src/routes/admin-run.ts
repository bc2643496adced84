import type { JobRow } from '@bailing/engine/ports';
import type { HubApi } from '../hub-api.js';
import { admin, jobId, noSuch, type Route, type RouteRequest } from '../route.js';
import { jobView } from '../views/job.js';

/** `GET /admin/api/runs/{job}` (WIRE §15.3): the job with the input as it came. */
export const adminRun: Route = {
  method: 'GET',
  path: '/admin/api/runs/:job',
  access: ['admin'],
  async handle(request, hub) {
    const row = await runOf(request, hub);
    return { status: 200, body: { ...jobView(row), raw_input: row.input } };
  },
};

/** The job a run endpoint names. @throws BAILING_REQUEST_NOT_FOUND */
export async function runOf(request: RouteRequest, hub: HubApi): Promise<JobRow> {
  const row = await hub.job(admin(request), jobId(request, 'job'));
  if (!row) throw noSuch('job', request.params['job']);
  return row;
}
