import { BailingError } from '@bailing/plugin-api';
import { follow } from '../follow.js';
import { clientOrAdmin, jobId, queryInt, type Route, type RouteRequest } from '../route.js';

const MAX_WAIT = { min: 1_000, max: 300_000, default: 300_000 };

/** `GET /jobs/{id}/events` (WIRE §11.7, events of §14.2): a job as it runs, for the client that sent it. */
export const jobEvents: Route = {
  method: 'GET',
  path: '/jobs/:id/events',
  access: ['admin', 'client'],
  async handle(request, hub) {
    const api = hub.follow;
    const caller = clientOrAdmin(request);
    const id = jobId(request, 'id');
    const [maxWaitMs, after] = [queryInt(request, 'max_wait', MAX_WAIT), cursorOf(request)];
    const row = await hub.job(caller, id);
    if (!row || !api) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    const leave = api.seats.take(id, caller.kind === 'client' ? `client:${caller.appId}` : `admin:${caller.name}`);
    const look = () => hub.job(caller, id);
    return { status: 200, events: (sink, signal) => follow(row, sink, signal, { api, look, after, maxWaitMs }).finally(leave) };
  },
};

/** `cursor` goes before `Last-Event-ID`; neither: from the beginning. @throws BAILING_REQUEST_MALFORMED */
function cursorOf(request: RouteRequest): number {
  const header = request.headers['last-event-id'];
  const text = request.query.get('cursor') ?? (typeof header === 'string' ? header.trim() : '');
  if (text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BailingError('BAILING_REQUEST_MALFORMED', {
    at: 'cursor',
    detail: 'A cursor is the id of an event of this stream, a whole number.',
  });
}
