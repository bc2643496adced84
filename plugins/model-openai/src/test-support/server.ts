import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CredentialRow, Http, Log, ModelProvider } from '@bailing/plugin-api';
import type { OpenaiOptions } from '../provider.js';
import { openaiProvider } from '../provider.js';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

type Answerer = (response: ServerResponse, asked: Asked) => void | Promise<void>;

/** A model endpoint on loopback: every request is kept and answered by the next answerer, the last one repeating. */
export class ModelServer {
  readonly asked: Asked[] = [];
  readonly #answerers: Answerer[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<this> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  answer(...answerers: Answerer[]): this {
    this.asked.length = 0;
    this.#answerers.splice(0, this.#answerers.length, ...answerers);
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked: Asked = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>,
    };
    this.asked.push(asked);
    const next = this.#answerers.length > 1 ? this.#answerers.shift() : this.#answerers[0];
    await next?.(response, asked);
  }
}

export const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Writes each piece on its own, so that each arrives on its own. */
export function streams(
  pieces: Iterable<Uint8Array>,
  options: { headers?: Record<string, string>; then?: 'end' | 'destroy' | 'hang' } = {},
): Answerer {
  return async (response) => {
    response.writeHead(200, options.headers ?? SSE);
    for (const piece of pieces) {
      if (response.destroyed) return;
      response.write(piece);
      await new Promise((next) => setImmediate(next));
    }
    if (options.then === 'destroy') response.destroy();
    else if (options.then !== 'hang') response.end();
  };
}

export function says(status: number, body: unknown, headers: Record<string, string> = {}): Answerer {
  return (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers }).end(text);
  };
}

export interface Logged {
  readonly message: string;
  readonly fields: unknown;
}

/** The real SDK against that server; `http` is Node's own fetch. */
export function provider(
  server: ModelServer,
  more: { row?: Partial<CredentialRow>; options?: Partial<OpenaiOptions>; logged?: Logged[]; fetch?: Http['fetch'] } = {},
): ModelProvider {
  const note = (message: string, fields?: unknown): void => void more.logged?.push({ message, fields });
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const http: Http = { request: () => Promise.reject(new Error('not used here')), fetch: more.fetch ?? globalThis.fetch };
  const row: CredentialRow = {
    name: 'main',
    provider: 'openai',
    base_url: `${server.url}/v1`,
    api_key: 'sk-test-key-000',
    default_model: 'm-1',
    ...more.row,
  };
  return openaiProvider(row, http, log, { timeoutMs: 5_000, idleMs: 2_000, streaming: true, usage: false, ...more.options });
}
