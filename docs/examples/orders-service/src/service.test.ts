import { createHash } from 'node:crypto';
import { signToolCall } from '@bailing/verifier';
import { expect } from 'chai';
import { startOrdersService, type OrdersService } from './service.js';

const SECRET = 'orders-secret-for-tests';
const KEY = createHash('sha256').update('one').digest('hex');

describe('orders-service', () => {
  let service: OrdersService;
  beforeEach(async () => {
    service = await startOrdersService({ secret: SECRET });
  });
  afterEach(() => service.close());

  async function call(method: string, path: string, who: string, body?: unknown, more: Record<string, string> = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const ts = String(Math.floor(Date.now() / 1000));
    const signature = signToolCall(SECRET, { ts, method, pathWithQuery: path, body: text, onBehalfOf: who, jobId: 'job-1' });
    const headers = {
      'x-bailing-timestamp': ts,
      'x-bailing-signature': signature,
      'x-bailing-job-id': 'job-1',
      'x-bailing-on-behalf-of': who,
      ...more,
    };
    const response = await fetch(service.url + path, { method, headers, ...(text !== '' && { body: text }) });
    return {
      status: response.status,
      cache: response.headers.get('cache-control'),
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  const refund = { order_no: 'A-1001', amount: 300, reason: 'damaged' };

  it('reads an order for somebody who may and refuses a forged signature', async () => {
    expect(await call('GET', '/orders/A-1001', 'u-ben')).to.deep.include({ status: 200 });
    expect((await call('GET', '/orders/A-1001', 'u-ben', undefined, { 'x-bailing-on-behalf-of': 'u-ada' })).status).to.equal(401);
  });

  it('lets its own tables decide: a right signature is no permission', async () => {
    expect((await call('POST', '/refund-requests', 'u-ben', refund, { 'x-bailing-idempotency-key': KEY })).status).to.equal(403);
    expect((await call('POST', '/refunds', 'u-ada', refund, { 'x-bailing-idempotency-key': KEY })).status).to.equal(403);
    expect((await call('GET', '/orders/A-1001', 'u-nobody')).status).to.equal(403);
    expect((await call('GET', '/orders/A-1001', '')).status).to.equal(403);
    expect(service.refunds()).to.have.length(0);
  });

  it('runs a write once per idempotency key and gives the first answer again', async () => {
    const first = await call('POST', '/refund-requests', 'u-ada', refund, { 'x-bailing-idempotency-key': KEY });
    const again = await call('POST', '/refund-requests', 'u-ada', refund, { 'x-bailing-idempotency-key': KEY });
    expect(first.body).to.include({ status: 'pending_approval', business_id: 'RF-1' });
    expect(again.body).to.deep.equal(first.body);
    expect(
      (await call('POST', '/refund-requests', 'u-ada', { ...refund, amount: 301 }, { 'x-bailing-idempotency-key': KEY })).status,
    ).to.equal(422);
    expect((await call('POST', '/refund-requests', 'u-ada', refund)).status).to.equal(400);
    expect(service.refunds()).to.have.length(1);
  });

  it('checks the parameters itself', async () => {
    for (const wrong of [
      { ...refund, amount: 48_901 },
      { ...refund, amount: -1 },
      { ...refund, order_no: 'Z-9999' },
      { ...refund, reason: '' },
    ]) {
      const key = createHash('sha256').update(JSON.stringify(wrong)).digest('hex');
      expect((await call('POST', '/refund-requests', 'u-ada', wrong, { 'x-bailing-idempotency-key': key })).status).to.be.within(400, 422);
    }
    expect(service.refunds()).to.have.length(0);
  });

  it('shows its tool document to a signed fetch only, never cached, and denies the probe subject', async () => {
    const ts = String(Math.floor(Date.now() / 1000));
    const path = '/.well-known/bailing/tools.json';
    const signature = signToolCall(SECRET, { ts, method: 'GET', pathWithQuery: path, body: '', onBehalfOf: '', jobId: '' });
    const signed = await fetch(service.url + path, { headers: { 'x-bailing-timestamp': ts, 'x-bailing-signature': signature } });
    expect([signed.status, signed.headers.get('cache-control')]).to.deep.equal([200, 'private, no-store']);
    expect((await fetch(service.url + path)).status).to.equal(401);
    const probe = await call('POST', '/.well-known/bailing/authz-probe', '__bailing_authz_probe__:nobody', {
      subject: '__bailing_authz_probe__:nobody',
    });
    expect(probe.body).to.include({ authorized: false });
  });
});
