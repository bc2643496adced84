import { HEADERS, signBody } from '@bailing/contract';
import { BailingError, type Clock, type Http, type Webhooks } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';

/** Answers of receivers are read up to here; only their status counts. */
const ANSWER_BYTES = 65_536;
const TIMEOUT_MS = 10_000;

/** Whose token signs callbacks, webhooks and signed decisions of a job (WIRE §10.1): its client's, else the server's; empty where there is none. */
export function callbackSecret(current: () => Pick<BailingConfig, 'hub' | 'clients'>): (owner: string) => string {
  return (owner) => {
    const { clients, hub } = current();
    return clients.find(({ app_id: id }) => id === owner)?.token ?? hub.token ?? '';
  };
}

/** The `webhooks` service: one POST, signed with the time of this very attempt. */
export function createWebhooks(http: Pick<Http, 'request'>, secretOf: (owner: string) => string, clock: Clock): Webhooks {
  return {
    post: async ({ url, body, signAs }, signal) => {
      const secret = secretOf(signAs);
      if (secret === '')
        throw new BailingError('BAILING_CONFIG_INVALID', { at: 'hub.token', detail: 'There is no token to sign this webhook with.' });
      const bytes = Buffer.from(body, 'utf8');
      const timestamp = String(clock.now());
      const headers = {
        'content-type': 'application/json',
        [HEADERS.timestamp]: timestamp,
        [HEADERS.signature]: signBody(secret, timestamp, bytes),
      };
      const request = { method: 'POST', url, headers, body: bytes, timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES };
      return { status: (await http.request(request, signal)).status };
    },
  };
}
