import { expect } from 'chai';
import { until } from '../support/desk.js';
import { ask, eventsOf, submit, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';
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

describe('journey: what no single line of the ledger says, told to people through a channel', function () {
  this.timeout(30_000);
  const EXECUTOR = 'executor-token-of-the-tests-01';
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  let mailroom: Mailroom;
  let world: World;
  const hubs: RunningHub[] = [];
  const first = () => hubs[0]?.url ?? '';

  before(async () => {
    mailroom = await startMailroom(clock.now);
    world = await makeWorld({
      route: `target_config: { credential: nowhere }`,
      more: `targets: [{ name: my-agent }]
executor_tokens: [{ name: workers, token: ${EXECUTOR}, allowed_targets: [my-agent] }]
credentials: [{ name: nowhere, provider: openai, base_url: 'http://127.0.0.1:9/v1', default_model: m }]
channels:
  - { name: ops, kind: webhook, config: { url: '${mailroom.url}', secret: ${CHANNEL_SECRET} } }
  - { name: nowhere, kind: webhook, config: { url: 'http://127.0.0.1:9/', secret: ${CHANNEL_SECRET} } }
alert_rules:
  - { event_prefix: executor_offline_, channel: ops, recipients: [u-1, u-2] }
  - { event_prefix: executor_offline_lost, channel: nowhere, recipients: [u-4] }
  - { event_prefix: error_burst, channel: ops, recipients: [u-3] }`,
    });
    for (let i = 0; i < 2; i += 1) hubs.push(await startHub(world, { clock, duties: { tickMs: 50 } }));
  });
  after(async () => {
    await Promise.all(hubs.map(({ hub }) => hub.stop()));
    await world.close();
    await mailroom.close();
  });

  const claim = (executor_id: string) =>
    ask(first(), 'POST', '/executor/claim', { executor_id, targets: ['my-agent'], wait_ms: 0 }, EXECUTOR);
  const told = (word: string) => mailroom.got.filter(({ text }) => text.includes(word));
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 400));

  it('an executor that came and comes no more is told once, by one of two hubs, to everyone of the rule', async () => {
    expect((await claim('worker-01')).body).to.deep.equal({ job: null });
    await quiet();
    expect(mailroom.got).to.deep.equal([]);
    clock.ahead += 6 * 60_000;
    expect((await claim('worker-02')).status).to.equal(200);
    await until(() => told('worker-01').length > 0);
    clock.ahead += 2 * 60_000;
    await quiet();
    expect(mailroom.got.map(({ to, text }) => [to, text.split('\n').at(-1)])).to.deep.equal([
      [['u-1', 'u-2'], '(executor_offline_worker-01)'],
    ]);
  });

  it('five failed jobs are told once; a channel that refuses is a dead letter, not one more alert', async () => {
    mailroom.reactions.push({ status: 410 }, { status: 410 });
    for (let i = 0; i < 5; i += 1) {
      const { body } = await submit(first(), `burst:${String(i)}`, 'Hello');
      expect((await waitForEnd(first(), String(body.job_id))).status).to.equal('error');
    }
    clock.ahead += 60_000;
    const dead = await until(async () => {
      const { body } = await ask(first(), 'GET', '/admin/api/delivery-dlq', undefined, SERVER_TOKEN);
      const items = body.items as {
        readonly channel: string;
        readonly recipient: string;
        readonly id: number;
        readonly attempts: number;
      }[];
      return items.length > 0 && items;
    });
    expect(dead.map(({ channel, recipient, attempts }) => [channel, recipient, attempts])).to.deep.equal([['ops', 'u-3', 1]]);
    clock.ahead += 2 * 60_000;
    await quiet();
    expect(told('error_burst')).to.deep.equal([]);
    mailroom.reactions.length = 0;
    await ask(first(), 'POST', `/admin/api/delivery-dlq/${String(dead[0]?.id)}/resend`, {}, SERVER_TOKEN);
    const [again] = await until(() => told('error_burst').length > 0 && told('error_burst'));
    expect(again?.to).to.deep.equal(['u-3']);
    expect(again?.text).to.match(/^At least 5 jobs have failed within fifteen minutes, among them [0-9a-f-]{36}/);
  });

  it('what may have been sent is a dead letter that says so, with nothing to settle, and is sent again by a person only', async () => {
    const missed = async (word: string) => {
      const { body } = await ask(first(), 'GET', '/admin/api/delivery-dlq', undefined, SERVER_TOKEN);
      return (
        body.items as { readonly id: number; readonly error: string; readonly attempts: number; readonly content_preview: string }[]
      ).find(({ content_preview: text }) => text.includes(word));
    };
    const unresolved = async () => (await ask(first(), 'GET', '/admin/api/unresolved', undefined, SERVER_TOKEN)).body.items;
    mailroom.reactions.push({ status: 500 });
    expect((await claim('worker-03')).status).to.equal(200);
    clock.ahead += 6 * 60_000;
    const letter = await until(() => missed('worker-03'));
    expect(letter).to.include({ attempts: 1 });
    expect(letter.error).to.match(/^It may have been sent \(/);
    expect(await unresolved()).to.deep.equal([]);
    mailroom.reactions.push({ status: 503 }, { status: 503 });
    expect((await claim('worker-04')).status).to.equal(200);
    clock.ahead += 6 * 60_000;
    await quiet();
    clock.ahead += 60_000;
    const refused = await until(() => missed('worker-04'));
    expect(refused).to.include({ attempts: 2 });
    expect(refused.error).to.match(/^Not sent: /);
    expect((await claim('lost-01')).status).to.equal(200);
    clock.ahead += 6 * 60_000;
    await until(() => told('lost-01').length > 0);
    await quiet();
    clock.ahead += 60_000;
    expect(await until(() => missed('lost-01'))).to.include({ channel: 'nowhere', attempts: 2 });
    expect(told('worker-03')).to.deep.equal([]);
    await ask(first(), 'POST', `/admin/api/delivery-dlq/${String(letter.id)}/resend`, {}, SERVER_TOKEN);
    await until(() => told('worker-03').length > 0);
    expect(await unresolved()).to.deep.equal([]);
  });
});
