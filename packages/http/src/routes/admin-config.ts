import { BailingError } from '@bailing/plugin-api';
import { jsonSchemas, objectKinds } from '@bailing/resources';
import type { ApplyRequest } from '../objects-api.js';
import { admin, json, objectsOf, type Route } from '../route.js';

/** A whole configuration with its documents. */
const APPLY_BYTES = 67_108_864;
const MAX_OBJECTS = 10_000;

/** `POST /admin/api/config/apply`: `{objects, prune?, dry_run?}`, all of it or nothing. */
export const adminApply: Route = {
  method: 'POST',
  path: '/admin/api/config/apply',
  access: ['admin'],
  maxBytes: APPLY_BYTES,
  async handle(request, hub) {
    const cause = { by: admin(request), method: 'POST', path: '/admin/api/config/apply' };
    return { status: 200, body: await objectsOf(hub).apply(readApply(json(request)), cause) };
  },
};

/** `GET /admin/api/config/export`: the objects of the database, secrets masked. */
export const adminExport: Route = {
  method: 'GET',
  path: '/admin/api/config/export',
  access: ['admin'],
  async handle(_request, hub) {
    return { status: 200, body: { objects: await objectsOf(hub).export() } };
  },
};

/** `GET /schemas`: which JSON Schemas there are. */
export const schemaIndex: Route = {
  method: 'GET',
  path: '/schemas',
  access: 'public',
  handle: () => ({ status: 200, body: { schemas: [...jsonSchemas().keys()].map((name) => `/schemas/config/${name}`) } }),
};

/** `GET /schemas/config/{name}` (WIRE §18), `client.schema.json` and the like. */
export const schemaFile: Route = {
  method: 'GET',
  path: '/schemas/config/:name',
  access: 'public',
  handle(request) {
    const schema = jsonSchemas().get(request.params['name'] ?? '');
    if (!schema) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    return { status: 200, type: 'application/schema+json; charset=utf-8', text: JSON.stringify(schema) };
  },
};

/** @throws BAILING_REQUEST_MALFORMED */
function readApply(body: unknown): ApplyRequest {
  const refuse = (at: string, detail: string) => new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
  const { objects, prune = false, dry_run = false, ...rest } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refuse(unknown.slice(0, 64), 'It is objects, prune and dry_run.');
  if (objects === null || typeof objects !== 'object' || Array.isArray(objects))
    throw refuse('objects', 'objects holds lists of objects by kind.');
  if (typeof prune !== 'boolean') throw refuse('prune', 'prune is true or false.');
  if (typeof dry_run !== 'boolean') throw refuse('dry_run', 'dry_run is true or false.');
  for (const [member, list] of Object.entries(objects)) {
    const at = `objects.${member.slice(0, 64)}`;
    if (!objectKinds.some((kind) => kind.member === member))
      throw refuse(at, `There are ${objectKinds.map((kind) => kind.member).join(', ')}.`);
    if (!Array.isArray(list) || list.length > MAX_OBJECTS) throw refuse(at, `It must be a list of at most ${String(MAX_OBJECTS)} objects.`);
  }
  return { objects: objects as ApplyRequest['objects'], prune, dry_run };
}
