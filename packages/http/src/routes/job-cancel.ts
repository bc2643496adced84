import { BailingError } from '@bailing/plugin-api';
import { clientOrAdmin, jobId, type Route } from '../route.js';

/** `POST /jobs/{id}/cancel`: stops a job before its next call. A job of another client does not exist. */
export const jobCancel: Route = {
  method: 'POST',
  path: '/jobs/:id/cancel',
  access: ['admin', 'client'],
  async handle(request, hub) {
    const id = jobId(request, 'id');
    const cancelled = await hub.cancel(clientOrAdmin(request), id, request.signal);
    if (cancelled === 'unknown') throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    if (cancelled === 'ended') throw new BailingError('BAILING_JOB_ENDED');
    if (cancelled === 'writing') throw new BailingError('BAILING_JOB_WRITING');
    return { status: 200, body: { ok: true, job_id: id, status: 'rejected', reason: 'cancelled' } };
  },
};
