import { BailingError } from '@bailing/plugin-api';
import { objectKinds, type ObjectKind } from '@bailing/resources';
import type { Expectation, ObjectAnswer, SavedObject, WriteCause } from '../objects-api.js';
import { admin, json, objectsOf, queryInt, type Reply, type Route, type RouteRequest } from '../route.js';

/** A tool provider carries its document (at most 5 MiB, as a JSON string) in its own body. */
const DOCUMENT_BYTES = 12_582_912;
const LIST_MAX = 1_000;

/** `/admin/api/<collection>` of every kind of configuration object (WIRE §18): list, upsert, read, replace, remove, and the secrets that can be read again. */
export const objectRoutes: readonly Route[] = Object.freeze(objectKinds.flatMap(routesOf));

function routesOf(kind: ObjectKind): readonly Route[] {
  const all = `/admin/api/${kind.collection}`;
  const one = `${all}/:key`;
  const carrying = kind.member === 'tool_providers' ? { maxBytes: DOCUMENT_BYTES } : {};
  const access = ['admin'] as const;
  return [
    { method: 'GET', path: all, access, handle: (request, hub) => list(kind, request, objectsOf(hub)) },
    {
      ...{ method: 'POST', path: all, access, ...carrying },
      handle: async (request, hub) =>
        savedReply(kind, await objectsOf(hub).save(kind.member, null, json(request), expectation(request), cause('POST', all, request))),
    },
    {
      ...{ method: 'GET', path: one, access },
      handle: async (request, hub) => oneReply(await objectsOf(hub).get(kind.member, key(request))),
    },
    {
      ...{ method: 'PUT', path: one, access, ...carrying },
      handle: async (request, hub) => {
        const expects = expectation(request);
        if (expects.match === undefined && expects.create !== true)
          throw new BailingError('BAILING_OBJECT_MATCH_REQUIRED', { at: 'if-match' });
        return savedReply(kind, await objectsOf(hub).save(kind.member, key(request), json(request), expects, cause('PUT', one, request)));
      },
    },
    {
      ...{ method: 'DELETE', path: one, access },
      handle: async (request, hub) => {
        await objectsOf(hub).remove(kind.member, key(request), expectation(request), cause('DELETE', one, request));
        return { status: 200, body: { ok: true } };
      },
    },
    ...(kind.reveals ? [revealRoute(kind, kind.reveals.field)] : []),
  ];
}

function revealRoute(kind: ObjectKind, field: string): Route {
  return {
    method: 'GET',
    path: `/admin/api/${kind.collection}/:key/${field}`,
    access: ['admin'],
    async handle(request, hub) {
      const secret = await objectsOf(hub).reveal(kind.member, key(request), admin(request));
      return { status: 200, body: { [kind.key]: key(request), [field]: secret } };
    },
  };
}

async function list(kind: ObjectKind, request: RouteRequest, objects: ReturnType<typeof objectsOf>): Promise<Reply> {
  const limit = queryInt(request, 'limit', { min: 1, max: LIST_MAX, default: LIST_MAX });
  const { items, next } = await objects.list(kind.member, request.query.get('cursor') ?? '', limit);
  return { status: 200, body: items, ...(next !== undefined && { headers: { 'x-next-cursor': encodeURIComponent(next) } }) };
}

function oneReply({ view, etag }: ObjectAnswer): Reply {
  return { status: 200, headers: { etag }, body: view };
}

/** WIRE §18: `{ok, <key>, token}` and the like; a secret is whole only where the hub has just made or taken it. */
function savedReply({ key: name }: ObjectKind, { view, etag, created, shown, more }: SavedObject): Reply {
  const token = view['token'];
  const body = { ok: true, [name]: view[name], created, ...(typeof token === 'string' && { token }), ...shown, ...more };
  return { status: 200, headers: { etag }, body };
}

function key(request: RouteRequest): string {
  return request.params['key'] ?? '';
}

function cause(method: string, path: string, request: RouteRequest): WriteCause {
  return { by: admin(request), method, path: path.replace(':key', key(request)) };
}

/** @throws BAILING_REQUEST_MALFORMED for an If-None-Match that is not `*` */
function expectation({ headers }: RouteRequest): Expectation {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  if (none !== undefined && none.trim() !== '*')
    throw new BailingError('BAILING_REQUEST_MALFORMED', {
      at: 'if-none-match',
      detail: 'If-None-Match is * here: nothing of this name may exist.',
    });
  return { ...(match !== undefined && match.trim() !== '' && { match }), ...(none !== undefined && { create: true }) };
}
