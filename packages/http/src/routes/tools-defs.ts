import { readToken } from '../auth.js';
import { executorsOf, jobId, type Route } from '../route.js';

/** `GET /jobs/{id}/tools/defs?names=a,b` (WIRE §3.3), with the job's tool token. Costs no call. */
export const toolsDefs: Route = {
  method: 'GET',
  path: '/jobs/:id/tools/defs',
  access: 'own',
  async handle(request, hub) {
    const names = (request.query.get('names') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const defs = await executorsOf(hub).toolDefs(jobId(request, 'id'), readToken(request.headers, request.query) ?? '', names);
    return { status: 200, body: { defs } };
  },
};
