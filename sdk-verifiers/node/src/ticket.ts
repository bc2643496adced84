import { timingSafeEqual } from 'node:crypto';
import { hasLoneSurrogate, hmac } from './bytes.js';
import { readObject } from './json.js';

const TICKET = /^v1\.([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/;

export type TicketFailure = 'bad_ticket' | 'ticket_expired';
export type TicketCheck =
  { readonly ok: true; readonly uid: string; readonly exp: number } | { readonly ok: false; readonly reason: TicketFailure };

/** Thrown when a uid cannot be put into a ticket (SIGNING 38). */
export class InvalidUid extends TypeError {
  readonly code = 'invalid_uid';
  constructor() {
    super('The uid of a chat ticket is 1 to 64 UTF-8 bytes after trimming. Use a short, stable id of the user, such as "tenant:user".');
    this.name = 'InvalidUid';
  }
}

/**
 * Signs a chat ticket (SIGNING 37). `expiresAt` is unix seconds and wins over `ttlSeconds` (default 7200).
 * @throws {InvalidUid} when the uid is not 1 to 64 bytes.
 */
export function signTicket(token: string, uid: string | number, options: { ttlSeconds?: number; expiresAt?: number } = {}): string {
  if (typeof token !== 'string' || token === '') throw new TypeError('A client token is needed to sign a ticket.');
  const id = String(uid).trim();
  if (id === '' || Buffer.byteLength(id) > 64 || hasLoneSurrogate(id)) throw new InvalidUid();
  const exp = options.expiresAt ?? Math.floor(Date.now() / 1000) + (options.ttlSeconds ?? 7200);
  if (!Number.isSafeInteger(exp)) throw new TypeError('The expiry of a ticket is whole unix seconds.');
  const payload = Buffer.from(JSON.stringify({ uid: id, exp }), 'utf8').toString('base64url');
  return `v1.${payload}.${hmac(token, payload).toString('hex')}`;
}

function readUid(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(Number(value)) : '';
  if (text === '') return null;
  const cut = text.slice(0, 64);
  return hasLoneSurrogate(cut) ? cut.slice(0, 63) : cut;
}

/** Checks a chat ticket (SIGNING 39). `now` is unix milliseconds, for tests. Never throws because of the ticket. */
export function verifyTicket(token: string, ticket: unknown, options: { now?: number } = {}): TicketCheck {
  const bad: TicketCheck = { ok: false, reason: 'bad_ticket' };
  if (typeof token !== 'string' || token === '' || typeof ticket !== 'string') return bad;
  const [, payload, mac] = TICKET.exec(ticket) ?? [];
  if (payload === undefined || mac === undefined) return bad;
  if (!timingSafeEqual(hmac(token, payload), Buffer.from(mac, 'hex')) || payload.length % 4 === 1) return bad;
  const claims = readObject(Buffer.from(payload, 'base64url'));
  const uid = readUid(claims?.['uid']);
  const exp = claims?.['exp'];
  if (uid === null || typeof exp !== 'number' || !Number.isFinite(exp)) return bad;
  return exp * 1000 < (options.now ?? Date.now()) ? { ok: false, reason: 'ticket_expired' } : { ok: true, uid, exp };
}
