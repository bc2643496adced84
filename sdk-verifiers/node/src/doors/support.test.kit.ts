// What the door tests share: a server on a free port, and a caller that signs one thing and may send another.
import { createServer, request as send, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signToolCall } from '../index.js';

export const SECRET = 'bailing-test-secret';

export interface TestCall {
  readonly method: string;
  readonly target: string;
  readonly body: string | Uint8Array;
  readonly onBehalfOf?: string;
  readonly sendBody?: string | Uint8Array;
  readonly sendTarget?: string;
  readonly chunks?: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function signedHeaders(call: TestCall): [string, string][] {
  const ts = String(Math.floor(Date.now() / 1000));
  const onBehalfOf = call.onBehalfOf ?? '179:1';
  const signature = signToolCall(SECRET, {
    ts,
    method: call.method,
    pathWithQuery: call.target,
    body: call.body,
    onBehalfOf,
    jobId: 'job-1',
  });
  return [
    ['X-Bailing-Timestamp', ts],
    ['X-Bailing-Signature', signature],
    ['X-Bailing-Job-Id', 'job-1'],
    ['X-Bailing-On-Behalf-Of', onBehalfOf],
    ...(call.body.length > 0 ? [['Content-Type', 'application/json'] as [string, string]] : []),
    ...Object.entries(call.headers ?? {}),
  ];
}

export function call(base: string, given: TestCall): Promise<{ status: number; json: unknown; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(base);
  const headers = Object.fromEntries(signedHeaders(given));
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, method: given.method, path: given.sendTarget ?? given.target, headers, agent: false });
    request.on('error', reject).on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const json: unknown = text.startsWith('{') ? JSON.parse(text) : text;
        resolve({ status: response.statusCode ?? 0, json, headers: response.headers });
      });
    });
    // Node frames no body of a DELETE by itself.
    const body = given.sendBody ?? given.body;
    if (!given.chunks && body.length > 0) request.setHeader('content-length', Buffer.byteLength(body));
    for (const chunk of given.chunks ?? []) request.write(chunk);
    request.end(given.chunks ? undefined : body);
  });
}

export async function serve(listener: RequestListener, use: (base: string) => Promise<unknown>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
