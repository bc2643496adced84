import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyCallback } from '@bailing/verifier';

export interface Received {
  readonly path: string;
  readonly text: string;
  readonly body: Record<string, unknown>;
  /** Whether the token that was expected signed exactly these bytes. */
  readonly signed: boolean;
}

export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly got: Received[];
  /** Statuses of the next answers; 200 where there are none left. */
  readonly answers: number[];
  close(): Promise<void>;
}

/** Somebody else's web service that takes callbacks, on loopback. What arrived counts at once; the answer waits for `before`. */
export async function startReceiver(token: string, before?: () => Promise<void>): Promise<Receiver> {
  const got: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const rawBody = Buffer.concat(parts);
      const one = (name: string) => String(request.headers[name] ?? '');
      const sent = { timestamp: one('x-bailing-timestamp'), signature: one('x-bailing-signature'), rawBody };
      const text = rawBody.toString('utf8');
      got.push({
        path: request.url ?? '',
        text,
        body: JSON.parse(text) as Record<string, unknown>,
        signed: verifyCallback(token, sent),
      });
      const status = answers.shift() ?? 200;
      void (before?.() ?? Promise.resolve()).then(() => response.writeHead(status).end('{}'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://${host}`, host, got, answers, close };
}
