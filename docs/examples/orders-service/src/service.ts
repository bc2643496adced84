import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { koaCall, koaGate, readRawBody, SpecServer } from '@bailing/verifier';
import { Approvals, type HubLink } from './approvals.js';
import { approvalsPage } from './approvals-page.js';
import { authorizer } from './authorize.js';
import { openDatabase } from './database.js';
import { toolDocument } from './document.js';
import { refundsPage } from './page.js';
import { Refunds, type Answer, type Refund } from './refunds.js';

export interface OrdersServiceOptions {
  /** The secret shared with the hub's tool provider. */
  readonly secret: string;
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** SQLite file, or `:memory:`. */
  readonly file?: string;
  /** Told of every signed call that was let in, before it is handled; tests use it to wait, count and fail. */
  readonly onCall?: (tool: string, jobId: string) => void | Promise<void>;
  /** Told of every question before it is taken in; tests use it to answer badly for a while. A number is the status to answer with. */
  readonly onQuestion?: () => number | undefined;
  /** The document served, for tests that tighten it while something waits. */
  readonly document?: () => object;
}

export interface OrdersService {
  readonly url: string;
  /** The business's own table. */
  refunds(): readonly Refund[];
  /** The business's own approvals. */
  readonly approvals: Approvals;
  /** Tells the service where decisions go. */
  connectHub(hub: HubLink): void;
  close(): Promise<void>;
}

interface OrderRow {
  readonly order_no: string;
  readonly customer: string;
  readonly status: string;
  readonly total_cents: number;
  readonly items: string;
  readonly placed_at: string;
}

/** Starts the service. It verifies every call, decides by its own permissions, and runs each write once per idempotency key. */
export async function startOrdersService(options: OrdersServiceOptions): Promise<OrdersService> {
  const database = openDatabase(options.file ?? ':memory:');
  const refunds = new Refunds(database);
  const authorize = authorizer(database);
  const { secret } = options;
  let hub: HubLink | undefined;
  const approvals = new Approvals(database, () => hub);
  const guard = (tool: string) => koaGate({ secret, authorize, tool });
  const handled = (tool: string, handle: (context: Context) => Answer) => async (context: Context) => {
    await options.onCall?.(tool, koaCall(context).jobId);
    const { status, body } = handle(context);
    context.status = status;
    context.body = body;
  };
  const order = database.prepare('SELECT order_no, customer, status, total_cents, items, placed_at FROM orders WHERE order_no = ?');
  const readOrder = (context: Context): Answer => {
    const row = order.get([String(koaCall(context).params.order_no)]) as OrderRow | undefined;
    if (!row) return { status: 404, body: { ok: false, error: 'There is no such order.' } };
    const { order_no, customer, status, items, placed_at, total_cents } = row;
    return { status: 200, body: { ok: true, order: { order_no, customer, status, items, placed_at, total: total_cents / 100 } } };
  };

  const router = new Router();
  router.get('/orders/:order_no', guard('order_read'), handled('order_read', readOrder));
  router.post(
    '/refund-requests',
    guard('refund_request_create'),
    handled('refund_request_create', (context) => refunds.request(koaCall(context))),
  );
  router.post(
    '/refunds',
    guard('refund_execute'),
    handled('refund_execute', (context) => refunds.execute(koaCall(context))),
  );
  router.get(
    '/handled-calls',
    guard('write_lookup'),
    handled('write_lookup', (context) => refunds.lookup(String(koaCall(context).params.idempotency_key))),
  );
  approvalRoutes(router, approvals, options.onQuestion);
  router.get('/.well-known/bailing/tools.json', async (context) => {
    send(context, await SpecServer.handle(secret, await rawRequest(context), options.document ?? toolDocument));
  });
  router.post('/.well-known/bailing/authz-probe', async (context) => {
    send(context, await SpecServer.authzProbe(secret, await rawRequest(context), (subject: string) => authorize(subject, 'order_read')));
  });
  router.get('/', (context) => {
    context.body = refundsPage(refunds.all());
  });

  const app = new Koa();
  app.use(router.routes());
  const server = await listen(app, options.host ?? '127.0.0.1', options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${String(port)}`,
    refunds: () => refunds.all(),
    approvals,
    connectHub: (link) => {
      hub = link;
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      database.close();
    },
  };
}

/** Questions come in signed; people look at a page and decide there. */
function approvalRoutes(router: Router, approvals: Approvals, onQuestion: OrdersServiceOptions['onQuestion']): void {
  router.post('/approvals', async (context) => {
    const refused = onQuestion?.();
    const header = (name: string) => String(context.req.headers[name] ?? '');
    const rawBody = await readRawBody(context.req);
    const answer =
      refused === undefined
        ? approvals.receive(Buffer.from(rawBody), header('x-bailing-timestamp'), header('x-bailing-signature'))
        : { status: refused, body: { error: 'not now' } };
    context.status = answer.status;
    context.body = answer.body;
  });
  router.get('/approvals', (context) => {
    context.body = approvalsPage(approvals.all());
  });
  router.post('/approvals/:id/decide', async (context) => {
    const form = new URLSearchParams(Buffer.from(await readRawBody(context.req)).toString('utf8'));
    const decision = form.get('decision') === 'approved' ? 'approved' : 'denied';
    const { status, body } = await approvals.decide(Number(context.params.id), form.get('approver') ?? '', decision);
    context.status = status;
    context.body = body;
  });
}

async function rawRequest(context: Context) {
  return { method: context.method, target: context.originalUrl, headers: context.req.headers, body: await readRawBody(context.req) };
}

function send(
  context: Context,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string },
): void {
  context.status = answer.status;
  context.set(answer.headers);
  context.body = answer.body;
}

function listen(app: Koa, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = app.listen(port, host, () => resolve(server));
    server.once('error', reject);
  });
}
