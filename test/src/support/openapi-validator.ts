import { callFailure } from '@bailing/contract';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import * as validator from 'express-openapi-validator';
import type { AddressInfo } from 'node:net';

export type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A business whose requests are judged by a public OpenAPI validator, and whose signatures are judged over the raw bytes. */
export interface JudgedBusiness {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startJudgedBusiness(document: Members, secret: string): Promise<JudgedBusiness> {
  const app = express();
  app.use(verifySignature(secret));
  app.use(express.json({ strict: false, type: ['application/json', 'application/*+json'], verify: keepRaw }));
  app.use(express.urlencoded({ extended: false, verify: keepRaw }));
  app.use(checkBody(secret));
  app.use(
    validator.middleware({
      apiSpec: document as never,
      validateApiSpec: false,
      validateRequests: { coerceTypes: true, allowUnknownQueryParameters: false },
      validateResponses: false,
      validateSecurity: false,
    }),
  );
  app.use(((_request, response) => void response.json({ ok: true })) satisfies RequestHandler);
  app.use(((error: { status?: number; errors?: unknown; message?: string }, _request, response, _next) => {
    response.status(error.status ?? 500).json({ says: error.errors ?? error.message });
  }) satisfies ErrorRequestHandler);
  const server = await new Promise<ReturnType<typeof app.listen>>((done) => {
    const listening = app.listen(0, '127.0.0.1', () => done(listening));
  });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

type WithRaw = express.Request & { raw?: Buffer };

function keepRaw(request: unknown, _response: unknown, bytes: Buffer): void {
  (request as WithRaw).raw = bytes;
}

/** Multipart bodies are read by the validator itself; their raw bytes are kept here. */
function verifySignature(secret: string): RequestHandler {
  return (request, response, next) => {
    if (!String(request.headers['content-type']).startsWith('multipart/')) return next();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (failureOf(secret, request, Buffer.concat(chunks)) !== null) response.destroy();
    });
    request.pause();
    setImmediate(next);
  };
}

function checkBody(secret: string): RequestHandler {
  return (request, response, next) => {
    if (String(request.headers['content-type']).startsWith('multipart/')) return next();
    const failure = failureOf(secret, request, (request as WithRaw).raw ?? Buffer.alloc(0));
    if (failure === null) return next();
    response.status(401).json({ says: failure });
  };
}

function failureOf(secret: string, request: express.Request, body: Buffer): string | null {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const call = {
    timestamp: header('x-bailing-timestamp'),
    method: request.method,
    target: request.originalUrl,
    body,
    onBehalfOf: Buffer.from(header('x-bailing-on-behalf-of'), 'latin1').toString('utf8'),
    jobId: header('x-bailing-job-id'),
  };
  return callFailure(secret, call, header('x-bailing-signature'), Date.now());
}

/** The part of a document that some operations need: their path items, and the components they reach. */
export function partOf(document: Members, pointers: ReadonlySet<string>): Members {
  const paths: Members = {};
  for (const [path, raw] of Object.entries(document['paths'] as Members)) {
    const item = flatten(document, raw);
    const kept = Object.entries(item).filter(
      ([name]) => name === 'parameters' || pointers.has(`/paths/${path.replace(/~/g, '~0').replace(/\//g, '~1')}/${name}`),
    );
    const written = kept.map(([name, one]) => [
      name.toLowerCase(),
      name === 'parameters' ? parametersOf(document, one) : operationOf(document, one),
    ]);
    if (kept.some(([name]) => name !== 'parameters')) paths[path] = Object.fromEntries(written) as Members;
  }
  const part: Members = { openapi: document['openapi'], info: document['info'], paths, components: {} };
  for (const ref of refsIn(paths, document, new Set())) setAt(part, ref, lookup(document, ref));
  return part;
}

/** Parameters and bodies are written out: the validator does not read references to references, or into other operations. */
function parametersOf(document: Members, list: unknown): unknown {
  return (list as Members[]).map((one) => (typeof one['$ref'] === 'string' ? lookup(document, one['$ref']) : one));
}

function operationOf(document: Members, operation: unknown): Members {
  const { callbacks: _callbacks, servers: _servers, parameters, requestBody, ...rest } = operation as Members;
  const body = isMembers(requestBody) && typeof requestBody['$ref'] === 'string' ? lookup(document, requestBody['$ref']) : requestBody;
  return {
    ...rest,
    ...(parameters !== undefined && { parameters: parametersOf(document, parameters) }),
    ...(body !== undefined && { requestBody: body }),
    responses: { default: { description: 'Any' } },
  };
}

function flatten(document: Members, raw: unknown): Members {
  if (!isMembers(raw)) return {};
  const target = typeof raw['$ref'] === 'string' ? lookup(document, raw['$ref']) : undefined;
  const { $ref: _ref, ...beside } = raw;
  return { ...(isMembers(target) ? target : {}), ...beside };
}

function tokens(ref: string): string[] {
  return decodeURIComponent(ref.slice(2))
    .split('/')
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** What a reference names, references to references followed: the validator reads one step only. */
function lookup(document: unknown, ref: string): unknown {
  const found = step(document, ref);
  const next = isMembers(found) && Object.keys(found).length === 1 ? found['$ref'] : undefined;
  return typeof next === 'string' ? lookup(document, next) : found;
}

function step(document: unknown, ref: string): unknown {
  return tokens(ref).reduce<unknown>(
    (here, token) => (Array.isArray(here) || isMembers(here) ? (here as Members)[token] : undefined),
    document,
  );
}

function setAt(root: Members, ref: string, value: unknown): void {
  const path = tokens(ref);
  const last = path.pop() ?? '';
  let here = root;
  for (const token of path) here = (here[token] ??= {}) as Members;
  here[last] ??= value;
}

function refsIn(value: unknown, document: Members, seen: Set<string>): Set<string> {
  if (typeof value !== 'object' || value === null) return seen;
  const ref = (value as Members)['$ref'];
  if (typeof ref === 'string' && ref.startsWith('#/') && !seen.has(ref)) {
    seen.add(ref);
    refsIn(lookup(document, ref), document, seen);
  }
  for (const inner of Object.values(value)) refsIn(inner, document, seen);
  return seen;
}
