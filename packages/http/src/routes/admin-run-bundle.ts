import { debugReport } from '@bailing/engine';
import { malformed } from '../members.js';
import { admin, jobId, noSuch, operateOf, type Route } from '../route.js';

/** `GET /admin/api/runs/{job}/bundle`: the redacted debug bundle (WIRE §15.4); `format=markdown` for the report of it. */
export const adminRunBundle: Route = {
  method: 'GET',
  path: '/admin/api/runs/:job/bundle',
  access: ['admin'],
  async handle(request, hub) {
    admin(request);
    const format = request.query.get('format') ?? 'json';
    if (format !== 'json' && format !== 'markdown') throw malformed('format', 'format is json or markdown.');
    const bundle = await operateOf(hub).bundle(jobId(request, 'job'));
    if (!bundle) throw noSuch('job', request.params['job']);
    return format === 'json'
      ? { status: 200, body: bundle }
      : { status: 200, type: 'text/markdown; charset=utf-8', text: debugReport(bundle) };
  },
};
