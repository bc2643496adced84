import { expect } from 'chai';
import Koa from 'koa';
import { request as send } from 'node:http';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { koaCall, koaGate, RawBodyRequired, signToolCall, type DoorOptions } from '../index.js';
import { call, serve, SECRET, signedHeaders } from './support.test.kit.js';

function app(options: Partial<DoorOptions> = {}, before?: Koa.Middleware): RequestListener {
  const koa = new Koa();
  koa.silent = true;
  if (before) koa.use(before);
  koa.use(koaGate({ secret: SECRET, authorize: (operator) => operator === '179:1', tool: 'refund', ...options }));
  koa.use((context) => {
    const { operator, params, jobId } = koaCall(context);
    context.body = { operator, jobId, params };
  });
  const handle = koa.callback();
  return (request, response) => void handle(request, response);
}

describe('the Koa door', () => {
  it('lets a signed and authorised call in, with its parameters', async () => {
    await serve(app(), async (base) => {
      const answer = await call(base, { method: 'POST', target: '/orders/refund?dry=1', body: '{"amount":300,"note":"待付"}' });
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.equal({ operator: '179:1', jobId: 'job-1', params: { dry: '1', amount: 300, note: '待付' } });
    });
  });

  it('refuses an acting user whom the business does not allow', async () => {
    await serve(app(), async (base) => {
      const answer = await call(base, { method: 'POST', target: '/orders/refund', body: '{}', onBehalfOf: '179:2' });
      expect(answer.status).to.equal(403);
      expect(answer.json).to.have.property('error', 'not_authorized');
    });
  });

  it('refuses a changed body with 401 and a sentence', async () => {
    await serve(app(), async (base) => {
      const answer = await call(base, { method: 'POST', target: '/orders/refund', body: '{"amount":1}', sendBody: '{"amount":9}' });
      expect(answer.status).to.equal(401);
      expect(answer.json).to.have.property('error', 'bad_signature');
      expect(answer.json)
        .to.have.property('message')
        .that.matches(/raw body/);
    });
  });

  it('says so when a body parser was there first, and does not serialise again', async () => {
    const parser: Koa.Middleware = async (context, next) => {
      let text = '';
      for await (const chunk of context.req) text += String(chunk);
      (context.request as { body?: unknown }).body = JSON.parse(text);
      await next();
    };
    await serve(app({}, parser), async (base) => {
      const answer = await call(base, { method: 'POST', target: '/orders/refund', body: '{"amount":1}' });
      expect(answer.status).to.equal(500);
      expect(answer.json).to.deep.equal({ error: 'raw_body_required', message: new RawBodyRequired('the HTTP door').message });
    });
  });

  it('takes raw bytes that an earlier middleware kept, but not a decoded string', async () => {
    const keep =
      (as: 'bytes' | 'text'): Koa.Middleware =>
      async (context, next) => {
        const chunks: Buffer[] = [];
        for await (const chunk of context.req) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        (context.request as { rawBody?: unknown }).rawBody = as === 'bytes' ? bytes : bytes.toString();
        await next();
      };
    const signed = { method: 'POST', target: '/orders/refund', body: '{"amount":1}' };
    await serve(app({}, keep('bytes')), async (base) => expect((await call(base, signed)).status).to.equal(200));
    await serve(app({}, keep('text')), async (base) => expect((await call(base, signed)).status).to.equal(500));
  });

  it('keeps the raw target and bytes that are not UTF-8, over several chunks', async () => {
    const target = '/orders/A%201%2F2?q=a+b&r=%E5%BE%85%20';
    await serve(app(), async (base) => {
      const answer = await call(base, { method: 'GET', target, body: '' });
      expect(answer.json).to.deep.include({ params: { q: 'a b', r: '待 ' } });
      const body = Buffer.from('{"t":"待付"}');
      const split = await call(base, { method: 'POST', target: '/x', body, chunks: [body.subarray(0, 7), body.subarray(7)] });
      expect(split.json).to.deep.include({ params: { t: '待付' } });
    });
  });

  it('refuses a body beyond its limit with 413', async () => {
    await serve(app({ maxBytes: 64 }), async (base) => {
      const body = JSON.stringify({ t: 'x'.repeat(100) });
      expect((await call(base, { method: 'POST', target: '/x', body })).status).to.equal(413);
      const chunks = [Buffer.from(body.slice(0, 50)), Buffer.from(body.slice(50))];
      expect((await call(base, { method: 'POST', target: '/x', body, chunks })).status).to.equal(413);
    });
  });

  it('answers 413 while a long body without a length is still coming', async () => {
    await serve(app({ maxBytes: 64 }), async (base) => {
      const chunks = Array.from({ length: 200 }, () => Buffer.alloc(65_536, 'x'));
      const answer = await call(base, { method: 'POST', target: '/orders/7', body: Buffer.concat(chunks), chunks });
      expect(answer.status).to.equal(413);
      expect(answer.headers['connection']).to.equal('close');
    });
  });

  it('verifies behind a prefix that the hub sends but does not sign', async () => {
    await serve(app({ basePath: '/api' }), async (base) => {
      const signed = { method: 'GET', target: '/orders?id=1', body: '' };
      expect((await call(base, { ...signed, sendTarget: '/api/orders?id=1' })).status).to.equal(200);
      expect((await call(base, { ...signed, sendTarget: '/orders?id=1' })).status).to.equal(401);
    });
  });

  it('refuses a subject header that comes twice', async () => {
    await serve(app(), async (base) => {
      const port = Number(new URL(base).port);
      const headers = signedHeaders({ method: 'GET', target: '/x', body: '' }).flat();
      const status = await new Promise<number>((resolve, reject) => {
        const request = send({
          port,
          host: '127.0.0.1',
          path: '/x',
          headers: [...headers, 'X-Bailing-On-Behalf-Of', '179:1', 'Host', 'x'] as never,
        });
        request.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject);
        request.end();
      });
      expect(status).to.equal(401);
    });
  });

  it('reads a subject of raw UTF-8 bytes as the text it is', async () => {
    const server = createServer(app({ authorize: (operator) => operator === '租户:张三' }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const ts = String(Math.floor(Date.now() / 1000));
      const signature = signToolCall(SECRET, { ts, method: 'GET', pathWithQuery: '/x', onBehalfOf: '租户:张三', jobId: 'job-1' });
      const subject = Buffer.from('租户:张三', 'utf8').toString('latin1');
      const headers = {
        'x-bailing-timestamp': ts,
        'x-bailing-signature': signature,
        'x-bailing-job-id': 'job-1',
        'x-bailing-on-behalf-of': subject,
      };
      const status = await new Promise<number>((resolve, reject) => {
        const request = send({ port, host: '127.0.0.1', path: '/x', headers });
        request.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
        request.end();
      });
      expect(status).to.equal(200);
    } finally {
      server.close();
    }
  });
});
