import { expect } from 'chai';
import { admin, deskHub, ended, SCRIPTED, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

describe('The end of a job is told', function () {
  this.timeout(30_000);
  let receiver: Receiver;
  let world: World;
  let hub: RunningHub;
  const script = '[[{ "tool": "order_read", "arguments": { "order_no": "A-1001" } }]]';

  before(async () => {
    receiver = await startReceiver(CLIENT_TOKEN);
    world = await makeWorld({
      ...SCRIPTED,
      hub: `  allow_private_hosts: ['${receiver.host}']`,
      route: `${SCRIPTED.route}\n    delivery: { type: webhook, url: '${receiver.url}/delivery' }\n    name: Orders`,
    });
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await receiver.close();
  });

  const run = (requestId: string, more: object = {}) =>
    ask(hub.url, 'POST', '/run', { request_id: requestId, route: 'orders', input: script, metadata: { operator_uid: 'u-ada' }, ...more });
  const at = (path: string) => receiver.got.filter((one) => one.path === path);

  it('posts the job object, signed by the client’s token, and delivers the text of the answer', async () => {
    const { body } = await run('cb:1', { callback_url: `${receiver.url}/cb?key=hidden` });
    const job = String(body.job_id);
    const end = await ended(hub.url, job);
    const [told] = await until(() => at('/cb?key=hidden').length === 1 && at('/cb?key=hidden'));
    expect(told?.signed).to.equal(true);
    expect(told?.body).to.deep.equal((await ask(hub.url, 'GET', `/jobs/${job}`)).body);
    expect(told?.body).to.include({ job_id: job, status: 'done', callback_url: `${receiver.url}/cb?key=hidden` });
    const [delivered] = await until(() => at('/delivery').length === 1 && at('/delivery'));
    expect(delivered?.signed).to.equal(true);
    expect(delivered?.body).to.include({
      kind: 'delivery',
      job_id: job,
      route_name: 'Orders',
      status: 'done',
      text: end.text,
      error: null,
    });
    const noted = await until(async () => {
      const found = (await eventsOf(hub.url, job)).filter(({ event }) => event === 'callback' || event === 'delivery_webhook');
      return found.length === 2 && found;
    });
    for (const { detail } of noted) expect(detail).to.include({ ok: true, attempt: 1, status: 200 });
    expect(JSON.stringify(noted)).not.to.contain('hidden');
  });

  it('sends the same bytes again where the receiver stumbles, and gives up at once where it refuses', async () => {
    receiver.answers.push(503, 503);
    const { body } = await run('cb:2', { callback_url: `${receiver.url}/again` });
    await ended(hub.url, String(body.job_id));
    await until(() => at('/again').length === 2 && at('/delivery').length === 3);
    expect(new Set(at('/again').map(({ text }) => text)).size).to.equal(1);
    expect(at('/again').every(({ signed }) => signed)).to.equal(true);
    receiver.answers.push(410, 410);
    const gone = await run('cb:3', { callback_url: `${receiver.url}/gone` });
    await ended(hub.url, String(gone.body.job_id));
    const dead = await until(async () => {
      const { items } = (await admin(hub.url, 'GET', '/delivery-dlq')).body as unknown as { items: { parent_job_id: string }[] };
      return items.filter((one) => one.parent_job_id === gone.body.job_id).length === 2;
    });
    expect([dead, at('/gone').length]).to.deep.equal([true, 1]);
  });

  it('does not deliver what was not to be delivered, and delivers it when it runs again', async () => {
    const before = at('/delivery').length;
    const { body } = await run('cb:4', { metadata: { operator_uid: 'u-ada', no_delivery: true } });
    const job = String(body.job_id);
    await ended(hub.url, job);
    const skipped = await until(async () => (await eventsOf(hub.url, job)).find(({ event }) => event === 'delivery_skipped'));
    expect(skipped.detail).to.include({ reason: 'no_delivery' });
    expect(at('/delivery')).to.have.length(before);
    expect((await admin(hub.url, 'POST', `/runs/${job}/rerun`)).body).to.deep.equal({ ok: true, job_id: job, status: 'queued' });
    await until(() => at('/delivery').length === before + 1);
    expect(at('/delivery').at(-1)?.body.metadata).to.not.have.property('no_delivery');
  });

  it('never reaches a private host only because a request names it', async () => {
    const other = await startReceiver(SERVER_TOKEN);
    try {
      const { body } = await run('cb:5', { callback_url: `${other.url}/inside` });
      await ended(hub.url, String(body.job_id));
      const told = await until(async () => (await eventsOf(hub.url, String(body.job_id))).find(({ event }) => event === 'callback'));
      expect(told.detail).to.include({ ok: false });
      expect(other.got).to.have.length(0);
    } finally {
      await other.close();
    }
  });
});
