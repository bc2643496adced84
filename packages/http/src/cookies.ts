import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const NAME = 'bz_sess';
const FORM = /^[0-9a-f]{48}$/;
const WEEK_S = 604_800;

/** The session cookie of a request (WIRE §1.5); null where there is none of its form. */
export function sessionCookie(headers: IncomingHttpHeaders): string | null {
  const found = (headers.cookie ?? '').split(';').map((one) => one.trim());
  const value = found.find((one) => one.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
  return value !== undefined && FORM.test(value) ? value : null;
}

/** `Set-Cookie` for a session, or for its end (`null`). */
export function setCookie(value: string | null, secure: boolean): string {
  return `${NAME}=${value ?? ''}; Path=/; HttpOnly${secure ? '; Secure' : ''}; SameSite=Lax; Max-Age=${value === null ? '0' : String(WEEK_S)}`;
}

/** Whether the browser speaks TLS, to this process or to a proxy before it. */
export function isSecure(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const proto = request.headers['x-forwarded-proto'];
  const first = (Array.isArray(proto) ? proto[0] : proto)?.split(',')[0]?.trim().toLowerCase();
  return first === 'https' || (request.socket as { encrypted?: boolean }).encrypted === true;
}
