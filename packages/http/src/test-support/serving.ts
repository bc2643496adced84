import http from 'node:http';
import net from 'node:net';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../index.js';
import { FakeHub, keepingLog } from './fake-hub.js';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): Record<string, unknown>;
}

export interface Serving {
  readonly hub: FakeHub;
  readonly log: ReturnType<typeof keepingLog>;
  readonly server: HttpServer;
  readonly port: number;
  ask(method: string, path: string, more?: AskOptions): Promise<Answer>;
  /** Writes raw bytes and answers everything that comes back until the connection closes. */
  raw(bytes: string): Promise<string>;
}

export interface AskOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly bytes?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: http.Agent;
}

/** A real server on a free loopback port with a hub of memory. */
export async function serve(more: Partial<HttpServerOptions> & { hub?: FakeHub } = {}): Promise<Serving> {
  const hub = more.hub ?? new FakeHub();
  const log = keepingLog();
  const server = createHttpServer({ log, port: 0, drainMs: 1_000, ...more, hub });
  const { port } = await server.start();
  const ask: Serving['ask'] = (method, path, options = {}) => request(port, method, path, options);
  return { hub, log, server, port, ask, raw: (bytes) => rawExchange(port, bytes) };
}

function request(port: number, method: string, path: string, options: AskOptions): Promise<Answer> {
  const bytes = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const headers = { ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }), ...options.headers };
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ host: '127.0.0.1', port, method, path, headers, agent: options.agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function rawExchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}
