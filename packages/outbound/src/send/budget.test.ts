import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import type { HttpInvoker } from '../http-invoker.js';
import { bindingOf, CONTEXT, invokerFor, mint, toolFor } from '../test-support/calls.js';
import { startBusiness, type Loopback } from '../test-support/loopback.js';

const NEVER = new AbortController().signal;
const WRITE = toolFor(bindingOf('POST', '/orders/sync'));
const READ = toolFor(bindingOf('GET', '/orders'));
const MIB = 1_048_576;

describe('the byte budget of an answer, over real sockets', () => {
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (open.push(one), one);
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const invoker = (business: Loopback, more: Parameters<typeof invokerFor>[1] = {}): HttpInvoker => keep(invokerFor(business.origin, more));

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
});
