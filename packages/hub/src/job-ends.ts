import type { PostSigned } from '@bailing/engine';
import { createHostRules, createHttp, type HostRules } from '@bailing/outbound';
import type { Clock } from '@bailing/plugin-api';
import { createWebhooks } from './webhooks.js';

export interface PosterOptions {
  /** Hosts that an operator wrote into the configuration. */
  readonly operatorHosts: HostRules;
  /** Private hosts that requests may name, too (`hub.allow_private_hosts`). */
  readonly callerHosts: readonly string[];
  readonly secretOf: (owner: string) => string;
  readonly clock: Clock;
}

/** Posts the ends of jobs. An address that came with a request never reaches a private host only because an operator uses it elsewhere. */
export function openPoster(options: PosterOptions): { readonly post: PostSigned; close(): Promise<void> } {
  const { operatorHosts, callerHosts, secretOf, clock } = options;
  const trusted = createHttp({ hosts: operatorHosts });
  const untrusted = createHttp({ hosts: createHostRules({ allowPrivateHosts: callerHosts }) });
  const byOperator = createWebhooks(trusted, secretOf, clock);
  const byCaller = createWebhooks(untrusted, secretOf, clock);
  return {
    post: ({ trusted: operator, ...message }, signal) => (operator ? byOperator : byCaller).post(message, signal),
    close: async () => {
      await Promise.all([trusted.close(), untrusted.close()]);
    },
  };
}
