import type { IncomingMessage } from 'node:http';
import type { GateResult } from '../gate.js';
import { httpGate } from './http.js';
import { refusalOf, wiringRefusal, type DoorOptions, type DoorRefusal } from './options.js';

/** What the Koa door needs of a context; Koa's own fits. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly originalUrl: string;
  readonly request: object;
  status: number;
  body: unknown;
  state: Record<string, unknown>;
  params?: Record<string, string>;
  set(name: string, value: string): void;
}

/** Raw bytes that an earlier middleware kept. A string will not do: decoding has lost bytes already. */
function keptBytes(context: KoaContext): { body: Uint8Array } | object {
  const kept = (context.request as { rawBody?: unknown }).rawBody;
  return kept instanceof Uint8Array ? { body: kept } : {};
}

function answer(context: KoaContext, { status, body, close }: DoorRefusal): void {
  context.status = status;
  context.body = body;
  if (close) context.set('connection', 'close');
}

/**
 * Koa middleware: verifies and authorises, or answers 401, 403, 413, or 500 with a sentence when a body parser ran first. Put it before
 * any body parser, on the route. The handler finds the result in `ctx.state.bailing`, the parameters in `ctx.state.bailing.params`.
 */
export function koaGate(options: DoorOptions): (context: KoaContext, next: () => Promise<unknown>) => Promise<void> {
  return async (context, next) => {
    let result: GateResult;
    try {
      const pathParams = context.params ?? {};
      result = await httpGate(context.req, { ...options, pathParams }, { ...keptBytes(context), target: context.originalUrl });
    } catch (error) {
      const refused = wiringRefusal(error);
      if (refused === null) throw error;
      answer(context, refused);
      return;
    }
    context.state['bailing'] = result;
    if (result.ok) {
      await next();
      return;
    }
    answer(context, refusalOf(result));
  };
}

/** The gate's result of a request that `koaGate` let in. @throws {Error} where the door is missing. */
export function koaCall(context: { state: Record<string, unknown> }): GateResult {
  const result = context.state['bailing'] as GateResult | undefined;
  if (result?.ok !== true) throw new Error('This route has no koaGate in front of it, so nobody was authorised. Add it to the route.');
  return result;
}
