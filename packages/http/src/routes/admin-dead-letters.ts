import { BailingError } from '@bailing/plugin-api';
import { admin, deskOf, idParam, queryInt, type Reply, type Route, type RouteRequest } from '../route.js';
import type { HubApi } from '../hub-api.js';
import { deadLetterView } from '../views/desk.js';

/** `GET /admin/api/delivery-dlq` (WIRE §10.4): what could not be sent; `all=1` with what was put aside. */
export const adminDeadLetters: Route = {
  method: 'GET',
  path: '/admin/api/delivery-dlq',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 500, default: 100 });
    const rows = await deskOf(hub).deadLetters(request.query.get('all') === '1', limit);
    return { status: 200, body: { items: rows.map(deadLetterView) } };
  },
};

/** `POST /admin/api/delivery-dlq/{id}/resend`: one more attempt, now. */
export const adminResend: Route = {
  method: 'POST',
  path: '/admin/api/delivery-dlq/:id/resend',
  access: ['admin'],
  async handle(request, hub) {
    const id = await known(request, hub);
    const sent = await deskOf(hub).resend(id, admin(request));
    if (sent === null) return { status: 200, body: { ok: true, note: 'it is not a dead letter any more' } };
    return sent.ok ? { status: 200, body: { ok: true } } : failed(sent.error ?? '');
  },
};

/** `POST /admin/api/delivery-dlq/{id}/resolve`: put aside by a person. */
export const adminResolve: Route = {
  method: 'POST',
  path: '/admin/api/delivery-dlq/:id/resolve',
  access: ['admin'],
  async handle(request, hub) {
    const resolved = await deskOf(hub).resolve(await known(request, hub), admin(request));
    return { status: 200, body: { ok: true, ...(resolved === 'not-dead' && { note: 'it is not a dead letter any more' }) } };
  },
};

async function known(request: RouteRequest, hub: HubApi): Promise<number> {
  const id = idParam(request, 'id');
  if (!(await deskOf(hub).deadLetter(id))) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return id;
}

function failed(error: string): Reply {
  const { says, fix } = new BailingError('BAILING_DELIVERY_FAILED').entry;
  return { status: 502, body: { ok: false, error: error === '' ? says : error, code: 'BAILING_DELIVERY_FAILED', fix } };
}
