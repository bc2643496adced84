import { BailingError } from '@bailing/plugin-api';
import { argumentsOf, flag, malformed, membersOf, optionalText, requiredText, type Members } from '../members.js';
import type { DebugInvokeRequest } from '../tool-providers-api.js';
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

/** `POST /admin/api/tool-providers/{name}/debug-invoke` (WIRE §4.4): one call of one tool, through the exit like any other. */
export const adminDebugInvoke: Route = {
  method: 'POST',
  path: '/admin/api/tool-providers/:name/debug-invoke',
  access: ['admin'],
  async handle(request, hub) {
    const by = admin(request);
    const asked = debugRequestOf(json(request));
    return { status: 200, body: await providersOf(hub).debugInvoke(nameOf(request), asked, by, request.signal) };
  },
};

const DEBUG_MEMBERS = ['tool', 'args', 'on_behalf_of', 'job_id', 'allow_risky'];
/** RFC 4122, versions 1 to 5 (WIRE §0). */
const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** @throws BAILING_REQUEST_MALFORMED */
function debugRequestOf(body: unknown): DebugInvokeRequest {
  const members = membersOf(body, DEBUG_MEMBERS);
  const jobId = optionalText(members, 'job_id', 36);
  if (jobId !== undefined && !JOB_ID.test(jobId)) throw malformed('job_id', 'job_id must be a UUID in lower case.');
  return {
    tool: requiredText(members, 'tool', 191),
    args: debugArgs(members),
    on_behalf_of: debugSubject(members),
    ...(jobId !== undefined && { job_id: jobId }),
    allow_risky: flag(members, 'allow_risky'),
  };
}

/** Who the operator says acts; it is sent in a header. @throws BAILING_REQUEST_MALFORMED */
function debugSubject(members: Members): string {
  const subject = optionalText(members, 'on_behalf_of', 191) ?? '';
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if (!/[\u0000-\u001f\u007f]/.test(subject) && subject.trim() === subject && subject.isWellFormed()) return subject;
  throw malformed('on_behalf_of', 'on_behalf_of must be one line without control characters and without blanks around it.');
}

/** JSON text, or the object itself; what it holds is checked like any other proposal's. @throws BAILING_REQUEST_MALFORMED */
function debugArgs(members: Members): string {
  const given = argumentsOf(members, 'args');
  if (typeof given === 'string') return given;
  if (given.value === null || typeof given.value !== 'object' || Array.isArray(given.value))
    throw malformed('args', 'args must be one JSON object.');
  return JSON.stringify(given.value);
}

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
