import type { Http } from '@bailing/plugin-api';
import type { HostRules } from '../hosts/rules.js';
import { createFetch, type FetchLimits } from './fetch.js';
import { createRequest } from './request.js';

export interface CreateHttpOptions extends FetchLimits {
  readonly hosts: HostRules;
}

/** The `http` service of plugins, with the connections it keeps. */
export interface OwnedHttp extends Http {
  close(): Promise<void>;
}

/**
 * Makes plugin-api's `http` service: `request` for one whole answer within a byte budget, `fetch` for SDKs that stream. Both hold the host rules at the
 * literal, at the lookup and at the connection; neither follows redirects nor tries again.
 */
export function createHttp(options: CreateHttpOptions): OwnedHttp {
  const whole = createRequest(options.hosts);
  const streaming = createFetch(options.hosts, options);
  return Object.freeze({
    request: whole.request,
    fetch: streaming.fetch,
    close: async (): Promise<void> => {
      whole.close();
      await streaming.close();
    },
  });
}
