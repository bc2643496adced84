import { BailingError } from '@bailing/plugin-api';
import type { IncomingHttpHeaders } from 'node:http';
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

/** Resolves the caller of a private path; authentication comes before routing. @throws BAILING_REQUEST_UNAUTHORIZED */
export async function authenticate(headers: IncomingHttpHeaders, query: URLSearchParams, hub: HubApi): Promise<Caller> {
  const caller = await hub.authenticate(readToken(headers, query));
  if (!caller) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  return caller;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Loopback development without a server token admits whoever sends no credential. A web page open on the same machine is not meant: its requests
 * name an origin of its own, or a host that only leads here. @throws BAILING_REQUEST_FORBIDDEN
 */
export function checkOrigin(caller: Caller, headers: IncomingHttpHeaders): void {
  if (caller.kind !== 'admin' || caller.name !== 'dev') return;
  const { host = '', origin } = headers;
  const foreign = origin !== undefined && origin.replace(/^https?:\/\//i, '') !== host;
  if (foreign || !LOOPBACK.test(host))
    throw new BailingError('BAILING_REQUEST_FORBIDDEN', {
      detail: 'Without a server token only programs on this machine are served, no web pages.',
    });
}

/** The cross-surface rules (WIRE §1.2), which hold for unknown paths as well. @throws BAILING_REQUEST_FORBIDDEN */
export function checkSurface(caller: Caller, method: string, path: string): void {
  const executorPath = path.startsWith('/executor/');
  const refused =
    (executorPath && method !== 'POST') ||
    (executorPath && caller.kind === 'client') ||
    (!executorPath && caller.kind === 'executor') ||
    (caller.kind === 'client' && path.startsWith('/admin/'));
  if (refused) throw new BailingError('BAILING_REQUEST_FORBIDDEN');
}

/** Whether this kind of caller may enter this route. @throws BAILING_REQUEST_FORBIDDEN */
export function checkAccess(access: Access, caller: Caller | null): void {
  if (access === 'public' || access === 'own') return;
  if (!caller || !access.includes(caller.kind)) throw new BailingError('BAILING_REQUEST_FORBIDDEN');
}
