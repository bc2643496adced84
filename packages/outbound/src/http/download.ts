import { BailingError } from '@bailing/plugin-api';
import type { Downloads } from '@bailing/engine/ports';
import type { HostRules } from '../hosts/rules.js';
import { createRequest, failed } from './request.js';

/** Statuses that name another address for the same thing. */
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_HOPS = 3;
/** No download is larger, whatever is asked for (WIRE §12: files). */
const MOST_BYTES = 104_857_600;

export interface OwnedDownloads extends Downloads {
  close(): void;
}

/**
 * Fetches addresses that users wrote. Each hop of a redirect is a new request that keeps to the same host rules (storage services answer with one);
 * from https to http is refused. No credentials, no cookies, no retries; the byte budget and the time limit cover the whole.
 */
export function createDownloads(hosts: HostRules): OwnedDownloads {
  const http = createRequest(hosts, MOST_BYTES);
  return {
    close: () => http.close(),
    get: async (address, { maxBytes, timeoutMs, ...pace }, signal) => {
      const until = performance.now() + timeoutMs;
      let url = address;
      for (let hop = 0; hop <= MAX_HOPS; hop++) {
        const left = Math.max(1, Math.floor(until - performance.now()));
        const { status, headers, body } = await http.request(
          { url, maxBytes: Math.min(maxBytes, MOST_BYTES), timeoutMs: left, ...pace },
          signal,
        );
        if (status === 200) return { bytes: body };
        const next = MOVED.has(status) ? headers.location : undefined;
        if (next === undefined) throw failed(new URL(url), `it answered ${String(status)}`);
        url = nextUrl(url, next);
      }
      throw failed(new URL(url), `it redirects more than ${String(MAX_HOPS)} times`);
    },
  };
}

function nextUrl(from: string, location: string): string {
  const before = new URL(from);
  if (!URL.canParse(location, from)) throw failed(before, 'it redirects to something that is no address');
  const next = new URL(location, from);
  next.hash = '';
  if (before.protocol === 'https:' && next.protocol !== 'https:') {
    throw new BailingError('BAILING_OUTBOUND_HOST_REFUSED', {
      detail: `${before.host}: it redirects from https to ${next.protocol.slice(0, 16)}`,
    });
  }
  return next.href;
}
