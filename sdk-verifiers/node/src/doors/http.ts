import type { IncomingMessage } from 'node:http';
import { gate, type GateResult } from '../gate.js';
import { secretOf, type DoorOptions } from './options.js';
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
