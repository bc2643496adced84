import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** A way to a server that can be lost. */
export interface TcpProxy {
  readonly port: number;
  /** Everything passes. */
  mend(): void;
  /** Connections are reset and new ones refused. */
  cut(): void;
  /** What clients send still arrives; what the server says does not come back, and a moment later the way is cut, or open again for new connections. */
  loseAnswers(then: 'cut' | 'through'): void;
  close(): Promise<void>;
}

/** How long the server gets to do what it was told before its answer is lost for good. */
const SWALLOW_MS = 150;

export async function startTcpProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const open = new Set<net.Socket>();
  let mode: 'through' | 'swallow' | 'cut' = 'through';
  const keep = (socket: net.Socket): net.Socket => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    keep(client);
    if (mode === 'cut') return void client.resetAndDestroy();
    const upstream = keep(net.connect(to.port, to.host));
    client.on('data', (chunk) => upstream.write(chunk)).on('close', () => upstream.destroy());
    upstream.on('data', (chunk) => mode === 'through' && client.write(chunk)).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    mode = 'cut';
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    mend: () => void (mode = 'through'),
    cut,
    loseAnswers: (then) => {
      mode = 'swallow';
      setTimeout(() => {
        if (mode !== 'swallow') return;
        cut();
        mode = then;
      }, SWALLOW_MS);
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
