import { BailingError } from '@bailing/plugin-api';
import type { RunFilter } from '../hub-api.js';
import { queryInt, type Route, type RouteRequest } from '../route.js';
import { jobCursor, jobPage } from '../job-cursor.js';
import { jobHead } from '../views/job.js';
import { traceAnswer } from '../views/trace.js';

const VALUE_CHARS = 191;
const TEXT_FILTERS = [
  ['job_id', 'jobId'],
  ['request_id', 'requestId'],
  ['client_id', 'clientAppId'],
  ['client_app_id', 'clientAppId'],
  ['principal_id', 'principalId'],
] as const;

/**
 * `GET /admin/api/runs/trace` (WIRE §15.3): finds jobs; a single match, without `list=1`, comes with its trace. No filter finds nothing. `next_cursor` goes
 * on where the page ended.
 */
export const adminTraceLookup: Route = {
  method: 'GET',
  path: '/admin/api/runs/trace',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 100, default: 20 });
    const filter = filterOf(request);
    if (Object.keys(filter).length === 0) return { status: 200, body: { matches: [], count: 0 } };
    const before = jobCursor(request);
    const { jobs, next } = jobPage(await hub.findRuns(filter, limit + 1, before), limit);
    const found = { matches: jobs.map(jobHead), count: jobs.length, ...(next !== undefined && { next_cursor: next }) };
    const [head, more] = jobs;
    const single = head && !more && next === undefined && before === undefined && request.query.get('list') !== '1';
    const evidence = single ? await hub.evidence(head.id, 0) : null;
    return { status: 200, body: { ...(evidence && traceAnswer(evidence, lookupOf(request))), ...found } };
  },
};

function filterOf(request: RouteRequest): RunFilter {
  const filter: Record<string, unknown> = {};
  for (const [name, member] of TEXT_FILTERS) {
    const value = request.query.get(name);
    if (value === null || value === '') continue;
    if (value.length > VALUE_CHARS || (filter[member] !== undefined && filter[member] !== value)) {
      throw new BailingError('BAILING_REQUEST_MALFORMED', { at: name, detail: `${name} is too long or contradicts another filter.` });
    }
    filter[member] = value;
  }
  const thread = queryInt(request, 'thread_id', { min: 1, max: 9_999_999_999, default: 0 });
  return thread === 0 ? filter : { ...filter, threadId: thread };
}

function lookupOf(request: RouteRequest): Record<string, unknown> {
  const given = [...TEXT_FILTERS.map(([name]) => name), 'thread_id'].flatMap((name) => {
    const value = request.query.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { by: given.map(([name]) => name).join('+'), ...Object.fromEntries(given) };
}
