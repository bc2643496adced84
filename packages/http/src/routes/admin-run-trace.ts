import { admin, jobId, noSuch, queryInt, type Route } from '../route.js';
import { traceAnswer } from '../views/trace.js';

/** `GET /admin/api/runs/{job}/trace` (WIRE §15.3). Where there are more events than one answer holds, `after_seq` goes on. */
export const adminRunTrace: Route = {
  method: 'GET',
  path: '/admin/api/runs/:job/trace',
  access: ['admin'],
  async handle(request, hub) {
    admin(request);
    const after = queryInt(request, 'after_seq', { min: 0, max: 9_999_999_999, default: 0 });
    const evidence = await hub.evidence(jobId(request, 'job'), after);
    if (!evidence) throw noSuch('job', request.params['job']);
    return { status: 200, body: traceAnswer(evidence, { by: 'job_id', job_id: evidence.job.id }) };
  },
};
