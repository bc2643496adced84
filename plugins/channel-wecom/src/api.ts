import { BailingError, ChannelFailure, type HttpAnswer } from '@bailing/plugin-api';
import type { Given, WecomConfig } from './config.js';

/** What an answer of the API says; 0 is success. */
export interface Said {
  readonly errcode: number;
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly media_id?: string;
  /** Recipients it was not for, separated by `|`. */
  readonly invaliduser?: string;
  readonly unlicenseduser?: string;
}

const ANSWER_BYTES = 65_536;
const TIMEOUT_MS = 10_000;
const UPLOAD_MS = 20_000;

/** The token is not good any more (WIRE §13.3). */
const STALE: ReadonlySet<number> = new Set([40014, 42001]);
/** Busy, too many calls, too many at once. */
const LATER: ReadonlySet<number> = new Set([-1, 45009, 45033]);

export function isStale({ errcode }: Said): boolean {
  return STALE.has(errcode);
}

export function mayWork({ errcode }: Said): boolean {
  return LATER.has(errcode) || STALE.has(errcode);
}

/** Addresses hold secrets in their query, so no error names one. */
export class WecomApi {
  constructor(
    private readonly config: WecomConfig,
    private readonly given: Given,
  ) {}

  /** @throws BailingError BAILING_OUTBOUND_*, or SyntaxError where the answer is none of the API */
  async token(signal: AbortSignal): Promise<Said> {
    const { corpid, secret } = this.config;
    return this.call('GET', 'gettoken', { corpid, corpsecret: secret }, undefined, signal);
  }

  /** @throws as `token` does; after a connection came about the message may have been taken */
  async send(token: string, message: object, signal: AbortSignal): Promise<Said> {
    return this.call('POST', 'message/send', { access_token: token }, JSON.stringify(message), signal);
  }

  /** @throws as `token` does */
  async upload(
    token: string,
    type: 'image' | 'file',
    file: { name: string; contentType: string; bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<Said> {
    const form = new FormData();
    form.append('media', new Blob([Uint8Array.from(file.bytes)], { type: file.contentType }), file.name);
    const within = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]);
    const answer = await this.given.http.fetch(this.address('media/upload', { access_token: token, type }), {
      method: 'POST',
      body: form,
      signal: within,
    });
    return read(await answer.text());
  }

  private async call(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Said> {
    const request = {
      ...{ method, url: this.address(path, query), timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES },
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    };
    const answer = await this.given.http.request(request, signal);
    return read(textOf(answer));
  }

  private address(path: string, query: Readonly<Record<string, string>>): string {
    return `${this.config.base_url.replace(/\/+$/, '')}/${path}?${new URLSearchParams(query).toString()}`;
  }
}

function textOf({ status, body }: HttpAnswer): string {
  if (status !== 200) throw new SyntaxError(`status ${String(status)}`);
  return new TextDecoder().decode(body);
}

function read(text: string): Said {
  const said = JSON.parse(text) as Partial<Said> | null;
  if (typeof said?.errcode !== 'number' || !Number.isInteger(said.errcode)) throw new SyntaxError('no errcode');
  return said as Said;
}

/** For steps that reach nobody: whatever went wrong, nothing was sent. */
export function notSent(error: unknown, what: string): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  if (error instanceof BailingError) return new ChannelFailure(`${what}: ${error.message}`, error.entry.retry !== 'never');
  return new ChannelFailure(`${what}: WeCom did not answer as it should`, true);
}
