import { createHmac, timingSafeEqual } from 'node:crypto';

const TICKET = /^v1\.([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/;

/** WIRE §1.4. `exp` in unix seconds. */
export function signTicket(token: string, uid: string, exp: number): string {
  const payload = Buffer.from(JSON.stringify({ uid, exp }), 'utf8').toString('base64url');
  return `v1.${payload}.${createHmac('sha256', token).update(payload).digest('hex')}`;
}

export type TicketReading =
  | { readonly ok: true; readonly uid: string; readonly exp: number }
  | { readonly ok: false; readonly reason: 'bad_ticket' | 'ticket_expired' };

/** Never throws. A bad or expired ticket is refused, never read as anonymous. */
export function readTicket(token: string, ticket: string, nowMs: number): TicketReading {
  const parts = TICKET.exec(ticket);
  if (!parts) return { ok: false, reason: 'bad_ticket' };
  const [, payload = '', given = ''] = parts;
  const expected = createHmac('sha256', token).update(payload).digest();
  if (!timingSafeEqual(expected, Buffer.from(given, 'hex'))) return { ok: false, reason: 'bad_ticket' };
  return readPayload(payload, nowMs);
}

function readPayload(payload: string, nowMs: number): TicketReading {
  let claims: { uid?: unknown; exp?: unknown } | null;
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as typeof claims;
  } catch {
    return { ok: false, reason: 'bad_ticket' };
  }
  if (claims === null || typeof claims !== 'object') return { ok: false, reason: 'bad_ticket' };
  const uid = typeof claims.uid === 'string' || typeof claims.uid === 'number' ? String(claims.uid).trim().slice(0, 64) : '';
  if (uid === '' || typeof claims.exp !== 'number' || !Number.isFinite(claims.exp)) return { ok: false, reason: 'bad_ticket' };
  if (claims.exp * 1000 < nowMs) return { ok: false, reason: 'ticket_expired' };
  return { ok: true, uid, exp: claims.exp };
}
