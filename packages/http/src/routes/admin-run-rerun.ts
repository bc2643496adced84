import { BailingError } from '@bailing/plugin-api';
import { admin, deskOf, type Route } from '../route.js';
import { runOf } from './admin-run.js';

/** `POST /admin/api/runs/{job}/rerun` (WIRE §9.5): an ended job runs again; its approved calls first. One that is a single act does not. */
export const adminRunRerun: Route = {
  method: 'POST',
  path: '/admin/api/runs/:job/rerun',
  access: ['admin'],
  async handle(request, hub) {
    const row = await runOf(request, hub);
    const moved = await deskOf(hub).rerun(row.id, admin(request));
    if (moved === 'unknown') throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    if (moved === 'in-flight') throw new BailingError('BAILING_JOB_IN_FLIGHT');
    if (moved === 'stays') throw new BailingError('BAILING_JOB_RUNS_ONCE');
    return { status: 200, body: { ok: true, job_id: row.id, status: 'queued' } };
  },
};
