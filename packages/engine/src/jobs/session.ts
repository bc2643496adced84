import { randomUUID } from 'node:crypto';
import { SUBJECT_CHARS } from '@bailing/contract';
import type { RouteSettings } from '../ports/index.js';

export interface Session {
  readonly id: string;
  readonly isContinue: boolean;
}

/** Session id of a new job by the route's policy (WIRE §2.6). */
export function sessionOf(route: RouteSettings, metadata: Readonly<Record<string, unknown>>): Session {
  if (route.session_policy === 'fixed') return { id: route.session_fixed_id ?? '__singleton__', isContinue: true };
  if (route.session_policy === 'passthrough') {
    const field = route.session_key_field ?? 'session_id';
    const given = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
    if ((typeof given === 'string' && given !== '') || typeof given === 'number')
      return { id: String(given).slice(0, SUBJECT_CHARS), isContinue: true };
  }
  return { id: randomUUID(), isContinue: false };
}
