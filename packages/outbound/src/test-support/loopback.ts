import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/** One request as it came: the raw target, the headers in order and the body bytes. */
export interface Seen {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Loopback {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A business on a free loopback port that notes every whole request and then answers. */
export async function startBusiness(answer: (response: ServerResponse, seen: Seen) => void): Promise<Loopback> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Seen = {
        method: request.method ?? '',
        target: request.url ?? '',
        rawHeaders: request.rawHeaders,
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      seen.push(one);
      answer(response, one);
    });
  };
  return started(createServer(listener), seen);
}

/** A peer that speaks raw TCP: `onData` gets the socket and everything it has sent so far. */
export async function startRaw(
  onData: (socket: Socket, received: string, connection: number) => void,
): Promise<Loopback & { connections: number }> {
  let connections = 0;
  const server = net.createServer((socket) => {
    const number = ++connections;
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => onData(socket, (received += chunk.toString('latin1')), number));
  });
  const loopback = await started(server, []);
  return Object.defineProperty(loopback, 'connections', { get: () => connections }) as Loopback & { connections: number };
}

async function started(server: Server | net.Server, seen: Seen[]): Promise<Loopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { origin: `http://127.0.0.1:${port}`, port, seen, close };
}
