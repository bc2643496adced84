import { expect } from 'chai';
import { until } from '../support/desk.js';
import { ask, eventsOf, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

describe('journey: an alert', function () {
  this.timeout(20_000);
  let receiver: Receiver;
  let world: World;
  let hub: RunningHub;

  before(async () => {
    receiver = await startReceiver(SERVER_TOKEN);
    world = await makeWorld({
      route: `delivery: { type: webhook, url: '${receiver.url}/delivery' }`,
      more: `alert_rules:\n  - { event_prefix: delivery_failed_, url: '${receiver.url}/alerts?key=hidden' }\n  - { event_prefix: spec_, url: '${receiver.url}/spec' }`,
    });
    hub = await startHub(world, { duties: { tickMs: 50 } });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await receiver.close();
  });

  it('is told once, signed by the server token, when a delivery is refused for good, and never because an alert is', async () => {
    receiver.answers.push(410, 410, 410);
    for (const id of ['alert:1', 'alert:2']) {
      const { body } = await ask(hub.url, 'POST', '/run', {
        request_id: id,
        route: 'orders',
        input: 'Hello',
        metadata: { operator_uid: 'u-ada' },
      });
      await waitForEnd(hub.url, String(body.job_id));
      const job = String(body.job_id);
      await until(async () => (await eventsOf(hub.url, job)).some(({ event }) => event === 'delivery_webhook'));
    }
    const [told] = await until(
      () =>
        receiver.got.filter(({ path }) => path === '/alerts?key=hidden').length > 0 &&
        receiver.got.filter(({ path }) => path === '/alerts?key=hidden'),
    );
    expect(told?.signed).to.equal(true);
    expect(told?.body).to.include({ kind: 'alert', key: 'delivery_failed_delivery' });
    expect(Object.keys(told?.body ?? {})).to.deep.equal(['kind', 'key', 'message']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.got.map(({ path }) => path).sort()).to.deep.equal(['/alerts?key=hidden', '/delivery', '/delivery']);
  });
});
