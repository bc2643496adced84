import { BailingError } from '@bailing/plugin-api';
import { admin, json, providersOf, type Route, type RouteRequest } from '../route.js';

const MAX_TOOLS = 1_000;

/** `POST /admin/api/tool-providers/{name}/refresh` (WIRE §4.4). A document that may not replace the current one answers 400. */
export const adminRefresh: Route = {
  method: 'POST',
  path: '/admin/api/tool-providers/:name/refresh',
  access: ['admin'],
  async handle(request, hub) {
    return { status: 200, body: await providersOf(hub).refresh(nameOf(request), admin(request)) };
  },
};

/** `GET /admin/api/tool-providers/{name}/tools` (WIRE §4.4): the tools in force, and what became of every operation. */
export const adminProviderTools: Route = {
  method: 'GET',
  path: '/admin/api/tool-providers/:name/tools',
  access: ['admin'],
  async handle(request, hub) {
    return { status: 200, body: await providersOf(hub).tools(nameOf(request)) };
  },
};

/** `POST /admin/api/tool-providers/{name}/authz-probe` (WIRE §4.5). */
export const adminAuthzProbe: Route = {
  method: 'POST',
  path: '/admin/api/tool-providers/:name/authz-probe',
  access: ['admin'],
  async handle(request, hub) {
    return { status: 200, body: await providersOf(hub).authzProbe(nameOf(request), admin(request)) };
  },
};

/** `POST /admin/api/tool-providers/{name}/accept`: `{tools: [name, …]}`, `*` for all; an operator has read what became looser. */
export const adminAccept: Route = {
  method: 'POST',
  path: '/admin/api/tool-providers/:name/accept',
  access: ['admin'],
  async handle(request, hub) {
    return { status: 200, body: await providersOf(hub).accept(nameOf(request), toolsOf(json(request)), admin(request)) };
  },
};

function nameOf(request: RouteRequest): string {
  return request.params['name'] ?? '';
}

/** @throws BAILING_REQUEST_MALFORMED */
function toolsOf(body: unknown): readonly string[] {
  const tools: unknown = body !== null && typeof body === 'object' && 'tools' in body ? body.tools : undefined;
  const named = Array.isArray(tools)
    ? tools.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= 191)
    : [];
  if (Array.isArray(tools) && named.length > 0 && named.length === tools.length && named.length <= MAX_TOOLS) return named;
  throw new BailingError('BAILING_REQUEST_MALFORMED', {
    at: 'tools',
    detail: `tools must be a list of 1 to ${String(MAX_TOOLS)} tool names, or ["*"].`,
  });
}
