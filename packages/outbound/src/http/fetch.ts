import { BailingError } from '@bailing/plugin-api';
import { Agent, fetch as undiciFetch, FormData as UndiciFormData, type BodyInit, type RequestInit as UndiciInit } from 'undici';
import { guardedConnector } from '../hosts/connect.js';
import type { HostRules } from '../hosts/rules.js';
import { refusalIn, tooLarge } from './request.js';

type Fetch = typeof globalThis.fetch;

export interface FetchLimits {
  /** Decompressed bytes of one streamed answer. Default 67 108 864. */
  readonly fetchMaxBytes?: number;
  /** Silence in the middle of an answer, in milliseconds. Default 120 000. */
  readonly fetchIdleMs?: number;
}

/** Statuses whose responses have no body by definition. */
const BODILESS = new Set([101, 204, 205, 304]);

/**
 * A `fetch` for SDKs: undici's own, behind the host rules. Redirects are refused, bodies are counted while they stream. It takes what SDKs hand over:
 * Request, FormData and File of Node itself or of a library that follows the same shape.
 */
export function createFetch(hosts: HostRules, limits: FetchLimits): { readonly fetch: Fetch; close(): Promise<void> } {
  const idle = limits.fetchIdleMs ?? 120_000;
  const dispatcher = new Agent({
    connect: guardedConnector(hosts, 10_000),
    connections: 64,
    allowH2: false,
    keepAliveTimeout: 4_000,
    headersTimeout: Math.max(idle, 300_000),
    bodyTimeout: idle,
  });
  const maxBytes = limits.fetchMaxBytes ?? 67_108_864;
  const fetch: Fetch = async (input, init) => {
    const { url, init: prepared } = await prepare(input, init);
    hosts.checkUrl(url);
    return guarded(url, { ...prepared, redirect: 'manual', dispatcher }, maxBytes);
  };
  return { fetch, close: () => dispatcher.destroy() };
}

async function guarded(url: URL, init: UndiciInit, maxBytes: number): Promise<Response> {
  let response: Awaited<ReturnType<typeof undiciFetch>>;
  try {
    response = await undiciFetch(url, init);
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
  if (response.status >= 300 && response.status < 400 && response.headers.has('location')) {
    await response.body?.cancel();
    throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: `${url.host}: it answered with a redirect, which is not followed.` });
  }
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(url, maxBytes);
  }
  return wrapped(url, response, maxBytes);
}

/** The same answer as a Response of Node itself, its body counted on the way. */
function wrapped(url: URL, response: Awaited<ReturnType<typeof undiciFetch>>, maxBytes: number): Response {
  const body = BODILESS.has(response.status) ? null : (response.body as ReadableStream<Uint8Array> | null);
  let size = 0;
  const counted = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > maxBytes) controller.error(tooLarge(url, maxBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText } = response;
  const wrapper = new Response(counted ?? null, { status, statusText, headers: [...response.headers] });
  return Object.defineProperty(wrapper, 'url', { value: response.url });
}

/** Brings what fetch accepts into the form of undici's own classes. */
async function prepare(input: Parameters<Fetch>[0], init: RequestInit | undefined): Promise<{ url: URL; init: UndiciInit }> {
  if (typeof input === 'string' || input instanceof URL) {
    const body = await bodyOf(init?.body);
    const { body: _replaced, ...rest } = (init ?? {}) as unknown as UndiciInit;
    return { url: new URL(input), init: { ...rest, ...(body === undefined ? {} : { body }) } };
  }
  const request = new Request(input, init);
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const { method, headers, signal } = request;
  return { url: new URL(request.url), init: { method, headers: [...headers], signal, ...(bytes ? { body: bytes } : {}) } };
}

async function bodyOf(body: unknown): Promise<BodyInit | undefined> {
  if (!isForm(body)) return body === null || body === undefined ? undefined : (body as BodyInit);
  const form = new UndiciFormData();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([await value.arrayBuffer()], { type: value.type }), value.name ?? 'blob');
  }
  return form;
}

interface FormPart {
  readonly type: string;
  readonly name?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A form of any make: undici knows only its own class and would send another one as the text `[object FormData]`. */
function isForm(body: unknown): body is Iterable<[string, string | FormPart]> {
  return typeof body === 'object' && body !== null && (body as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'FormData';
}
