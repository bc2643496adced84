import { expect } from 'chai';
import express, { type Express, type RequestHandler } from 'express';
import { expressCall, expressGate, type DoorOptions } from '../index.js';
import { call, serve, SECRET } from './support.test.kit.js';

function app(before?: RequestHandler, options: Partial<DoorOptions> = {}): Express {
  const web = express();
  if (before) web.use(before);
  const gate = expressGate({ secret: SECRET, authorize: (operator) => operator === '179:1', tool: 'refund', ...options });
  web.all('/orders/:order_no', gate, (_request, response) => {
    const { operator, params } = expressCall(response);
    response.json({ operator, params });
  });
  web.all('/open', (_request, response) => {
    response.json(expressCall(response));
  });
  return web;
}

const signed = { method: 'POST', target: '/orders/A%201%2F2?dry=a+b', body: '{"amount":300,"note":"待付"}' };

describe('the Express door', () => {
  it('lets a signed and authorised call in, with path, query and body together', async () => {
    await serve(app(), async (base) => {
      const answer = await call(base, signed);
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.equal({ operator: '179:1', params: { order_no: 'A 1/2', dry: 'a b', amount: 300, note: '待付' } });
    });
  });

  it('refuses who may not, what was changed, and what is too large', async () => {
    await serve(app(undefined, { maxBytes: 100 }), async (base) => {
      expect((await call(base, { ...signed, onBehalfOf: '179:2' })).json).to.have.property('error', 'not_authorized');
      const changed = await call(base, { ...signed, sendBody: '{"amount":301,"note":"待付"}' });
      expect(changed.status).to.equal(401);
      expect(changed.json).to.have.property('error', 'bad_signature');
      expect((await call(base, { ...signed, body: `{"t":"${'x'.repeat(200)}"}` })).status).to.equal(413);
    });
  });

  it('answers 413 while a long body without a length is still coming', async () => {
    await serve(app(undefined, { maxBytes: 64 }), async (base) => {
      const chunks = Array.from({ length: 200 }, () => Buffer.alloc(65_536, 'x'));
      const answer = await call(base, { method: 'POST', target: '/orders/7', body: Buffer.concat(chunks), chunks });
      expect(answer.status).to.equal(413);
      expect(answer.headers['connection']).to.equal('close');
    });
  });

  it('refuses a target that was decoded on the way', async () => {
    await serve(app(), async (base) => {
      expect((await call(base, { ...signed, sendTarget: '/orders/A%201%2F2?dry=a%20b' })).status).to.equal(401);
    });
  });

  it('works behind express.raw, and inside a mounted router with the original target', async () => {
    await serve(app(express.raw({ type: () => true })), async (base) => expect((await call(base, signed)).status).to.equal(200));
    const outer = express().use('/tools', app());
    await serve(outer, async (base) => expect((await call(base, { ...signed, target: `/tools${signed.target}` })).status).to.equal(200));
  });

  it('works with the raw bytes that the verify hook of express.json keeps', async () => {
    const keep = express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) });
    await serve(app(keep), async (base) => {
      expect((await call(base, signed)).status).to.equal(200);
      expect((await call(base, { ...signed, sendBody: '{"amount": 300,"note":"待付"}' })).status).to.equal(401);
    });
  });

  it('says so when express.json was there first, and does not serialise again', async () => {
    await serve(app(express.json()), async (base) => {
      const answer = await call(base, signed);
      expect(answer.status).to.equal(500);
      expect(answer.json).to.have.property('error', 'raw_body_required');
      expect(answer.json)
        .to.have.property('message')
        .that.matches(/parsed body/)
        .and.matches(/before the body parser/);
    });
  });

  it('takes a GET although express.json is installed, for it has no body', async () => {
    await serve(app(express.json()), async (base) => {
      expect((await call(base, { method: 'GET', target: '/orders/7', body: '' })).json).to.deep.include({ params: { order_no: '7' } });
    });
  });

  it('does not let a handler without the door pretend to be authorised', async () => {
    const web = app();
    web.use(((error: Error, _request, response, next) =>
      response.headersSent ? next(error) : response.status(500).end(error.message)) as express.ErrorRequestHandler);
    await serve(web, async (base) => {
      const answer = await call(base, { method: 'GET', target: '/open', body: '' });
      expect(answer.status).to.equal(500);
      expect(answer.json).to.match(/no expressGate/);
    });
  });
});
