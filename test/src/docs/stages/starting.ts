import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { startOrdersService } from '@bailing/example-orders-service';
import { SECRET } from '../../support/world.js';
import { filesOf, readPage } from '../pages.js';
import { put } from '../play.js';
import { emptyCheckout, type Stage } from '../stage.js';

const LOWEST = 20_000;
const PORTS = 12_000;

/**
 * Ports nobody listens on now, below those that the system gives out by itself: the page's hubs listen on them only later, and another process that asks
 * for any port must not get one meanwhile.
 */
export async function freePorts(count: number): Promise<readonly string[]> {
  const found = new Set<string>();
  while (found.size < count) {
    const port = LOWEST + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) found.add(String(port));
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A fresh checkout; hub and business are started by the page. */
export async function ownHub(): Promise<Stage> {
  const [hub = '', business = ''] = await freePorts(2);
  const words = [
    ['127.0.0.1:18900', `127.0.0.1:${hub}`],
    ['127.0.0.1:18901', `127.0.0.1:${business}`],
  ] as const;
  return emptyCheckout({ BAILING_PORT: hub, ORDERS_PORT: business, DOCS_HUB: `http://127.0.0.1:${hub}` }, words);
}

/** The README's configuration, its secrets in the environment, its business running; the hub is started by the page. */
export async function firstHub(): Promise<Stage> {
  const stage = await ownHub();
  const service = await startOrdersService({ secret: SECRET, port: Number(stage.env['ORDERS_PORT']) });
  fs.writeFileSync(path.join(stage.folder, 'bailing.yaml'), put(filesOf(readPage('README.md')).get('bailing.yaml') ?? '', stage.words));
  const env = { BAILING_TOKEN: 'server-token-of-the-pages-00001', BACK_OFFICE_TOKEN: 'client-token-of-the-pages', ORDERS_SECRET: SECRET };
  const close = async () => {
    await service.close();
    await stage.close();
  };
  return { ...stage, env: { ...stage.env, ...env, BAILING_URL: stage.env['DOCS_HUB'] ?? '' }, close };
}
