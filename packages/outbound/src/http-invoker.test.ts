import { sha256Hex } from '@bailing/contract';
import { expect } from 'chai';
import { createHostRules } from './hosts/rules.js';
import { createHttpInvoker, type HttpInvoker } from './http-invoker.js';
import { bindingOf, clockAt, CONTEXT, invokerFor, mint, SIGNED_AT, toolFor } from './test-support/calls.js';
import { startBusiness, type Loopback } from './test-support/loopback.js';

const NEVER = new AbortController().signal;
const WRITE = toolFor(bindingOf('POST', '/orders/sync'));
const READ = toolFor(bindingOf('GET', '/orders'));

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

    it('a call to an address that may not be reached, literal or resolved', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::ffff:127.0.0.1]']) {
        const provider = { name: 'shop', baseUrl: `http://${host}:${business.port}`, secret: 's', timeoutMs: 1_000 };
        const shop = keep(createHttpInvoker({ provider, hosts: createHostRules(), clock: clockAt() }));
        const outcome = await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER);
        expect(outcome.is === 'not-sent' && outcome.why, host).to.match(/^This address may not be reached\./);
      }
      expect(business.seen).to.have.length(0);
    });

    it('a call over TLS to a peer that speaks none', async () => {
      const business = keep(await startBusiness((response) => response.end('ok')));
      const shop = keep(invokerFor(`https://127.0.0.1:${business.port}`));
      expect((await shop.send(shop.freeze(WRITE, {}, CONTEXT), mint(), CONTEXT, NEVER)).is).to.equal('not-sent');
      expect(business.seen).to.have.length(0);
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
      expect(build, baseUrl).to.throw(/tool_providers shop, base_url/);
    }
  });
});
