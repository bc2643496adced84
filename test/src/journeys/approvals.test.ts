import { signDecision } from '@bailing/verifier';
import { expect } from 'chai';
import { admin, deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, type World } from '../support/world.js';

const payout = (amount: number, order = 'A-1001') => ({
  tool: 'refund_execute',
  arguments: { order_no: order, amount, reason: `payout of ${String(amount)}` },
});

describe('journey: approvals that hold', function () {
  this.timeout(40_000);
  let world: World;
  let hub: RunningHub;
  before(async () => {
    world = await deskWorld();
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const question = (job: string, nth = 0) => until(() => world.service.approvals.all().filter((row) => row.job_id === job)[nth]);
  const paid = () => world.service.refunds().filter(({ status }) => status === 'paid_out');
  const names = async (job: string) => (await eventsOf(hub.url, job)).map(({ event }) => event);

  it('is asked by signed webhook with the whole call, decided by the business, and run by the hub itself, once', async () => {
    const job = await submitScript(hub.url, 'a:1', [[payout(100)]]);
    const first = await ended(hub.url, job);
    expect(first.governance.pending).to.have.length(1);
    expect(world.arrived).to.deep.equal([]);
    const asked = await question(job);
    const request = JSON.parse(asked.request) as Record<string, unknown>;
    expect(request).to.include({ kind: 'tool_approval_request', subject: 'u-cleo', tool: 'refund_execute', risk: 'high' });
    expect(request.args).to.deep.equal({ order_no: 'A-1001', amount: 100, reason: 'payout of 100' });
    const { intent } = request as { intent: { approval_id: number; request: { method: string; target: string; body: string } } };
    expect(intent.approval_id).to.equal(asked.approval_id);
    expect(intent.request).to.include({ method: 'POST', target: '/refunds' });
    expect(JSON.parse(intent.request.body)).to.deep.equal(request.args);

    expect((await world.service.approvals.decide(asked.approval_id, 'u-ada', 'approved')).status).to.equal(403);
    const answer = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved', 'fine');
    expect(answer.body).to.include({ ok: true, status: 'approved', idempotent: false, rerun: true });
    const last = await ended(hub.url, job, 1);
    expect(last.status).to.equal('done');
    expect(paid().filter(({ job_id: id }) => id === job)).to.have.length(1);
    expect(last.governance.executed[0]).to.include({ approval_id: asked.approval_id, ok: true, status: 200 });
    expect(last.governance.decisions[0]).to.include({ decision: 'approved', approver: 'u-cleo' });
    expect(last.governance.pending).to.deep.equal([]);
    // The brain repeated its call and got the recorded result instead of a second payout.
    expect(await names(job)).to.include.members([
      'approval_intent_webhook',
      'tool_approved_external',
      'rerun',
      'tool_call',
      'tool_call_deduped',
    ]);
    expect(last.text).to.include('paid out');
    const call = (await eventsOf(hub.url, job)).find(({ event }) => event === 'tool_call');
    expect(call?.detail).to.include({ approval_id: asked.approval_id });

    const again = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved', 'fine');
    expect(again.body).to.include({ idempotent: true, rerun: false });
    const other = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'denied');
    expect(other.status).to.equal(409);
    expect(other.body).to.include({ code: 'BAILING_APPROVAL_CONFLICT', status: 'approved' });
  });

  it('is denied: the result stands, nothing runs, and the same call proposed again is answered as denied', async () => {
    const job = await submitScript(hub.url, 'a:2', [[payout(110)]]);
    await ended(hub.url, job);
    const asked = await question(job);
    expect((await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'denied', 'no')).body).to.include({
      status: 'denied',
      rerun: false,
    });
    const before = await ended(hub.url, job);
    expect(before.governance.decisions[0]).to.include({ decision: 'denied', approver: 'u-cleo', comment: 'no' });
    expect((await admin(hub.url, 'POST', `/runs/${job}/rerun`)).body).to.include({ ok: true, status: 'queued' });
    const after = await until(async () =>
      (await names(job)).filter((event) => event === 'finished').length > 1 ? ended(hub.url, job) : null,
    );
    expect(after.text).to.match(/denied/);
    expect(after.governance.pending).to.deep.equal([]);
    expect(paid().filter(({ job_id: id }) => id === job)).to.have.length(0);
  });

  it('two approvals in one turn are handled one by one: the granted one runs once, the refused one never', async () => {
    const job = await submitScript(hub.url, 'a:3', [[payout(120), payout(130)]]);
    expect((await ended(hub.url, job)).governance.pending).to.have.length(2);
    const [yes, no] = [await question(job, 0), await question(job, 1)];
    await world.service.approvals.decide(no.approval_id, 'u-cleo', 'denied');
    await world.service.approvals.decide(yes.approval_id, 'u-cleo', 'approved');
    const last = await ended(hub.url, job, 1);
    expect(
      paid()
        .filter(({ job_id: id }) => id === job)
        .map(({ amount_cents: cents }) => cents),
    ).to.deep.equal([12_000]);
    expect(last.text.split('\n')).to.have.length(2);
    expect(last.text).to.include('paid out').and.include('denied');
  });

  it('both granted run in the order they were asked, each once', async () => {
    const job = await submitScript(hub.url, 'a:4', [[payout(140), payout(150)]]);
    await ended(hub.url, job);
    const rows = [await question(job, 0), await question(job, 1)];
    await Promise.all(rows.map(({ approval_id: id }) => world.service.approvals.decide(id, 'u-cleo', 'approved')));
    await ended(hub.url, job, 2);
    expect(
      paid()
        .filter(({ job_id: id }) => id === job)
        .map(({ amount_cents: cents }) => cents)
        .sort(),
    ).to.deep.equal([14_000, 15_000]);
  });

  it('a changed call is a new question', async () => {
    const job = await submitScript(hub.url, 'a:5', [[payout(160)], [payout(161)]]);
    expect((await ended(hub.url, job)).governance.pending).to.have.length(2);
    await world.service.approvals.decide((await question(job, 0)).approval_id, 'u-cleo', 'approved');
    const last = await ended(hub.url, job, 1);
    expect(last.governance.pending).to.have.length(1);
    expect(paid().filter(({ job_id: id }) => id === job)).to.have.length(1);
  });

  describe('the door of a decision', () => {
    const body = { decision: 'approved', approver: 'u-cleo' };
    const decide = (id: number | string, more: object = {}, token: string | null = CLIENT_TOKEN) =>
      ask(hub.url, 'POST', `/approvals/${String(id)}/decision`, { ...body, ...more }, token);
    let job: string;
    let id: number;
    before(async () => {
      job = await submitScript(hub.url, 'a:6', [[payout(170)], [payout(171)]]);
      await ended(hub.url, job);
      id = (await question(job, 0)).approval_id;
    });

    it('tells nobody without a credential whether an approval exists', async () => {
      const answers = await Promise.all([
        decide(id, {}, null),
        decide(999_999, {}, null),
        decide('x', {}, null),
        decide(id, {}, 'a-wrong-token-of-some-length'),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).to.equal(1);
      expect((await decide(999_999)).status).to.equal(404);
    });

    it('takes a signature once, for one approval: the same signed body on another one is refused', async () => {
      const other = (await question(job, 1)).approval_id;
      const { body: full } = signDecision(CLIENT_TOKEN, {
        approvalId: id,
        jobId: job,
        requestId: 'a:6',
        argsHash: 'a'.repeat(64),
        decisionId: 'd',
        decision: 'denied',
        approver: 'u',
      });
      const short = JSON.stringify({ decision: 'approved', approver: 'u-cleo' });
      const timestamp = String(Date.now());
      const headers = await signatureOf(short, timestamp);
      const send = (approval: number, text = short, more: Record<string, string> = headers) =>
        fetch(`${hub.url}/approvals/${String(approval)}/decision`, { method: 'POST', headers: more, body: text });
      expect((await send(id, full)).status).to.equal(401);
      expect((await send(id, short, { ...headers, 'x-bailing-timestamp': String(Date.now() - 400_000) })).status).to.equal(401);
      const first = await send(id);
      expect(first.status).to.equal(200);
      expect((await send(other)).status).to.equal(401);
      expect(((await (await send(id)).json()) as { idempotent: boolean }).idempotent).to.equal(true);
      expect((await admin(hub.url, 'GET', `/tool-approvals/${String(other)}`)).body.status).to.equal('pending');
    });

    it('refuses what does not match, and a decision id used elsewhere', async () => {
      const other = (await question(job, 1)).approval_id;
      expect((await decide(other, { args_hash: 'b'.repeat(64) })).body).to.include({ at: 'args_hash' });
      expect((await decide(other, { decision: 'maybe' })).status).to.equal(400);
      expect((await decide(other, { approver: '' })).status).to.equal(400);
      const taken = (await admin(hub.url, 'GET', `/tool-approvals/${String(id)}`)).body.decision_id;
      const used = await decide(other, { decision_id: taken });
      expect([used.status, used.body.code, used.body.approval_id]).to.deep.equal([409, 'BAILING_APPROVAL_DECISION_ID_USED', id]);
    });
  });

  it('approves and denies at the desk of the hub, and says so in events of its own', async () => {
    const job = await submitScript(hub.url, 'a:7', [[payout(180)]]);
    await ended(hub.url, job);
    const { approval_id: id } = await question(job);
    const listed = (await admin(hub.url, 'GET', '/tool-approvals?status=pending')).body as unknown as { id: number }[];
    expect(listed.map((row) => row.id)).to.include(id);
    expect((await admin(hub.url, 'POST', `/tool-approvals/${String(id)}/approve`, { approver: 'boss' })).body).to.include({ rerun: true });
    await ended(hub.url, job, 1);
    expect(await names(job)).to.include('tool_approved');
    expect((await admin(hub.url, 'POST', `/tool-approvals/${String(id)}/approve`)).status).to.equal(400);
  });
});

async function signatureOf(body: string, timestamp: string): Promise<Record<string, string>> {
  const { signCallback } = await import('@bailing/verifier');
  return { 'x-bailing-timestamp': timestamp, 'x-bailing-signature': signCallback(CLIENT_TOKEN, { timestamp, rawBody: Buffer.from(body) }) };
}
