import { sha256Hex } from '@bailing/contract';
import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { bindingOf, clockAt, CONTEXT, invokerFor, mint, SIGNED_AT, toolFor } from './test-support/calls.js';
import { startBusiness, startRaw, type Loopback } from './test-support/loopback.js';
import { createHttpInvoker, type HttpInvoker } from './http-invoker.js';
import { createHostRules } from './hosts/rules.js';

const NEVER = new AbortController().signal;
const WRITE = toolFor(bindingOf('POST', '/orders/sync'));
const READ = toolFor(bindingOf('GET', '/orders'));
const MIB = 1_048_576;

describe('the http invoker, over real sockets', () => {
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (open.push(one), one);
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const invoker = (business: Loopback, more: Parameters<typeof invokerFor>[1] = {}): HttpInvoker => keep(invokerFor(business.origin, more));

  describe('what reaches the business', () => {
    it('is the contract vector, byte for byte, with the base prefix sent but not signed', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business, { basePath: '/erp/v1/' });
      const tool = toolFor(bindingOf('GET', '/orders/{order_no}', { order_no: 'path', status: 'query', tags: 'query', n: 'query' }));
      const frozen = shop.freeze(tool, { order_no: 'A 1/2', status: '待 付', tags: ['a', 'b'], n: 10 }, CONTEXT);
      const outcome = await shop.send(frozen, mint(), CONTEXT, NEVER);
      expect(outcome.is).to.equal('answered');
      const seen = business.seen[0]!;
      expect(seen.target).to.equal('/erp/v1/orders/A%201%2F2?status=%E5%BE%85+%E4%BB%98&tags=a%2Cb&n=10');
      expect(seen.headers['x-bailing-timestamp']).to.equal('1718000000');
      expect(seen.headers['x-bailing-signature']).to.equal('sha256=3a87ce0cb3096cd8bef881c5c28e1bdf32ee57cc61ad4dd987e25b4b6556eca6');
      expect(seen.headers).to.not.have.property('x-bailing-idempotency-key');
      expect(seen.headers).to.not.have.property('content-type');
      expect(seen.body.length).to.equal(0);
    });

    it('carries the idempotency key of its ticket and no subject header without a subject', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business);
      const context = { ...CONTEXT, subject: '' };
      await shop.send(shop.freeze(WRITE, {}, context), mint({ key: 'ab'.repeat(32) }), context, NEVER);
      const seen = business.seen[0]!;
      expect(seen.body.toString()).to.equal('{}');
      expect(seen.headers['x-bailing-signature']).to.equal('sha256=a345a41996bff3736fe3ca5ff03b0e784a4c54c54cad7ee0e8adbc5562b25975');
      expect(seen.headers['x-bailing-idempotency-key']).to.equal('ab'.repeat(32));
      expect(seen.headers).to.not.have.property('x-bailing-on-behalf-of');
      expect(seen.headers['content-type']).to.equal('application/json');
    });

    it('names a subject outside ASCII in the UTF-8 bytes that were signed', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business);
      const context = { ...CONTEXT, subject: '租户:张三' };
      await shop.send(shop.freeze(READ, {}, context), mint(), context, NEVER);
      expect(Buffer.from(String(business.seen[0]!.headers['x-bailing-on-behalf-of']), 'latin1').toString('utf8')).to.equal('租户:张三');
    });

    it('keeps connections open and uses them again', async () => {
      const peers = new Set<number | undefined>();
      const business = keep(
        await startBusiness((response) => {
          peers.add(response.socket?.remotePort);
          response.end('ok');
        }),
      );
      const shop = invoker(business);
      for (let call = 0; call < 8; call++) await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      // undici frees a connection one turn after its answer, so calls in a row alternate between two.
      expect(peers.size).to.be.at.most(2);
    });

    it('is what was frozen even when somebody changes the shown body afterwards', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business);
      const frozen = shop.freeze(toolFor(bindingOf('POST', '/refunds', { amount: 'body' })), { amount: 300 }, CONTEXT);
      frozen.body.fill(0x39);
      await shop.send(frozen, mint(), CONTEXT, NEVER);
      expect(business.seen[0]!.body.toString()).to.equal('{"amount":300}');
    });
  });

  describe('what is provably not sent', () => {
    it('a second use of one ticket', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business);
      const ticket = mint();
      expect((await shop.send(shop.freeze(WRITE, {}, CONTEXT), ticket, CONTEXT, NEVER)).is).to.equal('answered');
      expect(await shop.send(shop.freeze(WRITE, {}, CONTEXT), ticket, CONTEXT, NEVER)).to.deep.equal({
        is: 'not-sent',
        why: 'this ticket was used before',
      });
      expect(business.seen).to.have.length(1);
    });

    it('a call whose time to send by has come', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const clock = clockAt(SIGNED_AT + 60_000);
      const shop = invoker(business, { clock });
      const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome.is).to.equal('not-sent');
      expect(business.seen).to.have.length(0);
    });

    it('a call whose time to send by passed while it waited for a connection', async () => {
      const clock = clockAt();
      let release = (): void => undefined;
      const business = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/orders') response.end('read');
          else release = () => response.end('slow');
        }),
      );
      const shop = invoker(business, { clock, connections: 1 });
      const first = shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      const second = shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      while (business.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      clock.time = SIGNED_AT + 60_000;
      release();
      expect((await first).is).to.equal('answered');
      expect(await second).to.deep.equal({ is: 'not-sent', why: 'the time to send by had passed' });
      clock.time = SIGNED_AT;
      expect((await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER)).is).to.equal('answered');
      expect(business.seen.map((one) => one.target)).to.deep.equal(['/orders/sync', '/orders']);
    });

    it('a call that ran out of time or was given up in the queue', async () => {
      const business = keep(await startBusiness(() => undefined));
      const shop = invoker(business, { connections: 1, timeoutMs: 150 });
      const held = shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      const stop = new AbortController();
      const queued = shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, stop.signal);
      stop.abort();
      expect(await queued).to.deep.equal({ is: 'not-sent', why: 'the caller gave up' });
      expect((await held).is).to.equal('unknown');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(business.seen).to.have.length(1);
    });

    it('a call to a port where nobody listens', async () => {
      const gone = await startBusiness((response) => response.end());
      await gone.close();
      const outcome = await invoker(gone).send(invoker(gone).freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(outcome).to.deep.equal({ is: 'not-sent', why: 'this call was not frozen here' });
      const shop = invoker(gone);
      expect(await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER)).to.deep.equal({
        is: 'not-sent',
        why: 'the connection was refused (ECONNREFUSED)',
      });
    });

    it('a call whose context is not the one it was frozen for', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invoker(business);
      const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), { ...CONTEXT, subject: '179:2' }, NEVER);
      expect(outcome.is).to.equal('not-sent');
      expect(business.seen).to.have.length(0);
    });

    it('a call after the invoker was closed', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = invokerFor(business.origin);
      const frozen = shop.freeze(WRITE, {}, CONTEXT);
      await shop.close();
      expect((await shop.send(frozen, mint(), CONTEXT, NEVER)).is).to.equal('not-sent');
    });
  });

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

  describe('the receive budget', () => {
    it('takes an answer of exactly 5 MiB and refuses one byte more, without a content-length', async () => {
      const business = keep(
        await startBusiness((response, seen) => {
          response.writeHead(200, { 'transfer-encoding': 'chunked' });
          response.end(Buffer.alloc(5 * MIB + (seen.target === '/orders/sync' ? 1 : 0), 0x61));
        }),
      );
      const shop = invoker(business);
      const fits = await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER);
      expect(fits.is === 'answered' && fits.answer.bytes).to.equal(5 * MIB);
      expect(await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER)).to.deep.equal({
        is: 'unknown',
        why: 'the answer is larger than 5242880 bytes',
      });
    });

    it('rejects by content-length before reading', async () => {
      let written = 0;
      const business = keep(
        await startBusiness((response) => {
          response.writeHead(200, { 'content-length': String(400 * MIB) });
          response.write(Buffer.alloc(MIB), () => (written += 1));
        }),
      );
      const shop = invoker(business);
      const started = Date.now();
      expect((await shop.send(shop.freeze(READ, {}, CONTEXT), mint(), CONTEXT, NEVER)).is).to.equal('unknown');
      expect(Date.now() - started).to.be.below(1_000);
      expect(written).to.be.below(5);
    });

    it('spends a few MiB on an answer of 400 MiB, plain or from a gzip bomb', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * MIB));
      const bombs = Buffer.concat(Array.from({ length: 7 }, () => bomb));
      const block = Buffer.alloc(MIB, 0x61);
      const business = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/orders') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bombs);
          const pump = (): void => {
            while (!response.destroyed && response.write(block));
            if (!response.destroyed) response.once('drain', pump);
          };
          pump();
        }),
      );
      const shop = invoker(business);
      const before = process.memoryUsage();
      let peak = 0;
      const watch = setInterval(() => {
        const now = process.memoryUsage();
        peak = Math.max(peak, now.external + now.arrayBuffers - before.external - before.arrayBuffers);
      }, 2);
      for (const tool of [READ, WRITE]) {
        const outcome = await shop.send(shop.freeze(tool, {}, CONTEXT), mint(), CONTEXT, NEVER);
        expect(outcome).to.deep.equal({ is: 'unknown', why: 'the answer is larger than 5242880 bytes' });
      }
      clearInterval(watch);
      // Client and server share this process: both sides' socket buffers count, the 400 MiB must not.
      expect(peak).to.be.below(64 * MIB);
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

  it('freezes the same call to the same digest and another call to another', () => {
    const shop = keep(invokerFor('http://127.0.0.1:9'));
    const tool = toolFor(bindingOf('POST', '/refunds', { amount: 'body' }));
    const digest = (amount: number): string => shop.freeze(tool, { amount }, CONTEXT).digest;
    expect(digest(1)).to.equal(digest(1));
    expect(digest(1)).to.not.equal(digest(2));
    expect(digest(1)).to.have.length(sha256Hex('').length);
  });

  it('refuses a base URL that is not plain', () => {
    for (const baseUrl of [
      'ftp://shop.example',
      'https://u:p@shop.example',
      'https://shop.example/?a=1',
      'shop.example',
      'https://shop.example/#x',
    ]) {
      const build = (): HttpInvoker =>
        createHttpInvoker({
          provider: { name: 'shop', baseUrl, secret: 's', timeoutMs: 1_000 },
          hosts: createHostRules(),
          clock: clockAt(),
        });
      expect(build, baseUrl).to.throw(/tool provider shop, base_url/);
    }
  });
});
