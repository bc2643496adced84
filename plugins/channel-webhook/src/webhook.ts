import { HEADERS, signBody } from '@bailing/contract';
import {
  BailingError,
  type Channel,
  type ChannelContext,
  type ChannelPart,
  type ChannelRow,
  type Clock,
  type Http,
  type HttpAnswer,
  type PartSent,
} from '@bailing/plugin-api';
import { bodyOf } from './body.js';

/** Settings of a row of kind `webhook`. */
export const CONFIG = {
  type: 'object',
  properties: {
    url: { type: 'string', pattern: '^https?://[^\\s#]+$', maxLength: 2_048 },
    /** Key of the signature; the receiver has the same. */
    secret: { type: 'string', minLength: 16, maxLength: 512, writeOnly: true },
    timeout_ms: { type: 'integer', minimum: 500, maximum: 60_000, default: 10_000 },
  },
  required: ['url', 'secret'],
  additionalProperties: false,
} as const;

interface Config {
  readonly url: string;
  readonly secret: string;
  readonly timeout_ms: number;
}

/** Answers are read up to here. */
const ANSWER_BYTES = 65_536;

/** One message is one signed POST, and one part: the receiver has all of it or nothing. */
export function openWebhook(row: ChannelRow, http: Pick<Http, 'request'>, clock: Clock): Channel<string> {
  const config = row.config as unknown as Config;
  return {
    prepare: (message, context) => Promise.resolve([{ says: 'webhook', body: bodyOf(row.name, message, context) }]),
    deliver: async (part, context) => {
      try {
        return sentBy(await http.request(requestOf(config, part, context, clock), context.signal));
      } catch (error) {
        return sentAlthough(error);
      }
    },
  };
}

/** Signed as every webhook of the hub (WIRE §10.1): milliseconds, a dot and the raw body, with a secret of the channel's own. */
function requestOf({ url, secret, timeout_ms: timeoutMs }: Config, { body }: ChannelPart<string>, { key }: ChannelContext, clock: Clock) {
  const timestamp = String(clock.now());
  const headers = {
    'content-type': 'application/json',
    [HEADERS.timestamp]: timestamp,
    [HEADERS.signature]: signBody(secret, timestamp, body),
    [HEADERS.idempotencyKey]: key,
  };
  return { method: 'POST', url, headers, body, timeoutMs, maxBytes: ANSWER_BYTES };
}

/** 2xx is accepted, 429 and 503 are "not now", other 4xx are a no. 408 and every other 5xx say nothing about what happened before them. */
export function sentBy({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): PartSent {
  if (status >= 200 && status <= 299) return { is: 'accepted', refused: refusedIn(body) };
  const why = `the receiver answered ${String(status)}`;
  if (status === 429 || status === 503) return { is: 'refused', why, later: true };
  if (status === 408 || status >= 500) return { is: 'unknown', why };
  return { is: 'refused', why };
}

/** `{"refused": ["id"]}` in an answer: these did not get it, the others did. */
function refusedIn(body: Uint8Array): readonly string[] {
  try {
    const { refused } = JSON.parse(new TextDecoder().decode(body)) as { readonly refused?: unknown };
    return Array.isArray(refused) ? refused.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Whatever happened after a connection came about may have happened after the receiver had read it all. */
function sentAlthough(error: unknown): PartSent {
  if (!(error instanceof BailingError)) return { is: 'unknown', why: 'the webhook failed' };
  if (error.code === 'BAILING_OUTBOUND_NOT_CONNECTED') return { is: 'refused', why: error.message, later: true };
  if (error.code === 'BAILING_OUTBOUND_HOST_REFUSED') return { is: 'refused', why: error.message };
  return { is: 'unknown', why: error.message };
}
