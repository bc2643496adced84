import { HEADERS, RECEIVE_BUDGET_BYTES, signSpecFetch } from '@bailing/contract';
import { BailingError, type Clock, type Http } from '@bailing/plugin-api';

/** The three forms of a spec fetch (WIRE §4.2). */
export type Form = 'signed' | 'unsigned' | 'invalid';

/** What one request showed: a status where one arrived, a body where it could be read. */
export interface Observation {
  readonly status?: number;
  readonly body?: Uint8Array;
  /** Why there is no body to read; never the URL. */
  readonly says?: string;
}

export interface Fetching {
  readonly http: Http;
  readonly clock: Clock;
}

const TIMEOUT_MS = 10_000;

/** Sends one form of the request. Nothing but the two headers of the form is added. Never throws. */
export async function observe(fetching: Fetching, url: URL, secret: string, form: Form, signal: AbortSignal): Promise<Observation> {
  const headers = formHeaders(fetching.clock, url, secret, form);
  try {
    const answer = await fetching.http.request(
      { method: 'GET', url: url.href, headers, timeoutMs: TIMEOUT_MS, maxBytes: RECEIVE_BUDGET_BYTES },
      signal,
    );
    return { status: answer.status, body: answer.body };
  } catch (error) {
    if (error instanceof BailingError && error.code === 'BAILING_OUTBOUND_TOO_LARGE')
      return { ...(await statusOnly(fetching, url, headers, signal)), says: `The document is larger than ${RECEIVE_BUDGET_BYTES} bytes.` };
    return { says: error instanceof BailingError ? error.entry.says : 'The request failed on its way.' };
  }
}

/** An answer too large to read still has a status, and the status is what was observed. */
async function statusOnly(
  fetching: Fetching,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Observation> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetching.http.fetch(url.href, { headers, redirect: 'manual', signal: within });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch {
    return {};
  }
}

function formHeaders(clock: Clock, url: URL, secret: string, form: Form): Record<string, string> {
  if (form === 'unsigned') return {};
  const timestamp = String(Math.floor(clock.now() / 1000));
  const target = url.pathname + url.search;
  const signature = form === 'signed' ? signSpecFetch(secret, timestamp, target) : `sha256=${'0'.repeat(64)}`;
  return { [HEADERS.timestamp]: timestamp, [HEADERS.signature]: signature };
}
