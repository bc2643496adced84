import { CALLBACK_URL_CHARS, INPUT_CHARS, REQUEST_ID_CHARS } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import type { Caller, RunRequest } from '../hub-api.js';

type Members = Readonly<Record<string, unknown>>;

/** Routes that a client can name; `auto` is one of them by form. */
const CLIENT_ROUTE = /^[a-z0-9][a-z0-9_-]{1,63}$/;
const CLIENT_FIELDS: ReadonlySet<string> = new Set(['request_id', 'route', 'input', 'metadata', 'callback_url', 'project', 'profile']);
const ROUTE_CHARS = 128;
const NAME_CHARS = 128;

/**
 * Checks a `POST /run` body in the order of WIRE §2.2: object, request_id and input, metadata, callback_url for everyone; then route form, project and
 * profile, unknown members for clients. Nothing is trimmed, coerced or cut.
 * Of an administrator a project is refused by name: there are none yet.
 * @throws BailingError BAILING_REQUEST_MALFORMED (400) or, for project and profile of a client, BAILING_REQUEST_FORBIDDEN (403); `at` is the member
 */
export function readRunRequest(body: unknown, caller: Caller): RunRequest {
  if (!isObject(body)) throw malformed('body', 'The body must be a JSON object.');
  const common = {
    request_id: textOf(body, 'request_id', REQUEST_ID_CHARS),
    input: textOf(body, 'input', INPUT_CHARS),
    metadata: metadataOf(body),
    ...callbackOf(body),
  };
  return caller.kind === 'client' ? { ...common, route: clientRoute(body) } : { ...common, ...adminMembers(body) };
}

function textOf(body: Members, name: string, max: number): string {
  const value = body[name];
  if (typeof value !== 'string' || !/\S/.test(value)) throw malformed(name, `${name} must be a string that is not blank.`);
  if (value.length > max) throw malformed(name, `${name} must have at most ${max} characters.`);
  return value;
}

/** Public PHP clients send an omitted metadata argument as an empty array: it reads as an empty object. */
function metadataOf(body: Members): Members {
  const value = body['metadata'];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  if (!isObject(value)) throw malformed('metadata', 'metadata must be a JSON object.');
  return value;
}

function callbackOf(body: Members): { callback_url?: string } {
  const value = body['callback_url'];
  if (value === undefined) return {};
  const fits = typeof value === 'string' && value.length <= CALLBACK_URL_CHARS && /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!fits)
    throw malformed('callback_url', `callback_url must be an absolute http or https URL of at most ${CALLBACK_URL_CHARS} characters.`);
  const { username, password } = new URL(value);
  // It is shown with its job, and fetched as no such address can be.
  if (username !== '' || password !== '') throw malformed('callback_url', 'callback_url must not carry a user name or password.');
  return { callback_url: value };
}

function clientRoute(body: Members): string {
  const route = body['route'];
  if (typeof route !== 'string' || !CLIENT_ROUTE.test(route)) {
    throw malformed('route', 'route must be "auto" or a key of lower-case letters, digits, "_" and "-".');
  }
  for (const name of ['project', 'profile']) {
    if (body[name]) throw new BailingError('BAILING_REQUEST_FORBIDDEN', { at: name, detail: `A client may not choose ${name}.` });
  }
  const unknown = Object.keys(body).find((name) => !CLIENT_FIELDS.has(name));
  if (unknown !== undefined) throw malformed(unknown.slice(0, 64), `The member ${JSON.stringify(unknown.slice(0, 64))} is not known.`);
  return route;
}

function adminMembers(body: Members): Pick<RunRequest, 'route' | 'source' | 'profile'> {
  const members: { route: string; source?: string; profile?: string } = {
    route: optionalText(body, 'route', ROUTE_CHARS) ?? '',
  };
  for (const name of ['source', 'profile'] as const) {
    const value = optionalText(body, name, NAME_CHARS);
    if (value !== undefined) members[name] = value;
  }
  if (optionalText(body, 'project', NAME_CHARS) !== undefined)
    throw malformed('project', 'This version has no projects yet; leave the field out.');
  return members;
}

function optionalText(body: Members, name: string, max: number): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > max) throw malformed(name, `${name} must be a string of at most ${max} characters.`);
  return value;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
