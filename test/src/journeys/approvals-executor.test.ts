import { expect } from 'chai';
import { admin, deskHub, deskWorld, ended, until } from '../support/desk.js';
import { ask, submit } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, type World } from '../support/world.js';

const TOKEN = 'executor-token-of-the-tests-01';
const MORE = `
targets:
  - { name: my-agent }
executor_tokens:
  - { name: workers, token: ${TOKEN}, allowed_targets: [my-agent] }`;
const payout = (amount: number) => ({ order_no: 'A-1001', amount, reason: 'damaged' });

interface Work {
  readonly job_id: string;
  readonly claim_token: string;
  readonly tools: { readonly tool_token: string; readonly invoke_url: string; readonly approved_note?: string };
}

describe('journey: approvals of an executor', function () {
  this.timeout(40_000);
  let world: World;
  let hub: RunningHub;
  before(async () => {
    world = await deskWorld({ more: MORE, route: 'target: my-agent' });
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const claim = async (wait = 5_000) =>
    (await ask(hub.url, 'POST', '/executor/claim', { executor_id: 'w', targets: ['my-agent'], wait_ms: wait }, TOKEN)).body
      .job as Work | null;
  const invoke = (work: Work, args: unknown) =>
    ask(hub.url, 'POST', work.tools.invoke_url, { tool: 'refund_execute', arguments: args }, work.tools.tool_token);
  const report = ({ job_id, claim_token }: Work) =>
    ask(hub.url, 'POST', '/executor/result', { job_id, claim_token, ok: true, output: { text: 'reported' } }, TOKEN);
  const paid = () => world.service.refunds().length;

  async function asked(requestId: string, amount: number): Promise<{ work: Work; id: number }> {
    await submit(hub.url, requestId, 'pay out', { operator_uid: 'u-cleo' });
    const work = await until(() => claim());
    expect(work.tools).to.not.have.property('approved_note');
    const { body } = await invoke(work, payout(amount));
    expect(body).to.include({ ok: false, governance_state: 'approval_pending' });
    return { work, id: Number(body.approval_id) };
  }
  const decide = (id: number) =>
    ask(hub.url, 'POST', `/approvals/${String(id)}/decision`, { decision: 'approved', approver: 'u-cleo' }, CLIENT_TOKEN);

  it('the hub runs the approved call before the job can be claimed, and hands the result over as executed already', async () => {
    const { work, id } = await asked('e:1', 100);
    await report(work);
    expect((await decide(id)).body).to.include({ rerun: true, rerun_when: 'now' });
    await until(() => paid() === 1);
    const again = await until(() => claim());
    expect(again.job_id).to.equal(work.job_id);
    expect(again.tools.approved_note).to.include('already executed: refund_execute').and.include('paid out');
    const repeated = await invoke(again, payout(100));
    expect(repeated.body).to.include({ ok: true, status: 200 });
    expect((await invoke(again, payout(101))).body).to.include({ governance_state: 'approval_pending' });
    await report(again);
    expect(paid()).to.equal(1);
    const last = await ended(hub.url, work.job_id, 1);
    expect(last.text).to.equal('reported');
    expect(last.governance.pending).to.have.length(1);
  });

  it('a decision while the executor works is kept: its report ends that round, the hub runs the call, the job is handed out again', async () => {
    const before = paid();
    const { work, id } = await asked('e:2', 110);
    expect((await decide(id)).body).to.include({ rerun_when: 'at_finish' });
    expect((await report(work)).body).to.deep.equal({ ok: true });
    await until(() => paid() === before + 1);
    const again = await until(() => claim());
    expect([again.job_id, again.claim_token === work.claim_token]).to.deep.equal([work.job_id, false]);
    await report(again);
    expect((await ended(hub.url, work.job_id, 1)).status).to.equal('done');
  });

  it('a denied call is told as denied: in the note, and when it is proposed again', async () => {
    const before = paid();
    const { work, id } = await asked('e:3', 120);
    await report(work);
    await admin(hub.url, 'POST', `/tool-approvals/${String(id)}/deny`, { comment: 'no' });
    expect((await admin(hub.url, 'POST', `/runs/${work.job_id}/rerun`)).status).to.equal(200);
    const again = await until(() => claim());
    expect(again.tools.approved_note).to.include('denied by an approver');
    expect((await invoke(again, payout(120))).body.text).to.match(/denied/);
    await report(again);
    expect(paid()).to.equal(before);
  });
});
