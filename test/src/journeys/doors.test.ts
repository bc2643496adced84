import { expect } from 'chai';
import { ask, submit, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { CLIENT_TOKEN, makeWorld, SECRET, SERVER_TOKEN, type World } from '../support/world.js';

const RUN = { request_id: 'd:1', route: 'orders', input: 'Look up order A-1001', metadata: { operator_uid: 'u-ada' } };

describe('journey: the doors of the hub', () => {
  let world: World;
  let hub: HubProcess;
  before(async function () {
    this.timeout(20_000);
    world = await makeWorld();
    const started = await startHubProcess({ configFile: world.configFile });
    if (!started) throw new Error('the hub did not start');
    hub = started;
  });
  after(async () => {
    await hub.kill('SIGTERM');
    await world.close();
  });

  it('the same request_id, eight times at the same moment, is one job and always 202', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(hub.url, 'd:same', 'Look up order A-1001')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array<number>(8).fill(202));
    expect(new Set(answers.map(({ body }) => body.job_id)).size).to.equal(1);
    await waitForEnd(hub.url, String(answers[0]?.body.job_id));
    expect(world.arrived.filter((tool) => tool === 'order_read')).to.have.length(1);
  });

  it('refuses with a code, a sentence and what to do: 401, 400, 413, 403, 404, 405', async () => {
    const cases: readonly (readonly [number, Promise<{ status: number; body: Record<string, unknown> }>])[] = [
      [401, ask(hub.url, 'POST', '/run', RUN, null)],
      [401, ask(hub.url, 'POST', '/run', RUN, 'a-wrong-token-of-some-length')],
      [401, ask(hub.url, 'GET', '/nowhere', undefined, null)],
      [404, ask(hub.url, 'GET', '/nowhere')],
      [400, ask(hub.url, 'POST', '/run', '{"request_id":')],
      [400, ask(hub.url, 'POST', '/run', '[]')],
      [400, ask(hub.url, 'POST', '/run', { ...RUN, route: 'unknown-route' }, SERVER_TOKEN)],
      [403, ask(hub.url, 'POST', '/run', { ...RUN, route: 'unknown-route' })],
      [400, ask(hub.url, 'POST', '/run', { ...RUN, surprise: 1 })],
      [400, ask(hub.url, 'POST', '/run', { ...RUN, request_id: ' ' })],
      [400, ask(hub.url, 'POST', '/run', { ...RUN, callback_url: 'ftp://example.com/cb' })],
      [413, ask(hub.url, 'POST', '/run', { ...RUN, input: 'x'.repeat(1_100_000) })],
      [404, ask(hub.url, 'GET', '/jobs/11111111-2222-4333-8444-555555555555')],
      [403, ask(hub.url, 'GET', '/admin/api/runs')],
    ];
    for (const [expected, answer] of cases) {
      const { status, body } = await answer;
      expect(status, JSON.stringify(body)).to.equal(expected);
      expect(body.error, JSON.stringify(body)).to.be.a('string').and.not.equal('');
      expect(body.code, JSON.stringify(body)).to.match(/^BAILING_/);
      expect(body.fix, JSON.stringify(body)).to.be.a('string');
    }
  });

  it('shows a client its own job without what is internal, and hides it from nobody else but others', async () => {
    const { body } = await submit(hub.url, 'd:own', 'Look up order A-1001');
    const job = await waitForEnd(hub.url, String(body.job_id));
    expect(job).to.not.have.any.keys('claim_token', 'dispatch', 'lease_until');
    expect(job).to.include({ request_id: 'd:own', status: 'done', client_app_id: 'back-office' });
  });

  it('is healthy and ready, and says its version', async () => {
    expect((await ask(hub.url, 'GET', '/health', undefined, null)).body).to.deep.include({ status: 'ok', paused: false });
    expect(await ask(hub.url, 'GET', '/health/ready', undefined, null)).to.deep.include({ status: 200 });
    expect((await ask(hub.url, 'GET', '/version', undefined, null)).body).to.have.property('contracts');
  });

  it('a paused hub accepts nothing and works on nothing until it is resumed', async () => {
    expect((await ask(hub.url, 'POST', '/admin/pause', {}, SERVER_TOKEN)).body).to.include({ paused: true });
    const refused = await submit(hub.url, 'd:paused', 'Look up order A-1001');
    expect(refused).to.deep.include({ status: 503 });
    expect(refused.body).to.include({ status: 'paused' }).and.have.property('error');
    expect((await ask(hub.url, 'GET', '/health', undefined, null)).body).to.include({ paused: true });
    expect((await ask(hub.url, 'POST', '/admin/resume', {}, SERVER_TOKEN)).body).to.include({ paused: false });
    expect((await submit(hub.url, 'd:paused', 'Look up order A-1001')).status).to.equal(202);
  });

  it('logs none of the secrets it was shown', () => {
    const output = hub.output();
    expect(output).to.include('/run');
    for (const secret of [SERVER_TOKEN, CLIENT_TOKEN, SECRET, 'a-wrong-token-of-some-length']) expect(output).to.not.include(secret);
  });
});
