import { BailingError } from '@bailing/plugin-api';
import { clientOrAdmin, jobId, type Route } from '../route.js';
import { jobView } from '../views/job.js';

/** `GET /jobs/{id}` (WIRE §2.7). A job of another client does not exist. */
export const job: Route = {
  method: 'GET',
  path: '/jobs/:id',
  access: ['admin', 'client'],
  async handle(request, hub) {
    const row = await hub.job(clientOrAdmin(request), jobId(request, 'id'));
    if (!row) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    return { status: 200, body: jobView(row) };
  },
};
