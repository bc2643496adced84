import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { startOrdersService } from '@bailing/example-orders-service';
import { SECRET } from '../../support/world.js';
import { filesOf, readPage } from '../pages.js';
import { put } from '../play.js';
import { emptyCheckout, type Stage } from '../stage.js';

/** Ports nobody listens on now. */
export async function freePorts(count: number): Promise<readonly string[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = net.createServer();
      return new Promise<net.Server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => String((server.address() as net.AddressInfo).port));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
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
