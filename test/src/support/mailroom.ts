import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { verifyCallback } from '@bailing/verifier';

export const CHANNEL_SECRET = 'channel-secret-of-the-tests';

/** 64 MiB of nothing, packed small. */
const BOMB = gzipSync(Buffer.alloc(67_108_864));

export interface Mail {
  readonly message_id: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly base64: string }[];
}

/** What the receiver does with a message: answers with a status and a body, or hangs up after having taken it. */
export type Reaction = { readonly status: number; readonly body?: object } | 'hang-up';

export interface Mailroom {
  readonly url: string;
  /** Everything that was taken, signed rightly or not at all. */
  readonly got: Mail[];
  /** What is done with the next messages; taken and answered with 200 where there are none left. */
  readonly reactions: Reaction[];
  close(): Promise<void>;
}

/** Whoever takes the messages of a webhook channel, on loopback. `now`: milliseconds of its own clock. */
export async function startMailroom(now: () => number = Date.now): Promise<Mailroom> {
  const got: Mail[] = [];
  const reactions: Reaction[] = [];
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.url === '/files/bomb') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
    if (request.url?.startsWith('/files/')) return void response.end(`the content of ${request.url}`);
    const rawBody = Buffer.concat(parts);
    const one = (name: string) => String(request.headers[name] ?? '');
    const signed = verifyCallback(CHANNEL_SECRET, {
      timestamp: one('x-bailing-timestamp'),
      signature: one('x-bailing-signature'),
      rawBody,
      now: now(),
    });
    if (!signed) return void response.writeHead(401).end();
    const reaction = reactions.shift() ?? { status: 200 };
    if (reaction === 'hang-up' || reaction.status < 300) got.push(JSON.parse(rawBody.toString('utf8')) as Mail);
    if (reaction === 'hang-up') return void request.socket.destroy();
    response.writeHead(reaction.status).end(JSON.stringify(reaction.body ?? {}));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    got,
    reactions,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
