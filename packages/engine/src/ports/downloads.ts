import type { Ms } from './words.js';

export interface DownloadLimits {
  /** Decompressed bytes. */
  readonly maxBytes: number;
  /** The whole of it, redirects included. */
  readonly timeoutMs: Ms;
  /** Silence after which it is given up; absent: none. Waiting for `room` is no silence. */
  readonly silentMs?: Ms;
  /** Asked before so many bytes more are kept. */
  readonly room?: (bytes: number) => Promise<void>;
}

/** Fetches what users link to: public addresses only unless the operator allowed a host, no credentials, a few redirects that keep to the same rules. */
export interface Downloads {
  /** @throws BailingError `BAILING_OUTBOUND_*`, naming the host and no more of the address */
  get(url: string, limits: DownloadLimits, signal: AbortSignal): Promise<{ readonly bytes: Uint8Array }>;
}
