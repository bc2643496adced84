import { expect } from 'chai';
import type { Holder, Settlement, Store } from '@bailing/engine/ports';
import { consuming, decided, endJob } from './desk.js';
import { expectIs, heldJob, line, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

const WINDOW_MS = 300_000;
const TIMEOUT_MS = 10_000;

onEveryDatabase('Reconciliation', (fixture) => {
  let w: World;
  let store: Store;
  let other: Store;
  before(async () => {
    w = await world(fixture);
    store = w.store;
    other = await w.another();
  });
  after(() => w.end());
  beforeEach(() => {
    w.clock.now = START;
  });

  /** A write whose answer nobody knows. */
  async function lost(by: Holder, what = 'a', approval?: number) {
    const intent = approval === undefined ? writeIntent(by, what) : consuming(by, approval, what);
    const { ticket } = expectIs(await store.calls.intendWrite(intent), 'go');
    await store.calls.unknown(ticket, 'timeout', line('x', by.job));
    const row = (await store.reconcile.list(0, 500)).find(({ key }) => key.job === by.job && key.argsHash === intent.key.argsHash);
    return row!;
  }

  function word(
    row: { id: number; attempt: number; key: { job: string } },
    verdict: Settlement['verdict'],
    more: Partial<Settlement> = {},
  ): Settlement {
    const lines = { line: line('tool_execution_settled', row.key.job), rerunLine: line('rerun', row.key.job) };
    const answer = { ok: true, status: 200, text: 'settled' };
    return {
      id: row.id,
      attempt: row.attempt,
      job: row.key.job,
      verdict,
      by: 'ann',
      evidence: 'RF-1',
      answer,
      rerun: true,
      ...lines,
      headStartMs: 0,
      ...more,
    };
  }

  it('lists what is unresolved with everything to compare', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    const { digest, key, provider, subject, args } = writeIntent(by);
    expect(row).to.deep.include({
      state: 'uncertain',
      reason: 'timeout',
      digest,
      key,
      provider,
      subject,
      args,
      attempt: 1,
      attemptedAt: START,
    });
    expect(row.sendBy).to.equal(START + TIMEOUT_MS);
  });

  it('applied completes the row: the same call is answered with the evidence and its job goes on', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    await endJob(store, by);
    expect(await store.reconcile.settle(word(row, 'applied'))).to.deep.equal({ is: 'settled', rerun: true });
    expect(await store.calls.recorded(row.key)).to.deep.equal({ ok: true, status: 200, text: 'settled' });
    expect(await store.calls.unresolved(by.job)).to.deep.equal([]);
    expect((await store.jobs.get(by.job))!.status).to.equal('queued');
  });

  it('not_applied is refused while the business would accept a late send, then releases one dispatch under the same key', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    expect(await store.reconcile.settle(word(row, 'not_applied'))).to.deep.equal({
      is: 'too-early',
      after: START + TIMEOUT_MS + WINDOW_MS,
    });
    w.clock.now = START + TIMEOUT_MS + WINDOW_MS;
    await store.jobs.renew([by], 10 * WINDOW_MS);
    expect(await store.reconcile.settle(word(row, 'not_applied'))).to.include({ is: 'settled' });
    expect(await store.calls.recorded(row.key)).to.equal(null);
    const ends = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? store : other).calls.intendWrite(writeIntent(by))));
    expect(ends.filter(({ is }) => is === 'go')).to.have.length(1);
    expect(ends.every(({ is }) => is === 'go' || is === 'in-flight')).to.equal(true);
  });

  it('a fresh dispatch that never left leaves the row released', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    w.clock.now = START + TIMEOUT_MS + WINDOW_MS;
    await store.jobs.renew([by], 10 * WINDOW_MS);
    await store.reconcile.settle(word(row, 'not_applied'));
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await store.calls.withdraw(ticket, line('x', by.job));
    expect(await store.calls.recorded(row.key)).to.equal(null);
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
  });

  it('is said once: the same verdict again is known, the other one conflicts, and a later attempt is not touched by it', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? store : other).reconcile.settle(word(row, 'applied', { by: `u${String(i)}` }))),
    );
    expect(ends.filter(({ is }) => is === 'settled')).to.have.length(1);
    expect(ends.filter(({ is }) => is === 'again')).to.have.length(19);
    expect(await store.reconcile.settle(word(row, 'not_applied'))).to.include({ is: 'conflict', verdict: 'applied' });
    expect((await store.jobs.audit(by.job, 0, 100)).filter(({ event }) => event === 'tool_execution_settled')).to.have.length(1);
    expect(await store.reconcile.settle(word({ ...row, attempt: 2 }, 'applied'))).to.deep.equal({ is: 'unknown' });
  });

  it('does not settle what is still on its way', async () => {
    const by = await heldJob(store);
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    const row = (await store.reconcile.list(0, 500)).find(({ key }) => key.job === by.job)!;
    expect(await store.reconcile.settle(word(row, 'applied'))).to.deep.equal({ is: 'in-flight' });
    w.clock.now = START + TIMEOUT_MS + 1_000;
    expect(await store.reconcile.settle(word(row, 'applied'))).to.include({ is: 'settled' });
  });

  it('gives the approval back that a lost attempt had spent, but only when it is released', async () => {
    const by = await heldJob(store);
    const id = await decided(store, by);
    const row = await lost(by, 'a', id);
    w.clock.now = START + TIMEOUT_MS + WINDOW_MS;
    await store.jobs.renew([by], 10 * WINDOW_MS);
    await store.reconcile.settle(word(row, 'not_applied'));
    expect((await store.approvals.get(id))!.usedAt).to.equal(null);
    expectIs(await store.calls.intendWrite(consuming(by, id)), 'go');
    const next = await heldJob(store);
    const kept = await decided(store, next);
    const applied = await lost(next, 'a', kept);
    await store.reconcile.settle(word(applied, 'applied'));
    expect((await store.approvals.get(kept))!.usedAt).to.not.equal(null);
  });

  it('keeps an answer that was recorded and only lacked its evidence', async () => {
    const by = await heldJob(store);
    const { ticket, key } = { ...expectIs(await store.calls.intendWrite(writeIntent(by)), 'go'), key: writeIntent(by).key };
    await store.calls.settleWrite(ticket, { ok: true, status: 201, text: 'the real answer' }, line('tool_result', by.job));
    await w.database.query(`UPDATE bz_tool_executions SET state = 'evidence_degraded' WHERE job_id = '${by.job}'`);
    const row = (await store.reconcile.list(0, 500)).find((one) => one.key.job === by.job)!;
    await store.reconcile.settle(word(row, 'applied'));
    expect(await store.calls.recorded(key)).to.deep.equal({ ok: true, status: 201, text: 'the real answer' });
  });

  it('probes are taken once each, keep their evidence, and come to an end', async () => {
    const by = await heldJob(store);
    const row = await lost(by);
    const due = async () => (await store.reconcile.dueForProbe(w.clock.now, 500)).filter(({ key }) => key.job === by.job);
    expect(await due()).to.have.length(1);
    const probe = (nextAt: number | null, from: Store, at = row) =>
      from.reconcile.beginProbe(at, nextAt, 1_000, line('tool_reconcile_probe', by.job));
    const tickets = await Promise.all([probe(START + 5_000, store), probe(START + 5_000, other), probe(START + 5_000, store)]);
    const [ticket, ...more] = tickets.filter((one) => one !== null);
    expect(more).to.deep.equal([]);
    expect(ticket).to.include({ signAt: START, sendBy: START + 1_000 });
    const from = tickets[1] === null ? store : other;
    await from.reconcile.endProbe(ticket!, row, '{"finding":"applied"}', line('tool_reconcile_evidence', by.job));
    expect(await due()).to.deep.equal([]);
    w.clock.now = START + 5_000;
    const [again] = await due();
    expect(again).to.include({ probes: 1, evidence: '{"finding":"applied"}' });
    await probe(null, store, again);
    w.clock.now = START + 90_000_000;
    expect(await due()).to.deep.equal([]);
  });
});
