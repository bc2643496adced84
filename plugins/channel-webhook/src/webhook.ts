import { bodySigner, HEADERS } from '@bailing/contract';
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
import { inSteps } from './steps.js';

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
export function openWebhook(row: ChannelRow, http: Pick<Http, 'request'>, clock: Clock): Channel<Uint8Array> {
  const config = row.config as unknown as Config;
  return {
    prepare: async (message, context) => [{ says: 'webhook', body: await bodyOf(row.name, message, context) }],
    deliver: async (part, context) => {
      try {
        return sentBy(await http.request(await requestOf(config, part, context, clock), context.signal));
      } catch (error) {
        return sentAlthough(error);
      }
    },
  };
}

/** Signed as every webhook of the hub (WIRE §10.1): milliseconds, a dot and the raw body, with a secret of the channel's own. */
async function requestOf(
  { url, secret, timeout_ms: timeoutMs }: Config,
  { body }: ChannelPart<Uint8Array>,
  { key }: ChannelContext,
  clock: Clock,
) {
  const timestamp = String(clock.now());
  const signer = bodySigner(secret, timestamp);
  for await (const piece of inSteps(body)) signer.add(piece);
  const headers = {
    'content-type': 'application/json',
    [HEADERS.timestamp]: timestamp,
    [HEADERS.signature]: signer.end(),
    [HEADERS.idempotencyKey]: key,
  };
  return { method: 'POST', url, headers, body, timeoutMs, maxBytes: ANSWER_BYTES };
}

/** Asks to go elsewhere before anything is taken; other redirects may be the answer to something that was. */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * 2xx is accepted, 429 and 503 are "not now", other 4xx are a no. 408, every other 5xx and most redirects say nothing about what happened before them;
 * 409 may say that it was taken before.
 */
export function sentBy({
  status,
  headers,
  body,
}: Pick<HttpAnswer, 'status' | 'body'> & { readonly headers?: HttpAnswer['headers'] }): PartSent {
  if (status >= 200 && status <= 299) return takenBy(new TextDecoder().decode(body).trim(), headers?.['content-type'] ?? '');
  const why = `the receiver answered ${String(status)}`;
  if (status === 429 || status === 503) return { is: 'refused', why, later: true };
  const no = MOVED.has(status) || (status >= 400 && status <= 499 && status !== 408 && status !== 409);
  return no ? { is: 'refused', why } : { is: 'unknown', why };
}

/**
 * What a 2xx says. Nothing, plain words or an object without `refused` are "I have it"; `{"refused": ["id"]}`: these did not get it, the others did.
 * `ok: false` or an `error` in it contradicts the status.
 * A web page comes from a login or a proxy rather than from a receiver, and an object that cannot be read may have named somebody: nobody knows then.
 */
function takenBy(text: string, contentType: string): PartSent {
  if (text === '') return { is: 'accepted', refused: [] };
  if (text.startsWith('<') || /^text\/html\b/i.test(contentType)) return { is: 'unknown', why: 'the receiver answered with a web page' };
  const unreadable = { is: 'unknown', why: 'the receiver answered with JSON that cannot be read' } as const;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return text.startsWith('{') || /\bjson\b/i.test(contentType) ? unreadable : { is: 'accepted', refused: [] };
  }
  const { ok, error, refused = null } = (answer ?? {}) as { readonly ok?: unknown; readonly error?: unknown; readonly refused?: unknown };
  if (ok === false || Boolean(error)) return { is: 'unknown', why: 'the receiver answered 2xx with an error in it' };
  if (refused === null) return { is: 'accepted', refused: [] };
  if (Array.isArray(refused) && refused.every((one) => typeof one === 'string')) return { is: 'accepted', refused };
  return { is: 'unknown', why: 'the receiver answered with a refused that is no list of ids' };
}

/** Whatever happened after a connection came about may have happened after the receiver had read it all. */
function sentAlthough(error: unknown): PartSent {
  if (!(error instanceof BailingError)) return { is: 'unknown', why: 'the webhook failed' };
  if (error.code === 'BAILING_OUTBOUND_NOT_CONNECTED') return { is: 'refused', why: error.message, later: true };
  if (error.code === 'BAILING_OUTBOUND_HOST_REFUSED') return { is: 'refused', why: error.message };
  return { is: 'unknown', why: error.message };
}
