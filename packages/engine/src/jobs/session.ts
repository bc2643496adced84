import { randomUUID } from 'node:crypto';
import { SUBJECT_CHARS } from '@bailing/contract';
import type { RouteSettings } from '../ports/index.js';

export interface Session {
  readonly id: string;
  readonly isContinue: boolean;
}

export interface Joined extends Session {
  /** Scope of the thread the job joins; absent: the job stands alone (`req:<request_id>` of the contract). */
  readonly scope?: string;
  /** The thread's first session is everybody's. */
  readonly keepsSession?: boolean;
}

/** Session and thread of a new job by the route's policy (WIRE §2.6). With `per_key` the store knows the session, so `id` is a proposal. */
export function sessionOf(route: RouteSettings, metadata: Readonly<Record<string, unknown>>): Joined {
  const fresh = { id: randomUUID(), isContinue: false };
  const { session_policy: policy, session_fixed_id: fixed, session_key_field: field } = route;
  if (policy === 'fixed')
    return { id: fixed ?? '__singleton__', isContinue: true, scope: fixed === undefined ? '__singleton__' : '__fixed__' };
  if (policy === 'passthrough') {
    const given = valueOf(metadata, field ?? 'session_id');
    return given === null ? fresh : { id: given, isContinue: true };
  }
  const key = policy === 'per_key' && field !== undefined ? valueOf(metadata, field) : null;
  return key === null ? fresh : { ...fresh, scope: key, keepsSession: true };
}

function valueOf(metadata: Readonly<Record<string, unknown>>, field: string): string | null {
  const given = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  return (typeof given === 'string' && given !== '') || typeof given === 'number' ? String(given).slice(0, SUBJECT_CHARS) : null;
}
