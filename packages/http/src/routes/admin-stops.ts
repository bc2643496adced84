import { BailingError } from '@bailing/plugin-api';
import type { HubApi } from '../hub-api.js';
import { admin, json, type Route } from '../route.js';
import type { StopsApi } from '../stops-api.js';
import { iso } from '../views/time.js';

const WHAT_CHARS = 191;

/** `GET /admin/api/stops`: what operators stopped, oldest first. */
export const adminStops: Route = {
  method: 'GET',
  path: '/admin/api/stops',
  access: ['admin'],
  async handle(_, hub) {
    const items = (await stopsOf(hub).list()).map(({ what, by, since }) => ({ what, by, since: iso(since) }));
    return { status: 200, body: { items } };
  },
};

/** `POST /admin/api/stops {what}`: `hub`, `client:…`, `route:…`, `provider:…`, `tool:provider/name` or `channel:…`. */
export const adminSetStop: Route = {
  method: 'POST',
  path: '/admin/api/stops',
  access: ['admin'],
  async handle(request, hub) {
    const what = readWhat(json(request));
    await stopsOf(hub).set(admin(request), what);
    return { status: 200, body: { ok: true, what } };
  },
};

/** `DELETE /admin/api/stops/{what}`: `was_set` tells a clearing from a name that no flag carried. */
export const adminClearStop: Route = {
  method: 'DELETE',
  path: '/admin/api/stops/:what',
  access: ['admin'],
  async handle(request, hub) {
    const what = request.params['what'] ?? '';
    const wasSet = await stopsOf(hub).clear(admin(request), what);
    return { status: 200, body: { ok: true, what, was_set: wasSet } };
  },
};

function stopsOf(hub: HubApi): StopsApi {
  if (!hub.stops) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.stops;
}

function readWhat(body: unknown): string {
  const what = typeof body === 'object' && body !== null ? (body as { what?: unknown }).what : undefined;
  if (typeof what === 'string' && what !== '' && what.length <= WHAT_CHARS) return what;
  throw new BailingError('BAILING_REQUEST_MALFORMED', {
    at: 'what',
    detail: `what must be a text of at most ${String(WHAT_CHARS)} characters, such as hub, route:refunds or tool:orders/refund.`,
  });
}
