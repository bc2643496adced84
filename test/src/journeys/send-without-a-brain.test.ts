import { expect } from 'chai';
import { admin, deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';
import { CLIENT_TOKEN, SERVER_TOKEN, type World } from '../support/world.js';

const OTHER_TOKEN = 'other-client-token-of-the-tests';

describe('journey: messages that no agent proposes', function () {
  this.timeout(40_000);
  let mailroom: Mailroom;
  let world: World;
  let hub: RunningHub;
  /** Starts in the past, so that the time after which nothing can arrive any more can be made to pass. */
  const clock = { by: -155_000, now: () => Date.now() + clock.by };

  before(async () => {
    mailroom = await startMailroom();
    world = await deskWorld({
      route: 'target_config: { credential: script }\n    delivery: { type: channel, channel: ops, to: boss, to_field: tell }',
      more: [
        'credentials:\n  - { name: script, provider: desk-script }',
        'channels:',
        `  - { name: ops, kind: webhook, timeout_ms: 2000, config: { url: '${mailroom.url}/in', secret: ${CHANNEL_SECRET} } }`,
        `  - { name: closed, kind: webhook, enabled: false, config: { url: '${mailroom.url}/in', secret: ${CHANNEL_SECRET} } }`,
      ].join('\n'),
      clients: `  - { app_id: notifier, token: ${OTHER_TOKEN}, allowed_routes: [orders], allowed_channels: [ops, closed], rate_limit_per_min: 0 }`,
    });
    hub = await deskHub(world, { clock });
  });
  beforeEach(() => {
    mailroom.got.length = 0;
    mailroom.reactions.length = 0;
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await mailroom.close();
  });

  const send = (requestId: string, more: object = {}, token = OTHER_TOKEN) =>
    ask(hub.url, 'POST', '/send', { request_id: requestId, channel: 'ops', to: 'u1|u2', text: 'Hi', ...more }, token);
  const unresolved = async (job: unknown) =>
    ((await admin(hub.url, 'GET', '/unresolved')).body.items as { id: number; job_id: string; attempt: number }[]).find(
      (row) => row.job_id === job,
    );

  describe('POST /send', () => {
    it('sends once however often it is asked under one request_id', async () => {
      const [first, again] = [await send('s:1'), await send('s:1', { text: 'Other words' })];
      expect(first.status, JSON.stringify(first.body)).to.equal(200);
      expect(first.body).to.include({ ok: true, request_id: 's:1', thread_id: null, recipients: 2 });
      expect(again.body).to.deep.equal({ ok: true, job_id: first.body.job_id, request_id: 's:1', status: 'done', deduped: true });
      expect(mailroom.got.map(({ to, text }) => ({ to, text }))).to.deep.equal([{ to: ['u1', 'u2'], text: 'Hi' }]);
      const events = (await eventsOf(hub.url, String(first.body.job_id))).map(({ event }) => event);
      expect(events).to.include.members(['received', 'builtin_send_call', 'builtin_send', 'outbound_sent', 'finished']);
    });

    it('that was sent does not run again, whatever the journal still knows', async () => {
      const sent = await send('s:once');
      const again = await admin(hub.url, 'POST', `/runs/${String(sent.body.job_id)}/rerun`);
      expect([again.status, again.body.code]).to.deep.equal([409, 'BAILING_JOB_RUNS_ONCE']);
      expect((await send('s:once')).body).to.include({ ok: true, status: 'done', deduped: true });
      expect(mailroom.got).to.have.length(1);
    });

    it('stands in the conversation of its recipient, which is the same the next time', async () => {
      const one = await send('t:1', { to: 'u1' });
      expect(one.body.thread_id).to.be.a('number');
      expect((await send('t:2', { to: 'u1', text: 'Again' })).body.thread_id).to.equal(one.body.thread_id);
      expect((await send('t:3', { to: 'u2' })).body.thread_id).to.not.equal(one.body.thread_id);
      const sent = (await eventsOf(hub.url, String(one.body.job_id))).find(({ event }) => event === 'outbound_sent');
      expect(sent?.detail.thread_id).to.equal(one.body.thread_id);
    });

    it('asks who may, through what, and whose request it is', async () => {
      expect((await send('s:2', {}, CLIENT_TOKEN)).body).to.include({ code: 'BAILING_CHANNEL_FORBIDDEN', at: 'channel' });
      expect((await send('s:2', { channel: 'closed' })).body).to.include({ code: 'BAILING_CHANNEL_UNKNOWN' });
      expect((await send('s:1', {}, CLIENT_TOKEN)).status).to.equal(403);
      await admin(hub.url, 'GET', '/runs');
      await ask(hub.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
      expect((await send('s:2')).status).to.equal(503);
      await ask(hub.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
      expect(mailroom.got).to.deep.equal([]);
    });

    it('is stopped by a flag on its channel, and by none that names no channel', async () => {
      const stop = (what: string) => admin(hub.url, 'POST', '/stops', { what });
      expect((await stop('channel:opps')).status).to.equal(400);
      expect((await stop('channel:ops')).status).to.equal(200);
      const stopped = await send('s:5');
      expect(stopped.status).to.equal(502);
      expect(stopped.body.error).to.include('BAILING_CALL_STOPPED');
      await admin(hub.url, 'DELETE', '/stops/channel%3Aops');
      expect((await send('s:6')).status).to.equal(200);
      expect(mailroom.got).to.have.length(1);
    });

    it('is a stored failure where the channel says no, and keeps the fact where it may have arrived', async () => {
      mailroom.reactions.push({ status: 400 });
      const no = await send('s:3');
      expect(no.status).to.equal(502);
      expect(no.body.error).to.include('Not sent: the receiver answered 400');
      expect(no.body).not.to.have.property('governance_state');
      mailroom.reactions.push('hang-up');
      const lost = await send('s:4', { text: 'Lost?' });
      expect(lost.status).to.equal(502);
      expect(lost.body).to.include({ governance_state: 'reconciliation_required', auto_retry_allowed: false });
      const again = await send('s:4');
      expect(again.status).to.equal(200);
      const { status, error, governance_state, tool_execution } = lost.body;
      expect(status).to.equal(undefined);
      expect(again.body).to.deep.include({ ok: false, status: 'error', deduped: true, error, governance_state, tool_execution });
      expect(again.body.auto_retry_allowed).to.equal(false);
      expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['Lost?']);
      const row = await unresolved(lost.body.job_id);
      const word = { verdict: 'applied', evidence: 'u1 has it', attempt: row?.attempt, rerun: true };
      await admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, word);
      await until(async () => (await send('s:4')).body.ok === true);
      expect(mailroom.got).to.have.length(1);
    });
  });

  describe('the delivery of a route', () => {
    const job = (requestId: string, metadata: object = {}) =>
      ask(hub.url, 'POST', '/run', {
        request_id: requestId,
        route: 'orders',
        input: '[]',
        metadata: { operator_uid: 'u-ada', ...metadata },
      });
    const letters = async () =>
      (await admin(hub.url, 'GET', '/delivery-dlq')).body.items as {
        id: number;
        parent_job_id: string;
        error: string;
        channel: string;
        recipient: string;
      }[];

    it('sends the answer of a finished job to whom the metadata names, else to whom the route names', async () => {
      const { body } = await job('d:1', { tell: ['ann', 'bob|ann'] });
      await until(() => mailroom.got.length === 1);
      await job('d:2');
      await until(() => mailroom.got.length === 2);
      expect(mailroom.got.map(({ to, text }) => ({ to, text }))).to.deep.equal([
        { to: ['ann', 'bob'], text: 'nothing was asked' },
        { to: ['boss'], text: 'nothing was asked' },
      ]);
      const [queued] = (await eventsOf(hub.url, String(body.job_id))).filter(({ event }) => event === 'delivery_queued');
      expect(queued?.detail).to.include({ type: 'channel', channel: 'ops', to: 'ann|bob', ok: true });
      const child = await admin(hub.url, 'GET', `/runs/${String(queued?.detail.child_job)}`);
      expect(child.body).to.include({
        request_id: `deliver_${String(body.job_id)}`,
        source: 'delivery',
        target: 'channel-send',
        status: 'done',
      });
    });

    it('delivers the answer of a job that ran again as a message of its own', async () => {
      const payout = { tool: 'refund_execute', arguments: { order_no: 'A-1001', amount: 100, reason: 'late' } };
      const id = await submitScript(hub.url, 'd:5', [[payout]]);
      await until(() => mailroom.got.length === 1);
      const asked = await until(() => world.service.approvals.all().find((row) => row.job_id === id));
      await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved');
      await until(() => mailroom.got.length === 2);
      expect(mailroom.got[0]?.text).to.include('needs approval');
      expect(mailroom.got[1]?.text).to.include('paid out');
    });

    it('is tried again while nobody got anything', async () => {
      mailroom.reactions.push({ status: 503 });
      await job('d:3');
      await until(() => mailroom.got.length === 1);
    });

    it('that failed for good is a dead letter, sent again by a person only once it is known that it did not arrive', async () => {
      mailroom.reactions.push('hang-up');
      const script = await submitScript(hub.url, 'd:4', []);
      expect((await ended(hub.url, script)).status).to.equal('done');
      const letter = await until(async () => (await letters()).find((one) => one.parent_job_id === script));
      expect(letter).to.include({ channel: 'ops', recipient: 'boss', error: 'tool_execution_reconciliation_required' });
      const resend = () => admin(hub.url, 'POST', `/delivery-dlq/${String(letter.id)}/resend`);
      const refused = await resend();
      expect(refused.status).to.equal(502);
      expect(refused.body.error).to.include('settle the unresolved send_message');
      expect(mailroom.got).to.have.length(1);
      const child = (await admin(hub.url, 'GET', `/runs/trace?request_id=deliver_${script}`)).body.job as { job_id: string };
      const row = await unresolved(child.job_id);
      const word = { verdict: 'applied', evidence: 'boss has it', attempt: row?.attempt, rerun: true };
      await admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, word);
      await until(async () => (await resend()).status === 200);
      expect(mailroom.got).to.have.length(1);
    });
  });

  // Runs before the groups above: five minutes pass here, for them too, which none of them minds.
  it('a message settled as not applied ends as not sent, is not sent by itself, and goes out when an operator runs its job again', async () => {
    mailroom.reactions.push('hang-up');
    const lost = await send('n:1', { text: 'Lost' });
    const job = String(lost.body.job_id);
    const row = await unresolved(job);
    clock.by = 155_000;
    const word = { verdict: 'not_applied', evidence: 'u1 has nothing', attempt: row?.attempt, rerun: true };
    const settled = await admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, word);
    expect(settled.body).to.include({ ok: true, rerun: false });
    expect((await send('n:1')).body).to.deep.equal({
      ...{ ok: false, job_id: job, request_id: 'n:1', status: 'error', deduped: true },
      error: 'Not sent: an operator settled it as not applied.',
    });
    expect(mailroom.got).to.have.length(1);
    await admin(hub.url, 'POST', `/runs/${job}/rerun`);
    await until(async () => (await send('n:1')).body.ok === true);
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['Lost', 'Lost']);
    expect(new Set(mailroom.got.map(({ message_id: key }) => key)).size).to.equal(1);
  });
});
