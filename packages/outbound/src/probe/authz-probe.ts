import { HEADERS, signCall } from '@bailing/contract';
import { BailingError, type Clock, type Http } from '@bailing/plugin-api';
import { encodeLiteral } from '../freeze/encode.js';
import { checkPath } from '../freeze/path.js';
import { masked } from '../send/mask.js';

/** Nobody: a business that knows its people refuses this one (WIRE §4.5). */
export const PROBE_SUBJECT = '__bailing_authz_probe__:nobody';
const PROBE_JOB = 'probe';
const PROBE_CLIENT = '__probe__';
const MAX_TIMEOUT_MS = 8_000;
/** Only a short JSON answer means something. */
const MAX_BYTES = 65_536;

export interface AuthzProbeRequest {
  readonly provider: { readonly name: string; readonly baseUrl: string; readonly secret: string; readonly timeoutMs: number };
  readonly method: 'GET' | 'POST';
  /** As the document writes it; nothing is substituted. */
  readonly path: string;
  readonly prefix?: string;
  readonly scope: string;
}

/**
 * Asks a business, signed, for something on behalf of nobody, and answers what came back; null where nothing did. Never throws.
 *
 * This is not a tool call and cannot become one: subject, job, client and body are constants of this file, nothing a brain or an argument says
 * gets here, and no journal row, budget or approval belongs to it. That is why it needs no Ticket, and why it stands apart from the Invoker, which
 * sends nothing without one.
 */
export async function sendAuthzProbe(
  request: AuthzProbeRequest,
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string } | null> {
  const { method, provider } = request;
  const body = method === 'POST' ? JSON.stringify({ subject: PROBE_SUBJECT, reason: 'bailing-authz-probe', expect: 'deny' }) : '';
  try {
    const { url, target } = addressOf(request);
    const headers = headersOf(request, target, body, clock);
    const answer = await http.request(
      {
        method,
        url,
        headers,
        ...(body !== '' && { body }),
        timeoutMs: Math.min(provider.timeoutMs > 0 ? provider.timeoutMs : MAX_TIMEOUT_MS, MAX_TIMEOUT_MS),
        maxBytes: MAX_BYTES,
      },
      signal,
    );
    return {
      status: answer.status,
      body: masked(new TextDecoder().decode(answer.body), headers[HEADERS.signature] ?? '', provider.secret),
    };
  } catch (error) {
    if (error instanceof BailingError) return null;
    throw error;
  }
}

/** The target is what is signed; base path and prefix are sent before it, as with any call (WIRE §6.1). */
function addressOf({ provider, path, prefix }: AuthzProbeRequest): { url: string; target: string } {
  const base = new URL(provider.baseUrl);
  const cut = path.indexOf('?');
  const before = `${base.pathname.replace(/\/+$/, '')}${encodeLiteral((prefix ?? '').replace(/\/+$/, ''), 'path')}`;
  const route = encodeLiteral(cut === -1 ? path : path.slice(0, cut), 'path');
  const query = cut === -1 ? '' : encodeLiteral(path.slice(cut), 'query');
  checkPath(before + route);
  // What a URL parser makes of it is what is sent, so that is what is signed.
  const url = new URL(`${base.origin}${before}${route}${query}`);
  return { url: url.href, target: `${url.pathname}${url.search}`.slice(before.length) };
}

function headersOf({ provider, method, scope }: AuthzProbeRequest, target: string, body: string, clock: Clock): Record<string, string> {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signed = { timestamp, method, target, body: Buffer.from(body), onBehalfOf: PROBE_SUBJECT, jobId: PROBE_JOB };
  return {
    ...(body !== '' && { 'content-type': 'application/json' }),
    [HEADERS.timestamp]: timestamp,
    [HEADERS.signature]: signCall(provider.secret, signed),
    [HEADERS.jobId]: PROBE_JOB,
    [HEADERS.client]: PROBE_CLIENT,
    [HEADERS.onBehalfOf]: PROBE_SUBJECT,
    [HEADERS.toolScope]: scope,
  };
}
