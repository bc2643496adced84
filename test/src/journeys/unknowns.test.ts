import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { admin, deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { eventsOf, waitForEnd } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import type { World, WorldOptions } from '../support/world.js';

const LATE_MS = 1_400;
const write = { tool: 'refund_request_create', arguments: { order_no: 'A-1001', amount: 300, reason: 'damaged' } };
const payout = { tool: 'refund_execute', arguments: { order_no: 'A-1001', amount: 200, reason: 'damaged' } };

interface Row {
  readonly id: number;
  readonly attempt: number;
  readonly idempotency_key: string;
  readonly evidence: { readonly finding: string } | null;
}

describe('journey: unknown writes that get settled', function () {
  this.timeout(120_000);
  let world: World | undefined;
  let hub: RunningHub | undefined;
  afterEach(async () => {
    await hub?.hub.stop();
    await world?.close();
    hub = world = undefined;
  });

  /** The business answers its first write too late for the hub; `lost`: and does not even do it. */
  async function open(lost: boolean, options: WorldOptions = {}, clock?: { now(): number }) {
    let first = true;
    const onCall = async (tool: string) => {
      if (!tool.startsWith('refund') || !first) return;
      first = false;
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      // Lost on its way in: nothing is done and nobody answers any more.
      if (lost) await new Promise(() => undefined);
    };
    world = await deskWorld({ timeoutMs: 1_000, service: { onCall }, ...options });
    hub = await deskHub(world, clock ? { clock } : {});
    return { world, hub };
  }
  const rows = async (url: string) => (await admin(url, 'GET', '/unresolved')).body.items as Row[];
  const named = async (url: string, job: string, event: string) => (await eventsOf(url, job)).filter((one) => one.event === event);

  it('by the probe: the hub asks the business signed, by the key, finds it, settles, and the job goes on to its answer', async () => {
    const { world, hub } = await open(false, { provider: 'reconcile: settle' });
    const job = await submitScript(hub.url, 'u:1', [[write]]);
    expect(await waitForEnd(hub.url, job)).to.include({ status: 'error', error: 'tool_execution_reconciliation_required' });
    const last = await until(async () => {
      const end = await ended(hub.url, job);
      return end.status === 'done' && end;
    }, 30_000);
    expect(last.text).to.include('Settled as applied by evidence-probe');
    expect(world.service.refunds()).to.have.length(1);
    expect(await rows(hub.url)).to.deep.equal([]);
    const [settled] = await named(hub.url, job, 'tool_execution_settled');
    expect(settled?.detail).to.include({ verdict: 'applied', by: 'evidence-probe', attempt: 1 });
    expect(await named(hub.url, job, 'tool_call')).to.have.length(1);
    expect(world.arrived.filter((tool) => tool === 'write_lookup').length).to.be.greaterThan(0);
  });

  it('only with evidence where the provider does not opt in: it is kept with the row, and a person decides', async () => {
    const { world, hub } = await open(false);
    const job = await submitScript(hub.url, 'u:2', [[write]]);
    await waitForEnd(hub.url, job);
    const row = await until(async () => (await rows(hub.url)).find(({ evidence }) => evidence?.finding === 'applied'), 30_000);
    expect((await waitForEnd(hub.url, job)).status).to.equal('error');
    const listed = await bailing(hub.url, 'unresolved', 'list');
    expect(listed.out).to.include(row.idempotency_key).and.include('"finding":"applied"');
    const settled = await bailing(
      hub.url,
      'unresolved',
      'settle',
      String(row.id),
      '--verdict',
      'applied',
      '--evidence',
      'RF-1 is in our table',
      '--as',
      'ann',
    );
    expect(settled.out.trim()).to.equal('refund_request_create (1) is settled as applied. Its job goes on.');
    const last = await until(async () => {
      const end = await ended(hub.url, job);
      return end.status === 'done' && end;
    });
    expect(last.text).to.include('RF-1 is in our table');
    expect(world.service.refunds()).to.have.length(1);
    expect((await bailing(hub.url, 'unresolved', 'list')).out.trim()).to.equal('No write is unresolved.');
  });

  it('by hand as not applied: refused while the business would still accept it, then one fresh dispatch under the same key', async () => {
    const clock = shifted(-155_000);
    const { world, hub } = await open(true, { provider: 'reconcile: off' }, clock);
    const job = await submitScript(hub.url, 'u:3', [[write]]);
    await waitForEnd(hub.url, job);
    const [row] = await rows(hub.url);
    const settle = (body: object) =>
      admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, { evidence: 'no such refund', ...body });
    const early = await settle({ verdict: 'not_applied' });
    expect([early.status, early.body.code]).to.deep.equal([409, 'BAILING_SETTLE_TOO_EARLY']);
    expect((await settle({ verdict: 'unknown' })).body).to.include({ ok: true, verdict: 'unknown', rerun: false });
    expect(await rows(hub.url)).to.have.length(1);
    clock.by = 155_000;
    expect((await settle({ verdict: 'not_applied', attempt: 7 })).status).to.equal(409);
    expect((await settle({ verdict: 'not_applied', attempt: row?.attempt })).body).to.include({ ok: true, rerun: true });
    const last = await until(async () => {
      const end = await ended(hub.url, job);
      return end.status === 'done' && end;
    });
    expect(last.text).to.include('pending_approval');
    expect(world.service.refunds()).to.have.length(1);
    const calls = await named(hub.url, job, 'tool_call');
    expect(calls.map(({ detail }) => detail.idempotency_key)).to.deep.equal([row?.idempotency_key, row?.idempotency_key]);
    expect(await named(hub.url, job, 'tool_execution_left_unknown')).to.have.length(1);
    expect((await settle({ verdict: 'not_applied' })).status).to.equal(409);
  });

  it('an approved call that got lost keeps its approval: released, it runs once more without a new question', async () => {
    const clock = shifted(-155_000);
    const { world, hub } = await open(true, { provider: 'reconcile: off', approval: () => '{ type: console }' }, clock);
    const job = await submitScript(hub.url, 'u:4', [[payout]]);
    await ended(hub.url, job);
    await bailing(hub.url, 'approvals', 'approve', '1');
    await until(async () => (await waitForEnd(hub.url, job)).status === 'error');
    const [row] = await rows(hub.url);
    clock.by = 155_000;
    await admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, { verdict: 'not_applied', evidence: 'not in the books' });
    const last = await until(async () => {
      const end = await ended(hub.url, job);
      return end.status === 'done' && end;
    });
    expect(last.governance.executed).to.have.length(1);
    expect(last.governance.pending).to.deep.equal([]);
    expect(world.service.refunds().map(({ status }) => status)).to.deep.equal(['paid_out']);
  });
});

/** A clock beside the real one. Both sides stay within each other's signature window. */
function shifted(by: number): { by: number; now(): number } {
  return {
    by,
    now() {
      return Date.now() + this.by;
    },
  };
}
