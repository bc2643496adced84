import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { fastifyCall, fastifyDoor, type FastifyDoorOptions } from '../index.js';
import { call, SECRET } from './support.test.kit.js';

function baseOf(app: FastifyInstance): string {
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

async function serve(
  use: (base: string, app: FastifyInstance) => Promise<unknown>,
  options: Partial<FastifyDoorOptions> = {},
): Promise<void> {
  const app = Fastify();
  await app.register(async (tools) => {
    fastifyDoor(tools, { secret: SECRET, authorize: (operator, tool) => operator === '179:1' && tool === 'refund', ...options });
    tools.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/orders/:order_no',
      config: { tool: 'refund' },
      handler: (request) => {
        const { operator, params } = fastifyCall(request);
        return { operator, params };
      },
    });
    await tools.after();
  });
  app.post('/plain', (request) => ({ got: request.body }));
  app.get('/open', (request) => fastifyCall(request));
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    await use(baseOf(app), app);
  } finally {
    await app.close();
  }
}

const signed = { method: 'POST', target: '/orders/A%201%2F2?dry=a+b', body: '{"amount":300,"note":"待付"}' };

describe('the Fastify door', () => {
  it('lets a signed and authorised call in, with path, query and body together', async () => {
    await serve(async (base) => {
      const answer = await call(base, signed);
      expect(answer.json).to.deep.equal({ operator: '179:1', params: { order_no: 'A 1/2', dry: 'a b', amount: 300, note: '待付' } });
      expect((await call(base, { method: 'GET', target: '/orders/7', body: '' })).status).to.equal(200);
      expect((await call(base, { method: 'DELETE', target: '/orders/7', body: '{}' })).status).to.equal(200);
    });
  });

  it('verifies bytes that are not UTF-8 and other content types as they are', async () => {
    await serve(async (base) => {
      const body = Buffer.from([0x7b, 0xff, 0x7d]);
      const answer = await call(base, { ...signed, body, headers: { 'Content-Type': 'application/octet-stream' } });
      expect(answer.status).to.equal(403);
      expect(answer.json).to.have.property('error', 'bad_parameters');
    });
  });

  it('refuses who may not, and what was changed', async () => {
    await serve(async (base) => {
      expect((await call(base, { ...signed, onBehalfOf: '179:2' })).json).to.have.property('error', 'not_authorized');
      expect((await call(base, { ...signed, sendBody: '{"amount":301,"note":"待付"}' })).json).to.have.property('error', 'bad_signature');
      expect((await call(base, { ...signed, sendTarget: '/orders/A%201%2F2?dry=a%20b' })).status).to.equal(401);
    });
  });

  it('refuses a body beyond its limit with 413', async () => {
    await serve(async (base) => expect((await call(base, { ...signed, body: `{"t":"${'x'.repeat(200)}"}` })).status).to.equal(413), {
      maxBytes: 100,
    });
  });

  it('leaves the parsers outside of its scope alone', async () => {
    await serve(async (base) => {
      const answer = await call(base, { method: 'POST', target: '/plain', body: '{"a":1}' });
      expect(answer.json).to.deep.equal({ got: { a: 1 } });
    });
  });

  it('says so when somebody in its scope parsed the body', async () => {
    const app = Fastify();
    await app.register(async (tools) => {
      fastifyDoor(tools, { secret: SECRET, authorize: () => true, tool: 'refund' });
      tools.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, parsed) =>
        parsed(null, JSON.parse(String(text))),
      );
      tools.post('/x', (request) => fastifyCall(request));
      await tools.after();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await call(baseOf(app), { method: 'POST', target: '/x', body: '{}' });
      expect(answer.status).to.equal(500);
      expect(answer.json).to.have.property('error', 'raw_body_required');
    } finally {
      await app.close();
    }
  });

  it('refuses a route without a tool when it is added', async () => {
    const app = Fastify();
    app.register(async (tools) => {
      fastifyDoor(tools, { secret: SECRET, authorize: () => true });
      tools.get('/nameless', () => 'x');
      await tools.after();
    });
    const refusal: unknown = await Promise.resolve(app.ready()).catch((error: unknown) => error);
    expect(refusal)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/\/nameless has no tool/);
    await app.close();
  });

  it('does not let a handler outside of the scope pretend to be authorised', async () => {
    await serve(async (base) => expect((await call(base, { method: 'GET', target: '/open', body: '' })).status).to.equal(500));
  });
});
