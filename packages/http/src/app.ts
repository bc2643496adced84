import Router from '@koa/router';
import type { Log } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import { askedAgain, watchDelivery } from './delivery.js';
import Koa, { type Context, type Next } from 'koa';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { authenticate, checkAccess, checkOrigin, checkSurface } from './auth.js';
import { ClientGone, readBody } from './body.js';
import { isSecure } from './cookies.js';
import type { Drain, Passage } from './drain.js';
import type { Caller, HubApi } from './hub-api.js';
import { problemReply } from './problem.js';
import { WrongMethod, type Reply, type Route, type RouteRequest } from './route.js';
import { sendEvents } from './sse.js';

export interface AppOptions {
  readonly hub: HubApi;
  readonly log: Log;
  readonly drain: Drain;
  readonly routes: readonly Route[];
  readonly jsonMaxBytes: number;
  /** How long the body of a request may take to arrive. */
  readonly bodyTimeoutMs: number;
}

/** What the middleware of one request hand to each other. */
interface State {
  id: string;
  query: URLSearchParams;
  passage: Passage;
  caller: Caller | null;
  /** Undefined where no route has this path and method. */
  found: Found | undefined;
  /** Routes of the path where no route has the method as well. */
  others: readonly Route[];
}

interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** How much of a path the log keeps. */
const PATH_CHARS = 256;
const GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);
const NO_BODY = new Uint8Array(0);

/** The Koa application as a listener: envelope → shutdown → errors → authentication → router → 404. */
export function createApp(options: AppOptions): RequestListener {
  const app = new Koa();
  // A path is what it says: letter case and a closing slash make another one.
  const router = new Router({ sensitive: true, strict: true });
  options.routes.forEach((route, index) => {
    router.register(route.path, [route.method], () => undefined, { name: String(index) });
  });
  app.use((ctx, next) => envelope(ctx, next, options));
  app.use((ctx, next) => guard(ctx, next, router, options));
  app.use((ctx) => respond(ctx, options));
  app.on('error', (error: unknown) => {
    // Whoever hangs up has not broken anything here.
    const level = GONE.has(String((error as { code?: unknown } | null)?.code)) ? 'info' : 'error';
    options.log[level]('a response could not be sent', { error: nameOf(error) });
  });
  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/** Gives every request an id, a signal and one answer, and writes one log line without its query. */
async function envelope(ctx: Context, next: Next, options: AppOptions): Promise<void> {
  const { drain, log } = options;
  const started = performance.now();
  const passage = drain.enter();
  askedAgain(ctx.req.socket);
  const id = randomUUID();
  ctx.state = { id, query: queryOf(ctx.req.url ?? ''), passage, caller: null, found: undefined, others: [] } satisfies State;
  ctx.res.once('close', () => {
    drain.leave(passage, ctx.res.writableFinished);
    log.info('request', {
      request_id: id,
      method: ctx.method,
      path: ctx.path.slice(0, PATH_CHARS),
      status: ctx.status,
      ms: Math.round(performance.now() - started),
    });
  });
  try {
    if (drain.begun) throw new BailingError('BAILING_HUB_STOPPING');
    await next();
  } catch (error) {
    if (error instanceof ClientGone) ctx.respond = false;
    else send(ctx, problemReply(error, id, ctx.path));
    report(error, id, ctx, log);
  }
  if (drain.begun || !ctx.req.complete) ctx.set('connection', 'close');
}

/** Authentication precedes routing: an unknown private path without a credential is 401, not 404. */
async function guard(ctx: Context, next: Next, router: Router, options: AppOptions): Promise<void> {
  const state = ctx.state as State;
  state.found = find(router, ctx, options.routes);
  if (!state.found) state.others = others(router, ctx, options.routes);
  const open = state.found ? isOpen(state.found.route) : state.others.length > 0 && state.others.every(isOpen);
  if (open) {
    await next();
    return;
  }
  state.caller = await authenticate(ctx.req.headers, state.query, options.hub, ctx.path);
  checkOrigin(state.caller, ctx.method, ctx.req.headers);
  checkSurface(state.caller, ctx.method, ctx.path);
  await next();
}

/** Routes that need no credential to be entered, or take one of their own. */
function isOpen({ access }: Route): boolean {
  return access === 'public' || access === 'own';
}

/** Routes of this path with other methods. */
function others(router: Router, ctx: Context, routes: readonly Route[]): readonly Route[] {
  const layers = router.match(ctx.path, ctx.method).path.filter(({ methods }) => methods.length > 0);
  return layers.flatMap(({ name }) => routes[Number(name)] ?? []);
}

function unmatched(others: readonly Route[]): BailingError {
  if (others.length === 0) return new BailingError('BAILING_REQUEST_NOT_FOUND');
  // A GET answers HEAD as well.
  const methods = others.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new WrongMethod([...new Set(methods)].sort().join(', '));
}

/** One match a request: authentication and the handler both go by it. */
function find(router: Router, ctx: Context, routes: readonly Route[]): Found | undefined {
  const { path, method } = ctx;
  const matched = router.match(path, method);
  const layer = matched.route ? matched.pathAndMethod.find((candidate) => candidate.methods.length > 0) : undefined;
  const route = layer && routes[Number(layer.name)];
  return layer && route && { route, params: layer.params(path, layer.captures(path)) };
}

async function respond(ctx: Context, options: AppOptions): Promise<void> {
  const { id, query, passage, caller, found, others: other } = ctx.state as State;
  if (!found) throw unmatched(other.filter((one) => one.served?.(options.hub) ?? true));
  const { route, params } = found;
  checkAccess(route.access, caller, ctx.method, ctx.path);
  const request: RouteRequest = {
    id,
    query,
    caller,
    get signal() {
      return passage.signal;
    },
    params,
    headers: ctx.req.headers,
    address: ctx.req.socket.remoteAddress ?? '',
    secure: isSecure(ctx.req),
    body: route.method === 'GET' ? NO_BODY : await readBody(ctx.req, route.maxBytes ?? options.jsonMaxBytes, options.bodyTimeoutMs),
  };
  const reply = await route.handle(request, options.hub);
  if (reply.events) return sendEvents(ctx, reply.events, passage.signal, options.log);
  if (reply.delivery && !(await watchDelivery(ctx, reply.delivery, options.log))) return;
  send(ctx, reply);
}

function send(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  ctx.set('cache-control', 'no-store');
  ctx.set('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(reply.headers ?? {})) ctx.set(name, value);
  ctx.set('content-type', reply.type ?? 'application/json; charset=utf-8');
  ctx.body = reply.text ?? JSON.stringify(reply.body ?? {});
}

/** Failures are logged with their stack; refusals are answers and are not. */
function report(error: unknown, id: string, ctx: Context, log: Log): void {
  if (error instanceof ClientGone || ctx.status < 500 || (error instanceof BailingError && error.code === 'BAILING_HUB_STOPPING')) return;
  const stack = error instanceof Error ? error.stack : undefined;
  log.error('request failed', {
    request_id: id,
    method: ctx.method,
    path: ctx.path.slice(0, PATH_CHARS),
    error: nameOf(error),
    ...(stack && { stack }),
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}

function queryOf(url: string): URLSearchParams {
  const cut = url.indexOf('?');
  return new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
}
