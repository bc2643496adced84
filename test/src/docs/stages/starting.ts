import net from 'node:net';
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
  return emptyCheckout({ BAILING_PORT: hub, ORDERS_PORT: business }, words);
}
