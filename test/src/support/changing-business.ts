import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signSpecFetch } from '@bailing/contract';
import { SECRET } from './world.js';

/** A business whose document changes under a running hub, and which notes every request. */
export interface ChangingBusiness {
  readonly url: string;
  /** The document as it is served now; null answers 500. */
  document: object | null;
  /** Serve it to anyone, as a business that forgot to protect it. */
  open: boolean;
  /** What an authorisation probe at `/authz` is answered. */
  authz: { status: number; body: string };
  /** Requests by path, spec fetches apart. */
  readonly calls: string[];
  /** How often the document was read with a right signature. */
  reads: number;
  close(): Promise<void>;
}

export async function startChangingBusiness(document: object | null): Promise<ChangingBusiness> {
  const state = { document, open: false, authz: { status: 403, body: '' }, calls: [] as string[], reads: 0 };
  const server = http.createServer((request, response) => {
    if (request.url === '/tools.json') return serveDocument(request, response, state);
    state.calls.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const answer = request.url === '/authz' ? state.authz : { status: 200, body: '{"done":true}' };
    request.resume().on('end', () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function serveDocument(
  request: IncomingMessage,
  response: ServerResponse,
  state: { document: object | null; open: boolean; reads: number },
): void {
  const given = String(request.headers['x-bailing-signature'] ?? '');
  const signed = given === signSpecFetch(SECRET, String(request.headers['x-bailing-timestamp']), '/tools.json');
  if (!signed && !state.open) return void response.writeHead(401).end();
  if (signed) state.reads++;
  if (state.document === null) return void response.writeHead(500).end();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'private, no-store' }).end(JSON.stringify(state.document));
}

/** One operation as a declaration: `acc` is merged over a plain medium write of scope `shop.<name>`. */
export function operation(
  name: string,
  acc: object = {},
  schema: object = { type: 'object', properties: { n: { type: 'integer', maximum: 10 } } },
) {
  return {
    [`/${name}`]: {
      post: {
        operationId: name,
        summary: `Carry out ${name} for the shop.`,
        'x-agent-capability': { version: 1, enabled: true, scope: `shop.${name}`, risk: { level: 'medium' }, ...acc },
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 200: { description: 'Done.' } },
      },
    },
  };
}

export function documentOf(...operations: object[]): object {
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: Object.assign({}, ...operations) as object };
}
