import { expect } from 'chai';
import { admin, deskHub, ended, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const EXECUTOR = 'executor-token-of-the-tests-01';

describe('journey: an answer delivered through an executor', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;
  let receiver: Receiver;
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };

  before(async () => {
    receiver = await startReceiver(SERVER_TOKEN);
    world = await makeWorld({
      hub: '  queue_expiry_ms: 4000',
      route: `target: my-agent
    delivery: { type: sms, to: 'boss|deputy', to_field: tell }
  - { route_key: faxes, target: my-agent, delivery: { type: fax, to: boss } }`,
      more: `targets: [{ name: my-agent }, { name: sms-notify }, { name: fax-notify, enabled: false }]
executor_tokens: [{ name: workers, token: ${EXECUTOR}, allowed_targets: ['*'] }]
alert_rules: [{ event_prefix: delivery_failed_sms, url: '${receiver.url}/alerts' }]`,
    });
    hub = await deskHub(world, { clock, duties: { tickMs: 50 } });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await receiver.close();
  });

  type Item = Record<string, unknown> & { readonly job_id: string; readonly claim_token: string };
  const claim = async (target: string, wait_ms = 10_000): Promise<Item | null> => {
    const { body } = await ask(hub.url, 'POST', '/executor/claim', { executor_id: 'w', targets: [target], wait_ms }, EXECUTOR);
    return body.job as Item | null;
  };
  const report = (item: Item | null, more: object) =>
    ask(hub.url, 'POST', '/executor/result', { job_id: item?.job_id, claim_token: item?.claim_token, ...more }, EXECUTOR);
  /** One job whose executor answers so; answers its id. */
  async function answered(requestId: string, output: object, metadata: object = {}, ok = true, route = 'orders'): Promise<string> {
    const request = { request_id: requestId, route, input: 'Hello', metadata: { operator_uid: 'u-ada', ...metadata } };
    const { body } = await ask(hub.url, 'POST', '/run', request, route === 'orders' ? CLIENT_TOKEN : SERVER_TOKEN);
    await report(await claim('my-agent'), ok ? { ok, output } : { ok, output, error: 'it failed' });
    return String(body.job_id);
  }
  const detailOf = async (job: string, event: string) => (await eventsOf(hub.url, job)).find((one) => one.event === event)?.detail;
  const dead = async () =>
    (await admin(hub.url, 'GET', '/delivery-dlq')).body.items as { id: number; channel: string; recipient: string; error: string }[];

  it('is a job of its own for the target that is named after the type, with the answer as it is', async () => {
    const text = 'Done, see [report.pdf](https://files.example/report.pdf).';
    const job = await answered('x:1', { text }, { tell: ['u-1', 'u-2', 'u-1'] });
    const item = await claim('sms-notify');
    expect(item).to.deep.include({
      ...{ request_id: `deliver_${job}`, target: 'sms-notify', profile: 'delivery', source: 'delivery', input: text },
      ...{ target_config: { type: 'sms', to: 'boss|deputy', to_field: 'tell' }, user_images: [], user_audio: [], user_files: [] },
    });
    expect(item?.metadata).to.include({ to: 'u-1|u-2', parent_job_id: job, parent_request_id: 'x:1' });
    expect(item).not.to.have.property('tools');
    expect(await detailOf(job, 'delivery_queued')).to.include({ type: 'sms', to: 'u-1|u-2', child_job: item?.job_id });
    expect((await report(item, { ok: true, output: { text: 'sent' } })).body).to.deep.equal({ ok: true });
    expect((await ended(hub.url, String(item?.job_id))).status).to.equal('done');
    // What is delivered is not delivered again.
    expect((await admin(hub.url, 'POST', `/runs/${String(item?.job_id)}/rerun`)).body).to.include({ code: 'BAILING_JOB_RUNS_ONCE' });
    expect(await claim('sms-notify', 300)).to.equal(null);
  });

  it('is not made of a failure, of nothing, or where nobody wants it', async () => {
    await answered('x:2', {}, {}, false);
    await answered('x:3', { text: ' ' });
    const unwanted = await answered('x:4', { text: 'Done.' }, { no_delivery: true });
    expect(await claim('sms-notify', 500)).to.equal(null);
    expect(await detailOf(unwanted, 'delivery_skipped')).to.include({ type: 'sms', reason: 'no_delivery' });
  });

  it('that an executor fails is tried twice more; then it is a dead letter that says it may have been sent, and can be sent again', async () => {
    const job = await answered('x:5', { text: 'Done.' });
    const first = await claim('sms-notify');
    expect(first?.metadata).to.include({ to: 'boss|deputy' });
    expect((await report(first, { ok: false, output: {}, error: 'no credit' })).body).to.include({ retried: true });
    for (let left = 2; left > 0; left -= 1) {
      const again = await claim('sms-notify');
      expect(again?.job_id).to.equal(first?.job_id);
      await report(again, { ok: false, output: {}, error: 'no credit' });
    }
    expect(await ended(hub.url, String(first?.job_id))).to.include({ status: 'error', error: 'no credit' });
    const [letter] = await until(async () => (await dead()).length === 1 && dead());
    expect(letter).to.include({ channel: 'sms-notify', recipient: 'boss|deputy', error: 'no credit (it may have been sent)' });
    expect(await detailOf(job, 'delivery_error')).to.include({ possibly_sent: true, final: true });
    const [told] = await until(() => receiver.got.length > 0 && receiver.got);
    expect(told?.body).to.include({ kind: 'alert', key: 'delivery_failed_sms-notify' });
    const resent = admin(hub.url, 'POST', `/delivery-dlq/${String(letter?.id)}/resend`, {});
    const second = await claim('sms-notify');
    expect(second?.job_id).not.to.equal(first?.job_id);
    expect(second).to.include({ request_id: `deliver_${job}:r2`, input: 'Done.' });
    expect((await resent).body).to.include({ ok: true });
    await report(second, { ok: true, output: {} });
    expect(await dead()).to.deep.equal([]);
  });

  it('that nobody begins with, or that has no target, was not sent, and its dead letter says so', async () => {
    const job = await answered('x:6', { text: 'Late.' });
    await until(async () => (await detailOf(job, 'delivery_queued')) !== undefined);
    clock.ahead += 5_000;
    const [late] = await until(async () => (await dead()).length === 1 && dead());
    expect(late?.error)
      .to.match(/^BAILING_JOB_EXPIRED/)
      .and.not.include('may have been sent');
    expect(await detailOf(job, 'delivery_error')).to.include({ possibly_sent: false });
    await answered('x:7', { text: 'To nobody.' }, {}, true, 'faxes');
    const [none] = await until(async () => (await dead()).length === 2 && dead());
    expect(none).to.include({
      channel: 'fax-notify',
      recipient: 'boss',
      error: 'the target fax-notify is not there or is disabled; nothing was sent',
    });
  });
});
