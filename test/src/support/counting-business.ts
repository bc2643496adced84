import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildOpenApiSpec, gate, param, tool, type GateResult, type Tool } from '@bailing/verifier';

/** One request whose signature was right. The business does not look at idempotency keys: a write that comes twice happens twice. */
export interface Arrival {
  readonly tool: string;
  readonly job: string;
  /** The hub's idempotency key; empty for reads. */
  readonly key: string;
  readonly subject: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Raw request target as it came. */
  readonly target: string;
  readonly headers: readonly string[];
  /** Whether the business did something: a write that was not refused. */
  effect: boolean;
}

/** How the business treats one arrival. `hang` and `cut` do what was asked and never say so. */
export type Reaction =
  | {
      readonly is: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly type?: string;
      readonly effect?: boolean;
      /** The business takes no further connection after this answer. */
      readonly last?: boolean;
    }
  | { readonly is: 'hang' }
  | { readonly is: 'cut' };

export interface BusinessOptions {
  readonly secret: string;
  /** What it can do; the tools of the shop where absent. */
  readonly tools?: readonly Tool[];
  /** Decides about the `nth` arrival of a tool (1 is the first). Default: 200. */
  readonly react?: (arrival: Arrival, nth: number) => Reaction | Promise<Reaction>;
  /** Unix seconds of the business's own clock. */
  readonly now?: () => number;
}

export interface CountingBusiness {
  readonly url: string;
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** Writes that happened. */
  effects(tool?: string): readonly Arrival[];
  /** Requests that were turned away, with the reason. */
  readonly refused: readonly string[];
  /** Stops listening: connections are refused until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const orderNo = param('order_no', { required: true, schema: { type: 'string', pattern: '^[A-Z]-[0-9]{4,8}$' } });
const amount = param('amount', { type: 'number', required: true });
const note = param('note', { schema: { type: 'string', maxLength: 200 } });

const TOOLS = [
  tool({
    name: 'order_read',
    method: 'GET',
    path: '/orders/{order_no}',
    scope: 'order.read',
    description: 'Read an order.',
    params: [orderNo, param('view')],
  }),
  tool({
    name: 'refund_create',
    path: '/refunds',
    scope: 'refund.create',
    description: 'Create a refund.',
    risk: 'medium',
    requiresSubject: true,
    confirmWhen: [{ param: 'amount', op: '>', value: 1000, label: 'refund above 1000' }],
    params: [orderNo, amount, note],
  }),
  tool({
    name: 'credit_grant',
    path: '/credits',
    scope: 'refund.credit',
    description: 'Grant a credit, three a minute.',
    rateLimit: { count: 3, window: '1m' },
    params: [orderNo, amount],
  }),
  tool({
    name: 'note_set',
    method: 'PUT',
    path: '/notes/{order_no}',
    scope: 'order.note',
    description: 'Set the note of an order.',
    idempotent: true,
    params: [orderNo, param('note', { required: true })],
  }),
];

/** The tool document of the business, for `spec_json`. */
export function shopDocument(tools: readonly Tool[] = TOOLS): object {
  return buildOpenApiSpec({ title: 'Shop', version: '1.0.0', tools });
}

/** A business on loopback that verifies every call, counts what it does and reacts as it is told. */
export async function startCountingBusiness(options: BusinessOptions): Promise<CountingBusiness> {
  const business = new Business(options);
  await business.open();
  return business;
}

class Business implements CountingBusiness {
  readonly arrivals: Arrival[] = [];
  readonly refused: string[] = [];
  port = 0;
  private server: http.Server | undefined;

  constructor(private readonly options: BusinessOptions) {}

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  effects(name?: string): readonly Arrival[] {
    return this.arrivals.filter(({ effect, tool: of }) => effect && (name === undefined || of === name));
  }

  async open(): Promise<void> {
    const server = http.createServer((request, response) => void this.receive(request, response));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  async shut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    // One that stopped listening before answers with an error, which is as good.
    await new Promise((resolve) => server.close(resolve));
  }

  close(): Promise<void> {
    return this.shut();
  }

  private async receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const of = (this.options.tools ?? TOOLS).find(({ method, path }) => method === request.method && matches(path, request.url ?? ''));
    const call = await this.verify(request, Buffer.concat(chunks), of?.name ?? '');
    if (!of || !call.ok) {
      this.refused.push(call.error ?? 'unknown path');
      return void response.writeHead(of ? call.code : 404, { 'content-type': 'application/json' }).end('{"ok":false}');
    }
    await this.handle(this.note(request, call), response);
  }

  private verify(request: http.IncomingMessage, body: Buffer, name: string): Promise<GateResult> {
    const target = request.url ?? '';
    const order = /^\/(?:orders|notes)\/([^/?]*)/.exec(target)?.[1];
    return gate(this.options.secret, () => true, {
      method: request.method ?? '',
      target,
      headers: request.rawHeaders,
      body,
      tool: name,
      ...(order !== undefined && { pathParams: { order_no: decodeURIComponent(order) } }),
      ...(this.options.now && { now: this.options.now() }),
    });
  }

  private note(request: http.IncomingMessage, call: GateResult): Arrival {
    const { tool: name, jobId: job, idempotencyKey: key, operator: subject, params } = call;
    const arrival = { tool: name, job, key, subject, params, target: request.url ?? '', headers: request.rawHeaders, effect: false };
    this.arrivals.push(arrival);
    return arrival;
  }

  private async handle(arrival: Arrival, response: http.ServerResponse): Promise<void> {
    const nth = this.arrivals.filter(({ tool: name }) => name === arrival.tool).length;
    const write = arrival.tool !== 'order_read';
    // Done before anybody is told, as a business does that commits and then answers.
    arrival.effect = write;
    const reaction = await (this.options.react?.(arrival, nth) ?? { is: 'answer', status: 200 });
    if (reaction.is === 'hang') return;
    if (reaction.is === 'cut') return void response.destroy();
    const { status, type = 'application/json', body = answerOf(arrival, status) } = reaction;
    arrival.effect = write && (reaction.effect ?? (status >= 200 && status <= 299));
    const leaving = reaction.last === true ? { connection: 'close' } : {};
    if (reaction.last === true) this.server?.close();
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...leaving }).end(body);
  }
}

function answerOf({ tool: name, params }: Arrival, status: number): string {
  return JSON.stringify({ ok: status < 300, tool: name, order_no: params['order_no'] });
}

function matches(template: string, target: string): boolean {
  const path = target.split('?')[0] ?? '';
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
