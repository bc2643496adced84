import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostRules } from '../hosts/rules.js';
import { createDownloads, type OwnedDownloads } from './download.js';

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a download that is slow', () => {
  let server: http.Server;
  let downloads: OwnedDownloads;
  let url: string;
  before(async () => {
    server = http.createServer((request, response) => {
      if (request.url === '/never') return;
      response.writeHead(200).write('x');
      if (request.url === '/stops') return;
      let left = 6;
      const drip = setInterval(() => (left-- > 0 ? response.write('x') : response.end()), 30);
      response.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    url = `http://${host}`;
    downloads = createDownloads(createHostRules({ allowPrivateHosts: [host] }));
  });
  after(() => {
    downloads.close();
    server.closeAllConnections();
    server.close();
  });
  const get = async (path: string, more: object): Promise<string> => {
    try {
      const limits = { maxBytes: 1_000, timeoutMs: 5_000, ...more };
      return String((await downloads.get(url + path, limits, new AbortController().signal)).bytes.length);
    } catch (error) {
      return error instanceof BailingError ? error.message : String(error);
    }
  };

  it('is given up where nothing comes, also in the middle, and not where something does', async () => {
    const [never, stops, drips] = await Promise.all(['/never', '/stops', '/drips'].map((path) => get(path, { silentMs: 100 })));
    expect(never).to.include('nothing came for 100 ms');
    expect(stops).to.include('nothing came for 100 ms');
    expect(drips).to.equal('7');
  });

  it('is not charged with the time it was kept waiting', async () => {
    let waited = 0;
    const room = () => (waited++ === 0 ? soon(300) : Promise.resolve());
    expect(await get('/drips', { silentMs: 150, timeoutMs: 300, room })).to.equal('7');
    expect(await get('/drips', { timeoutMs: 100 })).to.match(/no whole answer within (99|100) ms/);
    expect(await get('/drips', { room: () => Promise.reject(new Error('stopped')) })).to.include('The request failed on its way');
  });
});
