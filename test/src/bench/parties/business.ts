// The business of the benchmark: node:http and nothing else, the signature checked with @bailing/verifier, effects counted.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failureReason, readHeaders, SpecServer } from '@bailing/verifier';
import { toolDocument } from '../documents.js';
import { sendExport } from './export-body.js';
import { answer, ready, settings } from './party.js';

const { secret } = settings<{ secret: string }>();
const documents = new Map<string, string>();
let counted = { reads: 0, writes: 0, refused: 0 };
/** Numbers of the orders that were refunded: a number that comes twice is an effect that happened twice. */
let refunded = new Set<string>();

function signed(request: IncomingMessage, body: Buffer): boolean {
  const headers = readHeaders(request.rawHeaders);
  const { timestamp, signature, onBehalfOf, jobId } = headers;
  const call = { method: request.method ?? '', pathWithQuery: request.url ?? '', body, timestamp, signature, onBehalfOf, jobId };
  return failureReason(secret, call) === null;
}

function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function order(number: string): string {
  const items = [{ sku: 'TEA-500', name: 'Green tea 500 g', quantity: 2, price: 149.5 }];
  return JSON.stringify({ ok: true, order: { order_no: number, customer: 'c-1001', status: 'paid', total: 299, items } });
}

function handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const target = request.url ?? '/';
  if (target.startsWith('/tools/')) return void sendDocument(request, response, body);
  if (!signed(request, body)) {
    counted.refused += 1;
    return json(response, 401, '{"ok":false,"error":"bad signature"}');
  }
  if (target.startsWith('/exports/')) return sendExport(target, response);
  if (request.method === 'GET') {
    counted.reads += 1;
    return json(response, 200, order(decodeURIComponent(target.slice('/orders/'.length))));
  }
  const { order_no: number } = JSON.parse(body.toString()) as { order_no: string };
  counted.writes += 1;
  refunded.add(number);
  json(response, 201, JSON.stringify({ ok: true, refund: { id: counted.writes, order_no: number, status: 'created' } }));
}

async function sendDocument(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const target = request.url ?? '';
  const asked = { method: request.method ?? '', target, headers: request.rawHeaders, body };
  const spec = await SpecServer.handle(secret, asked, () => JSON.parse(documentAt(target)) as object);
  response.writeHead(spec.status, spec.headers);
  response.end(spec.body);
}

/** `/tools/2000.json` is a document of 2,000 tools; built once. */
function documentAt(target: string): string {
  const kept = documents.get(target);
  if (kept !== undefined) return kept;
  const made = JSON.stringify(toolDocument(/^\/tools\/(\w+)\.json$/.exec(target)?.[1] ?? '2'));
  documents.set(target, made);
  return made;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => handle(request, response, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => ready({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }));

answer(
  {
    effects: () => {
      const told = { ...counted, distinct: refunded.size };
      counted = { reads: 0, writes: 0, refused: 0 };
      refunded = new Set();
      return told;
    },
  },
  () => {
    server.closeAllConnections();
    server.close();
  },
);
