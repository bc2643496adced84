import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { DebugInvokeRequest, ToolProvidersApi } from '../tool-providers-api.js';
import { ADMIN_TOKEN, CLIENT_TOKEN, FakeHub, JOB_ID } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

const AUTHZ = { status: 'pass', http: 403, at: '2026-01-01T00:00:00.000Z' } as const;

/** Knows one provider, `shop`, and notes what it was asked. */
class Fake implements ToolProvidersApi {
  readonly asked: string[] = [];

  view(name: string): never {
    throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: name });
  }
  refresh(name: string) {
    this.note('refresh', name);
    if (name === 'broken') throw new BailingError('BAILING_SPEC_REFRESH_FAILED', { detail: 'BAILING_SPEC_UNREADABLE: It is no document.' });
    const nothing = { added: [], removed: [], changed: [], facts: [], frozen: [], warnings: [] };
    return Promise.resolve({ ok: true as const, tools: 1, ...nothing, authz_probe: AUTHZ });
  }
  tools(name: string) {
    this.note('tools', name);
    return Promise.resolve({ tools: [] });
  }
  authzProbe(name: string) {
    this.note('authz', name);
    return Promise.resolve(AUTHZ);
  }
  accept(name: string, tools: readonly string[]) {
    this.note(`accept ${tools.join(' ')}`, name);
    return Promise.resolve({ ok: true as const, accepted: tools, frozen: [] });
  }
  debugInvoke(name: string, { tool, args }: DebugInvokeRequest) {
    this.note(`debug ${tool} ${args}`, name);
    return Promise.resolve({ ok: true, job_id: JOB_ID, request: null });
  }
  private note(what: string, name: string): void {
    if (name !== 'shop' && name !== 'broken') throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    this.asked.push(`${what} ${name}`);
  }
}

describe('tool sources for operators, over real sockets', () => {
  let at: Serving;
  let fake: Fake;
  beforeEach(async () => {
    fake = new Fake();
    at = await serve({ hub: Object.assign(new FakeHub(), { toolProviders: fake }) });
  });
  afterEach(() => at.server.stop());
  const ask = (method: string, path: string, body?: unknown, token = ADMIN_TOKEN) =>
    at.ask(method, `/admin/api/tool-providers${path}`, { token, ...(body !== undefined && { body }) });

  it('are refreshed, shown, probed and accepted, each by its own path', async () => {
    expect((await ask('POST', '/shop/refresh')).json()).to.include({ ok: true, tools: 1 });
    expect((await ask('GET', '/shop/tools')).json()).to.deep.equal({ tools: [] });
    expect((await ask('POST', '/shop/authz-probe')).json()).to.deep.equal(AUTHZ);
    expect((await ask('POST', '/shop/accept', { tools: ['a', '*'] })).json()).to.include({ ok: true });
    expect(fake.asked).to.deep.equal(['refresh shop', 'tools shop', 'authz shop', 'accept a * shop']);
  });

  it('are for administrators only', async () => {
    for (const [method, path] of [
      ['POST', '/shop/refresh'],
      ['GET', '/shop/tools'],
      ['POST', '/shop/authz-probe'],
      ['POST', '/shop/accept'],
      ['POST', '/shop/debug-invoke'],
    ] as const)
      expect((await ask(method, path, undefined, CLIENT_TOKEN)).status, path).to.equal(403);
    expect(fake.asked).to.deep.equal([]);
  });

  it('answer 404 for an unknown provider, and 400 with the reason where the document was not replaced', async () => {
    expect((await ask('POST', '/none/refresh')).status).to.equal(404);
    const broken = await ask('POST', '/broken/refresh');
    expect(broken.status).to.equal(400);
    expect(broken.json()).to.include({ code: 'BAILING_SPEC_REFRESH_FAILED' });
    expect(broken.json()['error']).to.match(/It is no document\./);
  });

  it('are not accepted by anything but a list of names', async () => {
    for (const tools of [undefined, 'a', [], [1], [''], ['a', null], ['x'.repeat(192)], Array.from({ length: 1_001 }, () => 'a')]) {
      const refused = await ask('POST', '/shop/accept', { tools });
      expect([refused.status, refused.json()['at']]).to.deep.equal([400, 'tools']);
    }
    expect(fake.asked).to.deep.equal([]);
  });

  it('try a tool only where the request says exactly what is meant', async () => {
    const right = { tool: 't', args: { b: 1, a: '2' }, on_behalf_of: 'u', job_id: JOB_ID, allow_risky: true };
    expect((await ask('POST', '/shop/debug-invoke', right)).status).to.equal(200);
    // Members stay in the order they came: a query goes out in it.
    expect(fake.asked).to.deep.equal(['debug t {"b":1,"a":"2"} shop']);
    for (const [at, wrong] of [
      ['tool', { args: {} }],
      ['tool', { tool: 5 }],
      ['args', { tool: 't', args: [1] }],
      ['args', { tool: 't', args: null }],
      ['on_behalf_of', { tool: 't', on_behalf_of: 5 }],
      ['job_id', { tool: 't', job_id: 'mine' }],
      ['job_id', { tool: 't', job_id: JOB_ID.toUpperCase().replace('1', 'A') }],
      ['allow_risky', { tool: 't', allow_risky: 'yes' }],
      ['arguments', { tool: 't', arguments: {} }],
    ] as const) {
      const refused = await ask('POST', '/shop/debug-invoke', wrong);
      expect([refused.status, refused.json()['at']], JSON.stringify(wrong)).to.deep.equal([400, at]);
    }
    expect(fake.asked).to.have.length(1);
  });

  it('are not found where the hub shows none', async () => {
    const bare = await serve();
    expect((await bare.ask('GET', '/admin/api/tool-providers', { token: ADMIN_TOKEN })).status).to.equal(404);
    await bare.server.stop();
  });
});
