import { expect } from 'chai';
import { until } from '../support/desk.js';
import { ask, eventsOf, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { EXECUTOR_TOKEN } from '../support/shop.js';
import { CLIENT_TOKEN, makeWorld, type World } from '../support/world.js';

describe('journey: a job that nobody begins with', function () {
  this.timeout(20_000);
  let receiver: Receiver;
  let world: World;
  let hub: RunningHub;

  before(async () => {
    receiver = await startReceiver(CLIENT_TOKEN);
    world = await makeWorld({
      hub: `  queue_expiry_ms: 400\n  allow_private_hosts: ['${receiver.host}']`,
      route: `target: away\n    delivery: { type: webhook, url: '${receiver.url}/delivery' }`,
      more: `targets: [{ name: away }]\nexecutor_tokens: [{ name: workers, token: ${EXECUTOR_TOKEN}, allowed_targets: ['*'] }]`,
    });
    hub = await startHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await receiver.close();
  });

  const run = (requestId: string) =>
    ask(hub.url, 'POST', '/run', { request_id: requestId, route: 'orders', input: 'x', callback_url: `${receiver.url}/cb` });

  it('ends with a code and a fix, is audited, called back and delivered', async () => {
    const job = String((await run('late:1')).body.job_id);
    const end = await waitForEnd(hub.url, job);
    expect(end).to.include({
      status: 'error',
      error: 'BAILING_JOB_EXPIRED: Nobody began with this job in time.',
      error_code: 'BAILING_JOB_EXPIRED',
    });
    expect(end.error_fix).to.match(/^See that a worker or an executor/);
    const finished = (await eventsOf(hub.url, job)).find(({ event }) => event === 'finished');
    expect(finished?.detail).to.include({ status: 'error', code: 'BAILING_JOB_EXPIRED', fix: end.error_fix });
    await until(() => receiver.got.length === 2);
    expect(receiver.got.map(({ path, signed, body }) => [path, signed, body.status]).sort()).to.deep.equal([
      ['/cb', true, 'error'],
      ['/delivery', true, 'error'],
    ]);
    await hub.hub.stop();
    expect(hub.logged.filter((line) => line.startsWith('info draining 0 jobs'))).to.have.length(1);
  });
});
