import { createHmac, timingSafeEqual } from 'node:crypto';
import { hasLoneSurrogate, readStrictJson } from './strict-json.js';

const TICKET = /^v1\.([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/;

/** WIRE §1.4. `exp` in unix seconds. */
export function signTicket(token: string, uid: string, exp: number): string {
  const payload = Buffer.from(JSON.stringify({ uid, exp }), 'utf8').toString('base64url');
  return `v1.${payload}.${createHmac('sha256', token).update(payload).digest('hex')}`;
}

export type TicketReading =
  | { readonly ok: true; readonly uid: string; readonly exp: number }
  | { readonly ok: false; readonly reason: 'bad_ticket' | 'ticket_expired' };

const BAD: TicketReading = { ok: false, reason: 'bad_ticket' };

/** Never throws. A bad or expired ticket is refused, never read as anonymous. An empty token checks nothing. */
export function readTicket(token: string, ticket: string, nowMs: number): TicketReading {
  const [, payload = '', given = ''] = TICKET.exec(ticket) ?? [];
  if (payload === '' || token === '' || payload.length % 4 === 1) return BAD;
  const expected = createHmac('sha256', token).update(payload).digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex')) ? readPayload(payload, nowMs) : BAD;
}

/** The claims as strict UTF-8 JSON, nested at most 100 deep, without lone surrogates (SIGNING 39 to 42); repeated members: the last counts. */
function readClaims(payload: string): { uid?: unknown; exp?: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(payload, 'base64url'));
    const strict = readStrictJson(text);
    if (!strict.ok && (strict.code === 'too_deep' || strict.code === 'lone_surrogate')) return {};
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A text, or a whole number as its digits; trimmed and cut to 64 code units without splitting a pair. */
function readUid(uid: unknown): string {
  const text = typeof uid === 'string' ? uid.trim() : Number.isSafeInteger(uid) ? String(uid) : '';
  const cut = text.slice(0, 64);
  return hasLoneSurrogate(cut) && !hasLoneSurrogate(text) ? cut.slice(0, 63) : hasLoneSurrogate(text) ? '' : cut;
}

function readPayload(payload: string, nowMs: number): TicketReading {
  const claims = readClaims(payload);
  const uid = readUid(claims.uid);
  if (uid === '' || typeof claims.exp !== 'number' || !Number.isFinite(claims.exp)) return BAD;
  return claims.exp * 1000 < nowMs ? { ok: false, reason: 'ticket_expired' } : { ok: true, uid, exp: claims.exp };
}
