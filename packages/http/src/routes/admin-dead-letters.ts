import type { LetterCursor } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import { malformed } from '../members.js';
import { admin, deskOf, idParam, noSuch, queryInt, type Reply, type Route, type RouteRequest } from '../route.js';
import type { HubApi } from '../hub-api.js';
import { deadLetterView } from '../views/desk.js';

/** `GET /admin/api/delivery-dlq` (WIRE §10.4): what could not be sent; `all=1` with what was put aside; `next_cursor` goes on. */
export const adminDeadLetters: Route = {
  method: 'GET',
  path: '/admin/api/delivery-dlq',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 500, default: 100 });
    const rows = await deskOf(hub).deadLetters(request.query.get('all') === '1', limit + 1, cursorOf(request));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const next = last && { next_cursor: `${String(last.nextAt)}_${String(last.id)}` };
    return { status: 200, body: { items: page.map(deadLetterView), ...next } };
  },
};

/** @throws BAILING_REQUEST_MALFORMED */
function cursorOf({ query }: RouteRequest): LetterCursor | undefined {
  const text = query.get('cursor') ?? '';
  if (text === '') return undefined;
  const [, at, id] = /^(\d{1,15})_(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined || id === undefined) throw malformed('cursor', 'cursor is the next_cursor of the page before it.');
  return { at: Number(at), id: Number(id) };
}

/** `POST /admin/api/delivery-dlq/{id}/resend`: one more attempt, now. */
export const adminResend: Route = {
  method: 'POST',
  path: '/admin/api/delivery-dlq/:id/resend',
  access: ['admin'],
  async handle(request, hub) {
    const id = await known(request, hub);
    const sent = await deskOf(hub).resend(id, admin(request));
    if (sent === null) return { status: 200, body: { ok: true, note: await notDead(id, hub) } };
    return sent.ok ? { status: 200, body: { ok: true } } : failed(sent.error ?? '');
  },
};

/** `POST /admin/api/delivery-dlq/{id}/resolve`: put aside by a person. */
export const adminResolve: Route = {
  method: 'POST',
  path: '/admin/api/delivery-dlq/:id/resolve',
  access: ['admin'],
  async handle(request, hub) {
    const id = await known(request, hub);
    const resolved = await deskOf(hub).resolve(id, admin(request));
    return { status: 200, body: { ok: true, ...(resolved === 'not-dead' && { note: await notDead(id, hub) }) } };
  },
};

async function known(request: RouteRequest, hub: HubApi): Promise<number> {
  const id = idParam(request, 'id');
  if (!(await deskOf(hub).deadLetter(id))) throw noSuch('letter', request.params['id']);
  return id;
}

/** What a letter is that nobody has to see to. */
async function notDead(id: number, hub: HubApi): Promise<string> {
  const state = (await deskOf(hub).deadLetter(id))?.state;
  if (state === 'sent') return 'it is not a dead letter: it was sent';
  return state === 'resolved'
    ? 'it is not a dead letter any more: it was put aside'
    : 'it is not a dead letter: the hub is still trying to send it';
}

function failed(error: string): Reply {
  const { says, fix } = new BailingError('BAILING_DELIVERY_FAILED').entry;
  return { status: 502, body: { ok: false, error: error === '' ? says : error, code: 'BAILING_DELIVERY_FAILED', fix } };
}
