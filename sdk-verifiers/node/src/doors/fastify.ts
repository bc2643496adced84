import type { IncomingMessage } from 'node:http';
import { RawBodyRequired } from '../bytes.js';
import type { GateResult } from '../gate.js';
import { httpGate } from './http.js';
import { refusalOf, wiringRefusal, type DoorOptions, type DoorRefusal } from './options.js';
import { MAX_BODY_BYTES } from './raw-body.js';

/** What the Fastify door needs of a request; Fastify's own fits. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  readonly params: unknown;
  readonly body: unknown;
  readonly routeOptions: { readonly config?: unknown };
}

export interface FastifyReplyLike {
  code(status: number): { send(payload: unknown): unknown };
}

interface RouteLike {
  readonly url: string;
  readonly config?: unknown;
}

/** What the door needs of an instance; Fastify's own fits. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  /** Any of Fastify's overloads; the door gives `onRoute` and `preHandler`. */
  addHook(name: never, hook: never): unknown;
}

/** The tool of a route: `config: { tool: 'refund_order' }`, or the `tool` of the door for all its routes. */
export type FastifyDoorOptions = Omit<DoorOptions, 'tool'> & { readonly tool?: string };

const toolOf = (config: unknown, options: FastifyDoorOptions): string | undefined => {
  const own = (config as { tool?: unknown } | undefined)?.tool;
  return typeof own === 'string' ? own : options.tool;
};

const results = new WeakMap<object, GateResult>();

async function check(request: FastifyRequestLike, options: FastifyDoorOptions): Promise<GateResult | DoorRefusal> {
  try {
    const body = request.body ?? Buffer.alloc(0);
    if (!(body instanceof Uint8Array)) throw new RawBodyRequired('the Fastify door');
    const pathParams = { ...(request.params as Record<string, string> | undefined) };
    const tool = toolOf(request.routeOptions.config, options) ?? '';
    return await httpGate(request.raw, { ...options, tool, pathParams }, { body, target: request.originalUrl });
  } catch (error) {
    const refused = wiringRefusal(error);
    if (refused === null) throw error;
    return refused;
  }
}

/**
 * Puts the door on an encapsulated scope: `app.register(async (tools) => { fastifyDoor(tools, options); tools.post(…) })`. In that scope
 * bodies stay bytes (no content type is parsed), and every route is verified and authorised before its handler, which finds the result
 * with {@link fastifyCall}. @throws {Error} for a route without a tool, when the route is added.
 */
export function fastifyDoor(scope: FastifyLike, options: FastifyDoorOptions): void {
  scope.removeAllContentTypeParsers();
  const limit = options.maxBytes ?? MAX_BODY_BYTES;
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limit }, (_request, body, done) => done(null, body));
  const addHook = scope.addHook.bind(scope) as unknown as (name: 'onRoute' | 'preHandler', hook: unknown) => void;
  addHook('onRoute', (route: RouteLike) => {
    if (toolOf(route.config, options) === undefined)
      throw new Error(`The route ${route.url} has no tool. Add config: { tool: '…' } to it.`);
  });
  addHook('preHandler', async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
    const result = await check(request, options);
    if ('ok' in result && result.ok) {
      results.set(request, result);
      return undefined;
    }
    const { status, body } = 'ok' in result ? refusalOf(result) : result;
    return reply.code(status).send(body);
  });
}

/** The gate's result of a request that the door let in. @throws {Error} where the door is missing. */
export function fastifyCall(request: object): GateResult {
  const result = results.get(request);
  if (result === undefined) throw new Error('This route is not behind fastifyDoor, so nobody was authorised. Register it in that scope.');
  return result;
}
