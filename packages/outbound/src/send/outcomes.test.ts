import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import type { HttpInvoker } from '../http-invoker.js';
import { bindingOf, CONTEXT, invokerFor, mint, SECRET, toolFor } from '../test-support/calls.js';
import { startBusiness, startRaw, type Loopback } from '../test-support/loopback.js';

const NEVER = new AbortController().signal;
const WRITE = toolFor(bindingOf('POST', '/orders/sync'));
const READ = toolFor(bindingOf('GET', '/orders'));

describe('the outcome of one attempt, over real sockets', () => {
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (open.push(one), one);
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const invoker = (business: Loopback, more: Parameters<typeof invokerFor>[1] = {}): HttpInvoker => keep(invokerFor(business.origin, more));

  describe('what is unknown', () => {
    const unknownFor = async (business: Loopback, more: Parameters<typeof invokerFor>[1] = {}): Promise<string> => {
      const shop = invoker(business, more);
      const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome.is).to.equal('unknown');
      return outcome.is === 'unknown' ? outcome.why : '';
    };

    it('a business that says nothing within the limit', async () => {
      const started = Date.now();
      expect(await unknownFor(keep(await startBusiness(() => undefined)), { timeoutMs: 200 })).to.equal('no whole answer within 200 ms');
      expect(Date.now() - started).to.be.within(180, 600);
    });

    it('a body that stalls: the limit covers the body', async () => {
      const business = keep(
        await startBusiness((response) => {
          response.writeHead(200, { 'content-length': '10' });
          response.write('half');
        }),
      );
      expect(await unknownFor(business, { timeoutMs: 200 })).to.equal('no whole answer within 200 ms');
    });

    it('a connection reset in the middle of the body', async () => {
      const business = keep(
        await startRaw((socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart', () => setTimeout(() => socket.resetAndDestroy(), 20));
        }),
      );
      expect(await unknownFor(business)).to.match(/ECONNRESET|UND_ERR_SOCKET/);
    });

    it('a content-length that promises more than came', async () => {
      const business = keep(
        await startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\nshort')),
      );
      expect(await unknownFor(business)).to.match(/UND_ERR/);
    });

    it('a chunked body without its end', async () => {
      const business = keep(await startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n')));
      expect(await unknownFor(business)).to.match(/not HTTP|UND_ERR/);
    });

    it('a connection closed before any answer, which is never tried again', async () => {
      const business = keep(await startRaw((socket) => socket.destroy()));
      await unknownFor(business);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(business.connections).to.equal(1);
    });

    it('a kept connection that dies as the next write goes out, which is never tried again', async () => {
      let requests = 0;
      const business = keep(
        await startRaw((socket) => {
          requests++;
          if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
          else socket.resetAndDestroy();
        }),
      );
      const shop = invoker(business);
      expect((await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER)).is).to.equal('answered');
      expect((await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER)).is).to.equal('unknown');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(requests).to.equal(2);
    });

    it('an answer that is not HTTP, and one that changes protocol', async () => {
      expect(await unknownFor(keep(await startRaw((socket) => socket.end('SSH-2.0-x\r\n'))))).to.equal('the answer is not HTTP');
      const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
      await unknownFor(keep(await startRaw((socket) => socket.write(upgrade))));
    });

    it('an answer in an encoding nobody asked for', async () => {
      const business = keep(await startBusiness((response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x')));
      expect(await unknownFor(business)).to.equal('the answer has an encoding that was not asked for');
    });

    it('a gzip body that is cut off although its content-length is right', async () => {
      const half = gzipSync(Buffer.alloc(10_000, 'a')).subarray(0, 20);
      const business = keep(
        await startBusiness((response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': half.length }).end(half)),
      );
      expect(await unknownFor(business)).to.equal('the gzip body is damaged or cut off');
    });

    it('a caller that gives up while the answer is on its way', async () => {
      const stop = new AbortController();
      const business = keep(await startBusiness(() => stop.abort()));
      const shop = invoker(business);
      expect(await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, stop.signal)).to.deep.equal({
        is: 'unknown',
        why: 'the caller gave up',
      });
    });
  });

  describe('what counts as an answer', () => {
    it('any complete status, a redirect included, which is never followed', async () => {
      const business = keep(await startBusiness((response) => response.writeHead(307, { location: '/elsewhere' }).end('moved')));
      const shop = invoker(business);
      const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome.is === 'answered' && outcome.answer.status).to.equal(307);
      expect(business.seen).to.have.length(1);
    });

    it('a 503 comes back as it is, once', async () => {
      const business = keep(await startBusiness((response) => response.writeHead(503, { 'retry-after': '0' }).end('busy')));
      const shop = invoker(business);
      const outcome = await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome.is === 'answered' && outcome.answer.status).to.equal(503);
      expect(business.seen).to.have.length(1);
    });

    it('an echo of the request, without what would open the business again', async () => {
      const business = keep(
        await startBusiness((response, { headers }) =>
          response.end(JSON.stringify({ headers, also: headers['x-bailing-signature'], key: SECRET })),
        ),
      );
      const shop = invoker(business);
      const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      const body = outcome.is === 'answered' ? outcome.answer.body : '';
      const signature = String(business.seen[0]?.headers['x-bailing-signature']);
      expect(signature).to.match(/^sha256=[0-9a-f]{64}$/);
      for (const secret of [signature.slice('sha256='.length), SECRET]) expect(body).to.not.contain(secret);
      const told = JSON.parse(body) as { headers: Record<string, string> };
      expect(told).to.include({ also: 'sha256=[signature]', key: '[secret]' });
      expect(told.headers).to.include({ 'x-bailing-job-id': CONTEXT.job, 'x-bailing-signature': 'sha256=[signature]' });
    });

    it('compressed answers are read and counted after decompression', async () => {
      const business = keep(
        await startBusiness((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"ok":true,"名":"值"}'))),
      );
      const shop = invoker(business);
      const outcome = await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome).to.deep.equal({
        is: 'answered',
        answer: { status: 200, contentType: '', body: '{"ok":true,"名":"值"}', bytes: 23 },
      });
    });

    it('characters split over chunks, other charsets and an early hint do no harm', async () => {
      const text = Buffer.from('价格：九', 'utf8');
      const gbk = Buffer.from([0xd6, 0xd0, 0xb9, 0xfa]);
      const business = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/orders/sync') return void response.writeHead(200, { 'content-type': 'text/plain; charset=GBK' }).end(gbk);
          response.writeEarlyHints({ link: '</x>; rel=preload' });
          response.write(text.subarray(0, 4));
          setTimeout(() => response.end(text.subarray(4)), 20);
        }),
      );
      const shop = invoker(business);
      const read = await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(read.is === 'answered' && read.answer.body).to.equal('价格：九');
      const write = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(write.is === 'answered' && write.answer.body).to.equal('中国');
    });
  });
});
