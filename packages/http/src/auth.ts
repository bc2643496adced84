import { BailingError, errorCatalogue } from '@bailing/plugin-api';
import type { IncomingHttpHeaders } from 'node:http';
import { sessionCookie } from './cookies.js';
import { permissionFor, permits } from './permissions.js';
import type { Caller, HubApi } from './hub-api.js';
import type { Access } from './route.js';

/** Longer values are no token of ours and are not looked up. */
const TOKEN_MAX = 512;

/** The credential of a request (WIRE §1.1): `Authorization`, with or without the word Bearer, goes before `?token=`. Null where there is none. */
export function readToken(headers: IncomingHttpHeaders, query: URLSearchParams): string | null {
  const header = headers.authorization?.trim();
  const token = header === undefined || header === '' ? query.get('token') : header.replace(/^bearer(?:\s+|$)/i, '').trim();
  return token === null || token === '' || token.length > TOKEN_MAX ? null : token;
}

/** Resolves the caller of a private path: a session goes before a token; authentication comes before routing. @throws BAILING_REQUEST_UNAUTHORIZED */
export async function authenticate(headers: IncomingHttpHeaders, query: URLSearchParams, hub: HubApi, path: string): Promise<Caller> {
  const cookie = sessionCookie(headers);
  const person = cookie === null ? null : ((await hub.admins?.session(cookie)) ?? null);
  if (person) return person;
  const caller = await hub.authenticate(readToken(headers, query));
  if (!caller) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED', { detail: expectedAt(path) });
  return caller;
}

/** Which kind of token a path takes, for whoever brought another; it says nothing about what is there. */
export function expectedAt(path: string): string {
  if (path.startsWith('/executor/')) return 'an executor token, or the server token';
  if (path.startsWith('/admin')) return 'the server token, or the session of an administrator';
  if (/^\/jobs\/[^/]+\/tools\//.test(path)) return 'the tool_token that came with the work item';
  if (path.startsWith('/approvals/')) return 'the token of the client the job belongs to, the server token, or a signature';
  if (path === '/run' || path === '/send' || path.startsWith('/jobs/')) return 'a client token, or the server token';
  return 'a token of this hub';
}

/** What to do about a missing credential, for this path. */
export function fixAt(path: string): string {
  const token = 'Send the {} as `Authorization: Bearer <token>`';
  if (path.startsWith('/executor/')) return `${token.replace('{}', 'executor token')}.`;
  if (path.startsWith('/admin')) return `${token.replace('{}', 'server token')}, or log in at POST /admin/login.`;
  if (/^\/jobs\/[^/]+\/tools\//.test(path)) return `${token.replace('{}', 'tool_token of the work item')}; it lives as long as the claim.`;
  if (path.startsWith('/approvals/')) return `${token.replace('{}', 'client token')}, or sign the decision.`;
  if (path === '/metrics') return `${token.replace('{}', 'metrics token')}.`;
  if (path === '/run' || path === '/send' || path.startsWith('/jobs/')) return `${token.replace('{}', 'client token')}.`;
  return errorCatalogue.BAILING_REQUEST_UNAUTHORIZED.fix;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * A browser sends the cookie along whoever made the page: what changes something must come from a page of this very host (WIRE §1.2). A program that
 * sends neither header passes. Loopback development without a server token admits whoever sends no credential. A web page open on the same machine is not meant: its requests
 * name an origin of its own, or a host that only leads here. @throws BAILING_REQUEST_FORBIDDEN
 */
export function checkOrigin(caller: Caller, method: string, headers: IncomingHttpHeaders): void {
  if (caller.kind === 'admin' && caller.via === 'session' && method !== 'GET' && method !== 'HEAD' && isForeign(headers))
    throw new BailingError('BAILING_REQUEST_FORBIDDEN', { detail: 'With a session, changes come from pages of this host only.' });
  if (caller.kind !== 'admin' || caller.name !== 'dev') return;
  const { host = '', origin } = headers;
  const foreign = origin !== undefined && origin.replace(/^https?:\/\//i, '') !== host;
  if (foreign || !LOOPBACK.test(host))
    throw new BailingError('BAILING_REQUEST_FORBIDDEN', {
      detail: 'Without a server token only programs on this machine are served, no web pages.',
    });
}

function isForeign({ host = '', origin, referer, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const from = origin ?? referer;
  if (from === undefined) return false;
  return !URL.canParse(from) || new URL(from).host.toLowerCase() !== host.toLowerCase();
}

/** The cross-surface rules (WIRE §1.2), which hold for unknown paths as well. @throws BAILING_REQUEST_FORBIDDEN */
export function checkSurface(caller: Caller, method: string, path: string): void {
  const executorPath = path.startsWith('/executor/');
  const refused =
    (executorPath && method !== 'POST') ||
    (executorPath && caller.kind === 'client') ||
    (executorPath && caller.kind === 'admin' && caller.via === 'session') ||
    (!executorPath && caller.kind === 'executor') ||
    (caller.kind === 'client' && path.startsWith('/admin/'));
  if (refused) throw new BailingError('BAILING_REQUEST_FORBIDDEN');
}

/** Whether this kind of caller may enter this route, and with their role (WIRE §1.5). @throws BAILING_REQUEST_FORBIDDEN */
export function checkAccess(access: Access, caller: Caller | null, method: string, path: string): void {
  if (access === 'public' || access === 'own') return;
  if (!caller || !access.includes(caller.kind)) throw new BailingError('BAILING_REQUEST_FORBIDDEN');
  if (caller.kind !== 'admin' || caller.perms === undefined) return;
  const needed = permissionFor(method, path);
  if (!permits(caller.perms, needed)) throw new BailingError('BAILING_REQUEST_FORBIDDEN', { detail: `It asks for ${needed ?? ''}.` });
}
