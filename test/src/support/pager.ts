import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from './root.js';

export const PAGER_TOKEN = 'token-of-the-pager-gateway';
export const PAGER_PLUGIN = path.join(root, 'docs', 'examples', 'channel-pager');

export interface Page {
  readonly to: readonly string[];
  readonly page: string;
  readonly key: string;
}

export interface Pager {
  readonly url: string;
  readonly got: Page[];
  /** Asked before the nth page is answered, when it was taken: a status, or `hang-up`. */
  react: (nth: number) => Promise<number | 'hang-up'> | number | 'hang-up';
  /** Pagers nobody knows. */
  unknown: readonly string[];
  close(): Promise<void>;
}

/** The gateway that the example channel sends to, on loopback. A page is taken when it was read, whatever is answered below 400. */
export async function startPager(): Promise<Pager> {
  const got: Page[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void (async () => {
        if (request.headers.authorization !== `Bearer ${PAGER_TOKEN}`) return void response.writeHead(401).end();
        const page = JSON.parse(Buffer.concat(parts).toString('utf8')) as Page;
        got.push(page);
        const answer = await pager.react(got.length);
        if (answer === 'hang-up') return void request.socket.destroy();
        if (answer >= 400) got.pop();
        response.writeHead(answer).end(JSON.stringify({ unknown: page.to.filter((one) => pager.unknown.includes(one)) }));
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pager: Pager = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/pages`,
    got,
    react: () => 202,
    unknown: [],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return pager;
}
