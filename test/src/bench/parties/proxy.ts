// The floor: a bare signing proxy on node:http and undici. It takes the hub's invoke, signs, sends, answers; it governs nothing.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { sendable, signedHeaders } from '../traffic.js';
import { answer, ready, settings } from './party.js';

const { secret, business } = settings<{ secret: string; business: string }>();
const pool = new Pool(business, { connections: 128, pipelining: 1 });

async function forward(jobId: string, body: string, response: ServerResponse): Promise<void> {
  const { tool, arguments: args } = JSON.parse(body) as { tool: string; arguments: Record<string, unknown> };
  const call = sendable(tool, args);
  if (!call) return json(response, 404, { error: 'no such tool' });
  const { method, target } = call;
  const sent = await pool.request({ method, path: target, headers: signedHeaders(secret, call, jobId), body: call.body || null });
  const text = await sent.body.text();
  json(response, 200, { ok: sent.statusCode >= 200 && sent.statusCode < 300, text, status: sent.statusCode });
}

function json(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const jobId = (request.url ?? '').split('/')[2] ?? '';
    forward(jobId, Buffer.concat(chunks).toString(), response).catch(() =>
      json(response, 502, { error: 'the business cannot be reached' }),
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => ready({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }));

answer({}, async () => {
  server.closeAllConnections();
  server.close();
  await pool.destroy();
});
