import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { shopDocument } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { ShopWorld } from '../support/shop-world.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

interface Check {
  readonly check: string;
  readonly is: string;
  readonly says: string;
  readonly fix: string;
}

const [fixture] = await databases();
if (!fixture) throw new Error('there is no database to test on');

describe('Diagnostics', function () {
  this.timeout(60_000);
  let world: ShopWorld;

  before(async () => {
    const document = shopDocument() as { paths: object };
    const purge = {
      post: { operationId: 'order_purge', 'x-agent-capability': { version: 1, enabled: true, scope: 'a.b' }, responses: {} },
    };
    const shop = { target: 'my-agent', document: { ...document, paths: { ...document.paths, '/purge': purge } } } as const;
    world = await ShopWorld.open(fixture, {
      shop,
      react: ({ tool }) => (tool === 'credit_grant' ? { is: 'cut' } : { is: 'answer', status: 200 }),
    });
  });
  after(() => world.close());

  const checks = async (): Promise<Map<string, Check>> => {
    const { body } = await ask(world.url, 'GET', '/admin/api/diagnostics', undefined, SERVER_TOKEN);
    return new Map((body.checks as Check[]).filter(({ is }) => is !== 'ok').map((one) => [one.check, one]));
  };

  it('find nothing wrong with a hub that is well, but for what its document got wrong', async () => {
    const found = await checks();
    expect([...found.keys()]).to.deep.equal(['provider shop']);
    expect(found.get('provider shop')).to.include({ is: 'warn', says: '1 operations of its document became no tools.' });
    expect(world.logged).to.include('operations of a document became no tools');
  });

  it('name an unknown write, a pause, and what to do about each', async () => {
    const work = await world.work();
    await world.invoke(work, 'credit_grant', { order_no: 'A-1001', amount: 5 });
    await ask(world.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
    const found = await checks();
    await ask(world.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
    expect(found.get('unresolved')).to.include({ is: 'fail', says: '1 writes have no known outcome.' });
    expect(found.get('unresolved')?.fix).to.contain('bailing unresolved list');
    expect(found.get('pause')?.is).to.equal('warn');
  });

  it('are for administrators', async () => {
    expect((await ask(world.url, 'GET', '/admin/api/diagnostics', undefined, CLIENT_TOKEN)).status).to.equal(403);
    expect((await ask(world.url, 'GET', '/admin/api/diagnostics', undefined, null)).status).to.equal(401);
  });

  it('are what bailing doctor prints, with a status that says whether something failed', async () => {
    const { code, out } = await bailing(world.url, 'doctor');
    expect(code, out).to.equal(1);
  });

  it('bailing selftest boots a hub of its own, and its fences hold', async () => {
    const { code, out } = await bailing(world.url, 'selftest');
    expect(code, out).to.equal(0);
    expect(
      out
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('ok')),
    ).to.deep.equal([]);
    for (const gate of ['unregistered provider', 'allow list is not listed', 'allow list is not callable', 'reference verifier'])
      expect(out).to.contain(gate);
  });
});
