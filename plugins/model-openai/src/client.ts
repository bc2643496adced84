import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type { CredentialRow, Http } from '@bailing/plugin-api';
import { BailingError, ModelFailure } from '@bailing/plugin-api';
import { pieces } from './body.js';
import type { Scrub } from './failure.js';
import { networkFailure, statusFailure } from './failure.js';
import { MAX_ERROR_BYTES } from './limits.js';
import type { Body } from './request.js';
import { member, parsed, word } from './shape.js';
import { Watch } from './watch.js';

/** Sends one body and answers the raw response with a 2xx status. Failures are thrown as {@link ModelFailure}. */
export type Send = (body: Body, watch: Watch) => Promise<Response>;

/** A status that is not 2xx, with the provider's words as they came; kept apart so that the caller can look for "streaming". */
export class StatusFailure extends Error {
  constructor(
    readonly failure: ModelFailure,
    readonly status: number,
    readonly said: string,
  ) {
    super(failure.message);
  }
}

/**
 * The SDK builds requests and errors; bodies of answers are read by us (its stream parser raises raw SyntaxErrors and prints).
 * Every default the SDK would take from the process environment is set here, so that a row means what it says.
 */
export function openClient(row: CredentialRow, http: Http, scrub: Scrub): Send {
  const { baseURL, query } = baseOf(row);
  const client = new OpenAI({
    apiKey: row.api_key === undefined || row.api_key === '' ? 'none' : keyOf(row),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    defaultQuery: query,
    defaultHeaders: row.api_key ? {} : { Authorization: null },
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedErrors(http.fetch),
    // "manual" hands us the 3xx itself, which is refused as the final status it is; nothing follows it.
    fetchOptions: { redirect: 'manual' },
  });
  return async (body, watch) => {
    try {
      return await client.chat.completions.create(body, { signal: watch.signal, timeout: watch.totalMs + 1_000 }).asResponse();
    } catch (error) {
      throw watch.failure() ?? explain(error, watch, scrub);
    }
  };
}

function explain(error: unknown, watch: Watch, scrub: Scrub): Error {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIError && typeof error.status === 'number') {
    const said = word(member(error.error, 'message')) ?? '';
    return new StatusFailure(statusFailure(error.status, scrub(said)), error.status, said);
  }
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return new ModelFailure(`The model did not answer within ${String(watch.totalMs)} ms.`, true);
  }
  return networkFailure(error, scrub);
}

/** The SDK reads the whole body of an error and knows one shape of it; this hands it the beginning, in that shape. */
function boundedErrors(fetch: Http['fetch']): Http['fetch'] {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const watch = new Watch(init?.signal ?? new AbortController().signal, 10_000, 5_000);
    const parts: Uint8Array[] = [];
    try {
      for await (const piece of pieces(response, watch, MAX_ERROR_BYTES)) parts.push(piece);
    } catch {
      // What was read so far says enough.
    } finally {
      watch.close();
    }
    const body = JSON.stringify({ error: { message: saidIn(Buffer.concat(parts).toString()) } });
    return new Response(response.status === 304 ? null : body, {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

/** The reason inside an error body: OpenAI nests it, Mistral and DashScope say `message`, FastAPI servers `detail`, gateways send pages. */
function saidIn(text: string): string {
  if (/^\s*<(!doctype|html)\b/i.test(text)) return 'it answered with a web page';
  const body = parsed(text);
  const error = member(body, 'error');
  const said = [
    member(error, 'message'),
    error,
    member(body, 'message'),
    member(body, 'detail'),
    member(body, 'error_msg'),
    member(body, 'msg'),
  ];
  const found = said.find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof found === 'string' ? found : text;
}

/** The base path is kept with or without a trailing slash; a query would swallow the path, so it travels as default query. */
function baseOf(row: CredentialRow): { baseURL: string; query: Record<string, string> } {
  const url = row.base_url !== undefined && URL.canParse(row.base_url) ? new URL(row.base_url) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new BailingError('BAILING_CONFIG_INVALID', {
      at: `credentials ${row.name}, base_url`,
      detail: 'It must be an http or https URL.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    const detail = 'It must not carry a user name or password; put the key into api_key.';
    throw new BailingError('BAILING_CONFIG_INVALID', { at: `credentials ${row.name}, base_url`, detail });
  }
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  url.hash = '';
  return { baseURL: url.href.replace(/\/+$/, ''), query };
}

/** A key with characters that no header can carry fails here, not inside fetch, whose error text would quote it. */
function keyOf(row: CredentialRow): string {
  const key = row.api_key ?? '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const detail = 'It holds spaces or characters that a header cannot carry.';
  throw new BailingError('BAILING_CONFIG_INVALID', { at: `credentials ${row.name}, api_key`, detail });
}
