import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createHostRules, createSockets } from './index.js';

describe('the sockets service', () => {
  let server: Server;
  let port: number;
  before(async () => {
    server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  const sockets = (...allowed: string[]) => createSockets({ hosts: createHostRules({ allowPrivateHosts: allowed }) });
  async function code(work: Promise<unknown>): Promise<string> {
    const error = await work.then(() => null).catch((caught: unknown) => caught);
    return error instanceof BailingError ? error.code : String(error);
  }

  it('connects to a host that an operator named', async () => {
    const socket = await sockets(`127.0.0.1:${String(port)}`).connect({ host: '127.0.0.1', port });
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).to.equal('hello');
  });

  it('refuses private hosts nobody named, by address and by name', async () => {
    expect(await code(sockets().connect({ host: '127.0.0.1', port }))).to.equal('BAILING_OUTBOUND_HOST_REFUSED');
    expect(await code(sockets().connect({ host: 'localhost', port }))).to.equal('BAILING_OUTBOUND_HOST_REFUSED');
  });

  it('says that nothing was sent where no connection came about', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port: closed } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await code(sockets('127.0.0.1').connect({ host: '127.0.0.1', port: closed }))).to.equal('BAILING_OUTBOUND_NOT_CONNECTED');
    const stopped = sockets('127.0.0.1').connect({ host: '127.0.0.1', port }, AbortSignal.abort());
    expect(await code(stopped)).to.equal('BAILING_OUTBOUND_NOT_CONNECTED');
  });
});
