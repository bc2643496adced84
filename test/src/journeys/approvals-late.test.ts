import { expect } from 'chai';
import { toolDocument } from '@bailing/example-orders-service';
import { bailing } from '../support/cli.js';
import { admin, deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import type { World, WorldOptions } from '../support/world.js';

const payout = (amount: number) => ({
  tool: 'refund_execute',
  arguments: { order_no: 'A-1001', amount, reason: `payout of ${String(amount)}` },
});

describe('journey: approvals that wait', function () {
  this.timeout(120_000);
  let world: World | undefined;
  let hub: RunningHub | undefined;
  afterEach(async () => {
    await hub?.hub.stop();
    await world?.close();
    hub = world = undefined;
  });

  async function open(options: WorldOptions & { expiresAfterMs?: number } = {}): Promise<{ world: World; hub: RunningHub }> {
    world = await deskWorld(options);
    hub = await deskHub(world);
    return { world, hub };
  }
  const names = async (url: string, job: string) => (await eventsOf(url, job)).map(({ event }) => event);

  it('approve from the command line: list, show whole, approve; the hub runs the call', async () => {
    const { world, hub } = await open({ approval: () => '{ type: console }' });
    const job = await submitScript(hub.url, 'l:1', [[payout(100)]]);
    await ended(hub.url, job);
    await until(async () => (await names(hub.url, job)).includes('approval_notify_skipped'));
    const listed = await bailing(hub.url, 'approvals', 'list');
    expect(listed.out).to.include('Pay out 100 for order A-1001: payout of 100');
    const shown = await bailing(hub.url, 'approvals', 'show', '1');
    expect(shown.out).to.include('POST /refunds').and.include('"amount":100').and.include('u-cleo');
    const approved = await bailing(hub.url, 'approvals', 'approve', '1', '--as', 'boss', '--comment', 'ok');
    expect(approved.out.trim()).to.equal('Approval 1 is approved. Its job runs again now.');
    const last = await ended(hub.url, job, 1);
    expect(last.governance.decisions[0]).to.include({ approver: 'boss', comment: 'ok' });
    expect(world.service.refunds()).to.have.length(1);
    const again = await bailing(hub.url, 'approvals', 'deny', '1');
    expect(again.code).to.equal(1);
    expect(again.out).to.include('already decided');
    expect((await bailing(hub.url, 'approvals', 'list', '--status', 'all', '--json')).out).to.include('"used_at": "');
    expect((await bailing(hub.url, 'outbox', 'list')).out.trim()).to.equal('Nothing failed to be sent.');
  });

  it('expire: the question ends by its stored time, a late decision is refused by name, and the call can be asked anew', async () => {
    const { world, hub } = await open({ expiresAfterMs: 1_000 });
    const job = await submitScript(hub.url, 'l:2', [[payout(100)]]);
    await ended(hub.url, job);
    const asked = await until(() => world.service.approvals.all()[0]);
    await until(async () => (await names(hub.url, job)).includes('tool_approval_expired'));
    const late = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved');
    expect([late.status, late.body.code]).to.deep.equal([409, 'BAILING_APPROVAL_EXPIRED']);
    const end = await ended(hub.url, job);
    expect(end.governance.decisions[0]).to.include({ decision: 'expired' });
    await admin(hub.url, 'POST', `/runs/${job}/rerun`);
    await until(() => world.service.approvals.all()[1]);
    expect(world.service.refunds()).to.deep.equal([]);
  });

  it('a document tightened while it waited makes it void by name; approving it runs nothing', async () => {
    let tight = false;
    const document = () => (tight ? tightened() : toolDocument());
    const { world, hub } = await open({ service: { document } });
    const job = await submitScript(hub.url, 'l:3', [[payout(100)]]);
    await ended(hub.url, job);
    const asked = await until(() => world.service.approvals.all()[0]);
    await hub.hub.stop();
    tight = true;
    const next = await deskHub(world);
    const decided = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved');
    expect([decided.status, decided.body.code]).to.deep.equal([409, 'BAILING_APPROVAL_VOID']);
    const end = await ended(next.url, job);
    expect(end.governance.decisions[0]).to.include({ decision: 'void', reason: 'fingerprint_changed' });
    expect(world.service.refunds()).to.deep.equal([]);
    await next.hub.stop();
  });

  it('approve after a restart: question, notification and decision outlive the process', async () => {
    let down = true;
    const { world, hub } = await open({ service: { onQuestion: () => (down ? 503 : undefined) } });
    const job = await submitScript(hub.url, 'l:4', [[payout(100)]]);
    await ended(hub.url, job);
    await until(async () => (await names(hub.url, job)).includes('approval_intent_webhook'));
    await hub.hub.stop();
    down = false;
    const next = await deskHub(world);
    const asked = await until(() => world.service.approvals.all()[0]);
    expect((await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved')).body).to.include({ rerun: true });
    await ended(next.url, job, 1);
    expect(world.service.refunds()).to.have.length(1);
    await next.hub.stop();
  });

  it('a decision while the job still works is kept: the job runs again when it ends', async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const { world, hub } = await open({ service: { onCall: async (tool) => (tool === 'order_read' ? waiting : undefined) } });
    const job = await submitScript(hub.url, 'l:5', [[payout(100)], [{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]]);
    const asked = await until(() => world.service.approvals.all()[0]);
    const answer = await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved');
    expect(answer.body).to.include({ rerun: true, rerun_when: 'at_finish' });
    expect(world.service.refunds()).to.deep.equal([]);
    release();
    const last = await ended(hub.url, job, 1);
    expect(last.status).to.equal('done');
    expect(world.service.refunds()).to.have.length(1);
  });

  it('a question that cannot be delivered becomes a dead letter; sent again by hand it arrives and is decided', async () => {
    let status: number | undefined = 404;
    const { world, hub } = await open({ service: { onQuestion: () => status } });
    const job = await submitScript(hub.url, 'l:6', [[payout(100)]]);
    await ended(hub.url, job);
    const dead = await until(async () => ((await admin(hub.url, 'GET', '/delivery-dlq')).body.items as { id: number; error: string }[])[0]);
    expect(dead.error).to.include('404');
    expect((await bailing(hub.url, 'outbox', 'list')).out).to.include('404');
    const failed = await bailing(hub.url, 'outbox', 'resend', String(dead.id));
    expect(failed.code).to.equal(1);
    expect(failed.out).to.include('404');
    status = undefined;
    expect((await bailing(hub.url, 'outbox', 'resend', String(dead.id))).out).to.include('was sent');
    expect((await admin(hub.url, 'POST', `/delivery-dlq/${String(dead.id)}/resend`)).body).to.include({
      ok: true,
      note: 'it is not a dead letter: it was sent',
    });
    const again = await bailing(hub.url, 'outbox', 'resend', String(dead.id));
    expect([again.code, again.out.includes('was not sent now')]).to.deep.equal([1, true]);
    const asked = world.service.approvals.all()[0]!;
    expect(asked.deliveries).to.equal(1);
    await world.service.approvals.decide(asked.approval_id, 'u-cleo', 'approved');
    await ended(hub.url, job, 1);
    expect(await names(hub.url, job)).to.include.members(['dlq_resend_ok', 'dlq_resend_failed']);
  });
});

function tightened(): object {
  const document = structuredClone(toolDocument()) as {
    paths: Record<string, { post?: { 'x-agent-capability': Record<string, unknown> } }>;
  };
  const acc = document.paths['/refunds']?.post?.['x-agent-capability'];
  if (acc) acc['audit'] = { sensitive: true };
  return document;
}
