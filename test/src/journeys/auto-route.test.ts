import { expect } from 'chai';
import { admin, deskHub, ended, SCRIPTED } from '../support/desk.js';
import { ask } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { makeWorld, type World } from '../support/world.js';

describe('A job finds its route', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;

  before(async () => {
    const route = `${SCRIPTED.route}
    audience: { anonymous: true, keywords: [order] }
  - route_key: hidden
    audience: { anonymous: true, keywords: [order], priority: 50 }`;
    world = await makeWorld({ ...SCRIPTED, route });
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const run = (requestId: string, metadata: object) =>
    ask(hub.url, 'POST', '/run', { request_id: requestId, route: 'auto', input: '[]', metadata: { operator_uid: 'u-ada', ...metadata } });

  it('by what it says, among the routes its client may use, and keeps why', async () => {
    const { status, body } = await run('auto:1', { about: 'an ORDER' });
    expect([status, body.route]).to.deep.equal([202, 'orders']);
    const job = (await ask(hub.url, 'GET', `/jobs/${String(body.job_id)}`)).body as { metadata: { route_decision: object } };
    const reasons = ['keywords:order'];
    expect(job.metadata.route_decision).to.deep.equal({
      mode: 'auto',
      ok: true,
      candidates: [{ route_key: 'orders', score: 11, reasons }],
    });
    expect((await ended(hub.url, String(body.job_id))).status).to.equal('done');
  });

  it('or is told that there is none', async () => {
    const { status, body } = await run('auto:2', { about: 'the weather' });
    expect([status, body.code, body.at]).to.deep.equal([400, 'BAILING_ROUTE_AUTO_NO_MATCH', 'route']);
    expect(body.decision).to.deep.equal({ mode: 'auto', ok: false, candidates: [], error: 'route_auto_no_match' });
  });

  it('and an operator sees beforehand what would happen', async () => {
    const preview = async (more: object) => (await admin(hub.url, 'POST', '/routes/auto-preview', { input: 'my order', ...more })).body;
    expect(await preview({})).to.include({ ok: true, selected_route: 'hidden', client: null });
    const asClient = await preview({ client_app_id: 'back-office' });
    expect(asClient).to.include({ ok: true, selected_route: 'orders' });
    expect((asClient.rows as { rejected_reason?: string }[]).map((row) => row.rejected_reason)).to.deep.equal([
      undefined,
      'client_not_allowed',
    ]);
    expect(await preview({ client_app_id: 'nobody' })).to.include({ code: 'BAILING_REQUEST_MALFORMED', at: 'client_app_id' });
  });
});
