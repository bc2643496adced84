import { JSON_BODY_BYTES } from '@bailing/contract';
import type { Log } from '@bailing/plugin-api';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { Drain } from './drain.js';
import type { HubApi } from './hub-api.js';
import type { Route } from './route.js';
import { routes } from './routes/index.js';

export interface HttpServerOptions {
  readonly hub: HubApi;
  readonly log: Log;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Default 1 048 576 (WIRE §0). */
  readonly jsonMaxBytes?: number;
  /** How long the body of a request may take to arrive, in milliseconds; later is a 408. Default 30 000. */
  readonly bodyTimeoutMs?: number;
  /** How long `stop` waits for requests on their way, in milliseconds. Default 30 000. */
  readonly drainMs?: number;
  /** Default 4 096. */
  readonly maxConnections?: number;
  /** Endpoints besides the built-in ones. */
  readonly extraRoutes?: readonly Route[];
}

export interface HttpServer {
  /** Listens. Rejects where the port cannot be had. */
  start(): Promise<{ readonly host: string; readonly port: number; readonly url: string }>;
  /**
   * From now on every new request is answered 503; those on their way get up to `drainMs` to end, long polls end at once. Then the port and every
   * connection are closed. May be called twice.
   */
  stop(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const drain = new Drain();
  const app = createApp({
    hub: options.hub,
    log: options.log,
    drain,
    routes: [...routes, ...(options.extraRoutes ?? [])],
    jsonMaxBytes: options.jsonMaxBytes ?? JSON_BODY_BYTES,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000,
  });
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 15_000, maxHeaderSize: 16_384 }, app);
  server.maxConnections = options.maxConnections ?? 4_096;
  server.maxHeadersCount = 100;
  const answering = trackAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBroken(error, socket, answering.has(socket)));
  let stopped: Promise<void> | undefined;
  return {
    start: () => listen(server, options.host ?? '127.0.0.1', options.port),
    stop: () => (stopped ??= stop(server, drain, options.drainMs ?? 30_000)),
  };
}

async function listen(server: Server, host: string, port: number): Promise<{ host: string; port: number; url: string }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  return { host, port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

const BROKEN: Readonly<Record<string, readonly [status: string, says: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** Connections on which an answer is being made: nothing else may be written there. */
function trackAnswers(server: Server): WeakSet<Duplex> {
  const answering = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    const { socket } = request;
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
  return answering;
}

/** What is not HTTP never reaches a route; it is answered in the same form and the connection closed. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex, busy: boolean): void {
  if (busy || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, says] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = JSON.stringify({ error: says, code: 'BAILING_REQUEST_MALFORMED', fix: 'Send one plain HTTP/1.1 request.' });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nconnection: close\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

async function stop(server: Server, drain: Drain, drainMs: number): Promise<void> {
  drain.begin();
  await drain.empty(drainMs);
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
