import { RECEIVE_BUDGET_BYTES } from '@bailing/contract';
import { BailingError, type HttpAnswer, type HttpRequest } from '@bailing/plugin-api';
import type { DownloadLimits } from '@bailing/engine/ports';
import got, { type Got, type Method, type Request, type Response } from 'got';
import http from 'node:http';
import https from 'node:https';
import { guardedLookup } from '../hosts/connect.js';
import { effectivePort, type HostRules } from '../hosts/rules.js';
import { neverConnected, reasonOf } from '../send/reason.js';

const DEFAULT_TIMEOUT_MS = 10_000;
const METHOD = /^[A-Z]{1,16}$/;

/** A request that may be given up for its silence, and that waits before it keeps more. */
export interface PacedRequest extends HttpRequest, Pick<DownloadLimits, 'silentMs' | 'room'> {}

/** `Http.request` on got: one attempt, any status is an answer, the whole body within the budget, which is never above `mostBytes`. */
export function createRequest(
  hosts: HostRules,
  mostBytes: number = RECEIVE_BUDGET_BYTES,
): { readonly request: (request: PacedRequest, signal?: AbortSignal) => Promise<HttpAnswer>; close(): void } {
  const pool = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, timeout: 30_000 };
  const agent = { http: new http.Agent(pool), https: new https.Agent(pool) };
  const client = got.extend({
    agent,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    headers: { 'user-agent': 'bailing' },
    // Our own signal is exact and covers everything; proxies of the environment are not used by these agents.
    timeout: {},
  });
  return {
    request: (request, signal) => attempt(client, hosts, request, signal, mostBytes),
    close: () => {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

async function attempt(
  client: Got,
  hosts: HostRules,
  request: PacedRequest,
  outer: AbortSignal | undefined,
  mostBytes: number,
): Promise<HttpAnswer> {
  const url = readUrl(request.url, hosts);
  const method = (request.method ?? 'GET').toUpperCase();
  if (!METHOD.test(method)) throw failed(url, 'the method is not a word of letters');
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const late = new Countdown(timeoutMs);
  const silence = new Countdown(request.silentMs);
  const ends = AbortSignal.any([late.signal, silence.signal, ...(outer ? [outer] : [])]);
  const budget = Math.min(request.maxBytes ?? RECEIVE_BUDGET_BYTES, mostBytes);
  const stream = client.stream(url, {
    method: method as Method,
    headers: { ...request.headers },
    signal: ends,
    dnsLookup: guardedLookup(hosts, effectivePort(url)),
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  try {
    return await collect(stream, budget, url, async (bytes) => {
      silence.stop();
      if (request.room) {
        late.pause();
        await orEnd(request.room(bytes), ends);
        late.start();
      }
      silence.start();
    });
  } catch (error) {
    if (silence.signal.aborted) throw failed(url, `nothing came for ${String(request.silentMs)} ms`);
    if (late.signal.aborted) throw failed(url, `no whole answer within ${timeoutMs} ms`);
    if (outer?.aborted) throw failed(url, 'the caller gave up');
    throw refusalIn(error) ?? (neverConnected(error) ? notConnected(url, reasonOf(error)) : failed(url, reasonOf(error)));
  } finally {
    silence.stop();
    late.stop();
    stream.destroy();
  }
}

/** A time that runs from its making and can be stopped: what the other side is kept waiting for is not held against it. */
class Countdown {
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private begun = 0;
  readonly signal = this.over.signal;

  /** `ms` undefined: never over. */
  constructor(private ms: number | undefined) {
    this.start();
  }

  start(): void {
    this.begun = performance.now();
    if (this.ms !== undefined) this.timer = setTimeout(() => this.over.abort(), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** As `stop`, and what is over is over. */
  pause(): void {
    this.stop();
    if (this.ms !== undefined) this.ms = Math.max(1, this.ms - (performance.now() - this.begun));
  }
}

async function orEnd(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  let end = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(new Error('ended'));
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  await Promise.race([waiting, ended]).finally(() => signal.removeEventListener('abort', end));
}

/** Reads the decompressed body chunk by chunk; too much of it ends the connection. */
async function collect(stream: Request, budget: number, url: URL, before: (bytes: number) => Promise<void>): Promise<HttpAnswer> {
  let response: Response | undefined;
  stream.once('response', (one: Response) => {
    response = one;
    const length = Number(one.headers['content-length'] ?? 0);
    if (length > budget) stream.destroy(tooLarge(url, budget));
    else if (length > 0 && one.headers['content-encoding'] === undefined) whole = Buffer.allocUnsafe(length);
  });
  const chunks: Buffer[] = [];
  let whole: Buffer | undefined;
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > budget) throw tooLarge(url, budget);
    await before(chunk.length);
    // Put where it belongs as it comes: a large body is never copied in one go, which would keep everybody waiting.
    if (whole && size <= whole.length) chunk.copy(whole, size - chunk.length);
    else chunks.push(chunk);
  }
  if (!response) throw failed(url, 'no answer came');
  return { status: response.statusCode, headers: flat(response.headers), body: whole ? whole.subarray(0, size) : Buffer.concat(chunks) };
}

function flat(headers: http.IncomingHttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

function readUrl(text: string, hosts: HostRules): URL {
  if (!URL.canParse(text)) throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: 'The address is not an absolute URL.' });
  const url = new URL(text);
  hosts.checkUrl(url);
  return url;
}

/** Names the host only: a path or a query may hold a secret. */
export function failed(url: URL, why: string): BailingError {
  return new BailingError('BAILING_OUTBOUND_FAILED', { detail: `${url.host}: ${why}.` });
}

function notConnected(url: URL, why: string): BailingError {
  return new BailingError('BAILING_OUTBOUND_NOT_CONNECTED', { detail: `${url.host}: ${why}.` });
}

export function tooLarge(url: URL, budget: number): BailingError {
  return new BailingError('BAILING_OUTBOUND_TOO_LARGE', { detail: `${url.host}: more than ${budget} bytes.` });
}

/** Our own refusal inside the errors of a library. */
export function refusalIn(error: unknown, depth = 0): BailingError | null {
  if (error instanceof BailingError) return error;
  if (!(error instanceof Error) || depth > 4) return null;
  if (error instanceof AggregateError) return refusalIn(error.errors[0], depth + 1);
  return refusalIn(error.cause, depth + 1);
}
