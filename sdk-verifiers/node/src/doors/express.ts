import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GateResult } from '../gate.js';
import { httpGate } from './http.js';
import { refusalOf, sendRefusal, wiringRefusal, type DoorOptions } from './options.js';

/** What the Express door needs of a request; Express's own fits. */
export interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string;
  readonly params: object;
  body?: unknown;
}

/** What the Express door needs of a response; Express's own fits. */
export interface ExpressResponse extends ServerResponse {
  locals: Record<string, unknown>;
}

/** Raw bytes that `express.raw()` or a parser's `verify` hook kept. A string or a parsed value will not do. */
function keptBytes(request: ExpressRequest): { body: Uint8Array } | object {
  const kept = [request.body, (request as { rawBody?: unknown }).rawBody].find((value) => value instanceof Uint8Array);
  return kept instanceof Uint8Array ? { body: kept } : {};
}

/** Path parameters as texts; the pieces of a wildcard are joined again. */
function pathTexts(params: object): Record<string, string> {
  const text = (value: unknown): string => (Array.isArray(value) ? value.join('/') : String(value));
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]));
}

/**
 * Express middleware (4 and 5): verifies and authorises, or answers 401, 403, 413, or 500 with a sentence when a body parser ran first.
 * Put it on the route, before `express.json()`, or behind `express.raw({ type: () => true })`. The handler finds the result with
 * {@link expressCall}.
 */
export function expressGate(
  options: DoorOptions,
): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    let result: GateResult;
    try {
      const given = { ...keptBytes(request), target: request.originalUrl };
      result = await httpGate(request, { ...options, pathParams: pathTexts(request.params) }, given);
    } catch (error) {
      const refused = wiringRefusal(error);
      if (refused === null) next(error);
      else sendRefusal(response, refused);
      return;
    }
    response.locals['bailing'] = result;
    if (result.ok) next();
    else sendRefusal(response, refusalOf(result));
  };
}

/** The gate's result of a request that `expressGate` let in. @throws {Error} where the door is missing. */
export function expressCall(response: { locals: Record<string, unknown> }): GateResult {
  const result = response.locals['bailing'] as GateResult | undefined;
  if (result?.ok !== true) throw new Error('This route has no expressGate in front of it, so nobody was authorised. Add it to the route.');
  return result;
}
