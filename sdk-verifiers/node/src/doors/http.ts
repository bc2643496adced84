import type { IncomingMessage, ServerResponse } from 'node:http';
import { gate, type GateResult } from '../gate.js';
import { refusalOf, secretOf, sendRefusal, wiringRefusal, type DoorOptions } from './options.js';
import { readRawBody } from './raw-body.js';

/**
 * The gate for a plain `node:http` request: reads the raw bytes and the raw target itself.
 * @throws {RawBodyRequired} when the body was read before · {BodyTooLarge}
 */
export async function httpGate(
  request: IncomingMessage,
  options: DoorOptions & { pathParams?: Readonly<Record<string, string>> },
  given: { body?: Uint8Array; target?: string } = {},
): Promise<GateResult> {
  const body = given.body ?? (await readRawBody(request, options.maxBytes, 'the HTTP door'));
  const target = given.target ?? request.url ?? '';
  const { tool, pathParams, knownPath, basePath, windowSec, replay } = options;
  const method = request.method ?? '';
  const headers = request.rawHeaders;
  return gate(secretOf(options), options.authorize, {
    method,
    target,
    headers,
    body,
    tool,
    pathParams,
    knownPath,
    basePath,
    windowSec,
    replay,
  });
}

/**
 * A listener for `node:http` without a framework: verifies and authorises, answers refusals itself, and calls the handler with what was
 * verified. What the handler throws is thrown on, after a 500: log it where you start the server.
 */
export function httpDoor(
  options: DoorOptions & { pathParams?: Readonly<Record<string, string>> },
  handler: (call: GateResult, response: ServerResponse, request: IncomingMessage) => unknown,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const result = await httpGate(request, options);
      if (result.ok) await handler(result, response, request);
      else sendRefusal(response, refusalOf(result));
    } catch (error) {
      const failed = {
        status: 500,
        body: { error: 'handler_failed', message: 'The call was allowed, but the service failed. See its log.' },
      };
      const refused = wiringRefusal(error);
      if (!response.headersSent) sendRefusal(response, refused ?? failed);
      if (refused === null) throw error;
    }
  };
}
