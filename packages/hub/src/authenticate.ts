import { createHash } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import type { Caller } from '@bailing/http';
import type { BailingConfig, HubResource } from '@bailing/resources';

const MIN_LOOKUP = 16;
const MIN_SERVER_TOKEN = 24;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
/** Values that documents print as examples; whoever runs one of these has no secret. */
const PUBLISHED = /^(change-?me|replace-?me|your[-_ ]|example|secret|password|token|test|dev)/i;

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127\./.test(host);
}

/**
 * Server-token rules (WIRE §1.1): none only in development on a loopback address; in production or beyond loopback at least 24
 * characters and no published example.
 * @throws BailingError BAILING_CONFIG_INVALID
 */
export function checkServerToken(hub: HubResource): void {
  const token = hub.token ?? '';
  const open = hub.environment === 'development' && isLoopback(hub.host);
  const refuse = (detail: string) => new BailingError('BAILING_CONFIG_INVALID', { at: 'hub.token', detail });
  if (token === '') {
    if (open) return;
    throw refuse('A server token is required in production and on every address that is not loopback.');
  }
  if (token.length < MIN_LOOKUP) throw refuse(`It needs at least ${String(MIN_LOOKUP)} characters.`);
  if (open) return;
  if (token.length < MIN_SERVER_TOKEN)
    throw refuse(`It needs at least ${String(MIN_SERVER_TOKEN)} characters in production and beyond loopback.`);
  if (PUBLISHED.test(token)) throw refuse('It looks like a published example; make a random one.');
}

/**
 * Resolves a bearer value: server token, then client token, then executor token. Values are compared as SHA-256 digests by map lookup, so that neither length nor
 * a common prefix shows in the time it takes. Without a server token (loopback development) a request without a credential is the
 * administrator `dev`; a wrong credential is nobody all the same.
 */
export function authenticator(
  config: Pick<BailingConfig, 'hub' | 'clients' | 'executor_tokens'>,
): (token: string | null) => Promise<Caller | null> {
  const known = new Map<string, Caller>();
  for (const { name, token, allowed_targets: allowedTargets, enabled } of config.executor_tokens) {
    if (enabled) known.set(digest(token), { kind: 'executor', name, allowedTargets });
  }
  for (const client of config.clients) if (client.enabled) known.set(digest(client.token), { kind: 'client', appId: client.app_id });
  const serverToken = config.hub.token ?? '';
  if (serverToken !== '') known.set(digest(serverToken), { kind: 'admin', name: 'admin' });
  return (token) => {
    if (token === null || token === '') return Promise.resolve(serverToken === '' ? { kind: 'admin', name: 'dev' } : null);
    return Promise.resolve(token.length < MIN_LOOKUP ? null : (known.get(digest(token)) ?? null));
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
