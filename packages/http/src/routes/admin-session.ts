import { BailingError } from '@bailing/plugin-api';
import { sessionCookie, setCookie } from '../cookies.js';
import type { AdminsApi } from '../admins-api.js';
import type { HubApi } from '../hub-api.js';
import { admin, json, type Route } from '../route.js';

const NAME_CHARS = 64;
const PASSWORD_CHARS = 256;

function adminsOf(hub: HubApi): AdminsApi {
  if (!hub.admins) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  return hub.admins;
}

/** `POST /admin/login` (WIRE §1.5). Answers with the session cookie; failures are counted by account and by address. */
export const adminLogin: Route = {
  method: 'POST',
  path: '/admin/login',
  access: 'public',
  maxBytes: 16_384,
  async handle(request, hub) {
    const { username, password } = members(json(request));
    const credentials = { username: textOf(username, 'username', NAME_CHARS), password: textOf(password, 'password', PASSWORD_CHARS) };
    const session = await adminsOf(hub).login({ ...credentials, address: request.address });
    return {
      status: 200,
      headers: { 'set-cookie': setCookie(session.cookie, request.secure) },
      body: { ok: true, username: session.username, display_name: session.displayName },
    };
  },
};

/** `POST /admin/logout`: the session ends on every hub. */
export const adminLogout: Route = {
  method: 'POST',
  path: '/admin/logout',
  access: ['admin'],
  async handle(request, hub) {
    const cookie = sessionCookie(request.headers);
    if (cookie !== null) await adminsOf(hub).logout(cookie);
    return { status: 200, headers: { 'set-cookie': setCookie(null, request.secure) }, body: { ok: true } };
  },
};

/** `GET /admin/api/me`: who the hub takes the caller for, and what they may do. */
export const adminMe: Route = {
  method: 'GET',
  path: '/admin/api/me',
  access: ['admin'],
  handle(request) {
    const { name, via = 'token', role = 'admin', perms = ['*'] } = admin(request);
    return { status: 200, body: { username: name, via, role, perms, capabilities: {} } };
  },
};

/** `POST /admin/api/password`: `{old_password, new_password}`; ends the other sessions of the administrator. */
export const adminPassword: Route = {
  method: 'POST',
  path: '/admin/api/password',
  access: ['admin'],
  maxBytes: 16_384,
  async handle(request, hub) {
    const { old_password: old, new_password: next } = members(json(request));
    const passwords = { old: textOf(old, 'old_password', PASSWORD_CHARS), next: textOf(next, 'new_password', PASSWORD_CHARS, 8) };
    await adminsOf(hub).changePassword(admin(request), { ...passwords, address: request.address });
    return { status: 200, body: { ok: true } };
  },
};

function members(body: unknown): Readonly<Record<string, unknown>> {
  return body !== null && typeof body === 'object' ? (body as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown, at: string, max: number, min = 1): string {
  if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
  throw new BailingError('BAILING_REQUEST_MALFORMED', { at, detail: `${at} is a text of ${String(min)} to ${String(max)} characters.` });
}
