import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { consuming, decided, decisionOf, endJob, ending, HEAD_START_MS, questionOf } from './desk.js';
import { expectIs, heldJob, LEASE_MS, line, newJob, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

const OK = { ok: true, status: 200, text: 'paid' };

onEveryDatabase('Approvals', (fixture) => {
  let w: World;
  let store: Store;
  let other: Store;
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
    other = await w.another();
  });
  after(() => w.end());
  beforeEach(() => {
    w.clock.now = START;
  });
  const approval = async (id: number) => (await store.approvals.get(id))!;

  it('a decision is one of the first come; the same again is known, another one conflicts', async () => {
    const by = await heldJob(store);
    const { id } = expectIs(await store.approvals.open(questionOf(by)), 'opened');
    const ends = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const verdict = i % 3 === 0 ? 'denied' : 'approved';
        return (i % 2 ? store : other).approvals.decide(decisionOf(id, by.job, verdict, { decisionId: `race:${String(id)}:${String(i)}` }));
      }),
    );
    expect(ends.filter(({ is }) => is === 'decided')).to.have.length(1);
    expect(ends.filter(({ is }) => is === 'conflict')).to.have.length(49);
    const row = await approval(id);
    const verdict = row.status as 'approved' | 'denied';
    const same = { decisionId: row.decisionId!, line: line('x', by.job) };
    expect(await store.approvals.decide(decisionOf(id, by.job, verdict, same))).to.deep.equal({ is: 'again' });
    const opposite = verdict === 'approved' ? 'denied' : 'approved';
    expect(await store.approvals.decide(decisionOf(id, by.job, opposite, same))).to.include({ is: 'conflict', status: verdict });
    const lines = (await store.jobs.audit(by.job, 0, 100)).filter(({ event }) => event.endsWith('_external'));
    expect(lines).to.have.length(1);
  });

  it('a decision id is used once in all approvals', async () => {
    const by = await heldJob(store);
    const first = await decided(store, by, 'a');
    const { id } = expectIs(await store.approvals.open(questionOf(by, 'b')), 'opened');
    const again = await store.approvals.decide(decisionOf(id, by.job, 'approved', { decisionId: `d:${String(first)}` }));
    expect(again).to.deep.equal({ is: 'decision-id-used', approval: first });
    expect((await approval(id)).status).to.equal('pending');
  });

  it('a decision on an ended job queues it again; on one at work it does so at its end, if the call has not run', async () => {
    const by = await heldJob(store);
    const late = expectIs(await store.approvals.open(questionOf(by, 'a')), 'opened').id;
    const early = expectIs(await store.approvals.open(questionOf(by, 'b')), 'opened').id;
    expect(await store.approvals.decide(decisionOf(early, by.job))).to.include({ rerun: 'at-finish' });
    expect(await endJob(store, by)).to.equal('requeued');
    const [again] = await store.jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [(await store.jobs.get(by.job))!.target] });
    const { ticket } = expectIs(await store.calls.intendWrite(consuming(again!.by, early, 'b')), 'go');
    await store.calls.settleWrite(ticket, OK, line('tool_result', by.job));
    expect(await endJob(store, again!.by)).to.equal('finished');
    expect(await store.approvals.decide(decisionOf(late, by.job))).to.include({ rerun: 'now' });
    expect((await store.jobs.get(by.job))!.status).to.equal('queued');
    const rerun = (await store.jobs.audit(by.job, 0, 100)).find(({ event }) => event === 'rerun');
    expect(JSON.parse(rerun!.detail)).to.include({ prev_status: 'done' });
  });

  it('a job whose approved call ran meanwhile ends once, without another round', async () => {
    const by = await heldJob(store);
    const id = await decided(store, by);
    const { ticket } = expectIs(await store.calls.intendWrite(consuming(by, id)), 'go');
    await store.calls.settleWrite(ticket, OK, line('tool_result', by.job));
    expect(await endJob(store, by)).to.equal('finished');
    expect((await store.jobs.get(by.job))!.status).to.equal('done');
  });

  it('an approval is spent with its dispatch, once, and only for the call it froze', async () => {
    const by = await heldJob(store);
    const id = await decided(store, by);
    const spends = [{ bucket: `b:${by.job}`, limit: 0, windowMs: 1_000, cost: 1 }];
    expectIs(await store.calls.intendWrite({ ...consuming(by, id), spends }), 'rate');
    expect((await approval(id)).usedAt, 'a rate limit burns nothing').to.equal(null);
    expect(await store.calls.intendWrite(consuming(by, id, 'b'))).to.deep.equal({ is: 'approval-gone', why: 'void' });
    expect(await store.calls.intendWrite(consuming(by, id, 'a', { fingerprint: 'e'.repeat(64) }))).to.include({ is: 'approval-gone' });
    expect((await store.calls.unresolved(by.job)).length, 'nothing was journalled').to.equal(0);
    w.clock.now = START + 5;
    const ends = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? store : other).calls.intendWrite(consuming(by, id))));
    const going = ends.filter(({ is }) => is === 'go');
    expect(going).to.have.length(1);
    expect(ends.every(({ is }) => is === 'go' || is === 'in-flight')).to.equal(true);
    expect((await approval(id)).usedAt).to.equal(START + 5);
    expect((await store.jobs.get(by.job))!.callsUsed).to.equal(1);
  });

  it('a dispatch that never left gives the approval back', async () => {
    const by = await heldJob(store);
    const id = await decided(store, by);
    const { ticket } = expectIs(await store.calls.intendWrite(consuming(by, id)), 'go');
    await store.calls.withdraw(ticket, line('x', by.job));
    expect((await approval(id)).usedAt).to.equal(null);
    expectIs(await store.calls.intendWrite(consuming(by, id)), 'go');
    expect((await store.jobs.get(by.job))!.callsUsed).to.equal(1);
  });

  it('a question reserves its unit of the budget: the approved call is not refused for it, and others do not get it', async () => {
    const by = await heldJob(store);
    const id = expectIs(await store.approvals.open(questionOf(by, 'a', { maxCalls: 2 })), 'opened').id;
    expectIs(await store.calls.intendWrite({ ...writeIntent(by, 'x'), maxCalls: 2 }), 'go');
    expect(await store.approvals.open(questionOf(by, 'z', { maxCalls: 2 }))).to.deep.equal({ is: 'budget', used: 2, max: 2 });
    expectIs(await store.approvals.open(questionOf(by, 'a', { maxCalls: 2 })), 'already-open');
    await store.approvals.decide(decisionOf(id, by.job));
    expectIs(await store.calls.intendWrite({ ...consuming(by, id), maxCalls: 2 }), 'go');
    const next = await heldJob(store);
    const denied = expectIs(await store.approvals.open(questionOf(next, 'a', { maxCalls: 1 })), 'opened').id;
    expect(await store.calls.intendWrite({ ...writeIntent(next, 'x'), maxCalls: 1 })).to.include({ is: 'budget', used: 1 });
    await store.approvals.decide(decisionOf(denied, next.job, 'denied'));
    expectIs(await store.calls.intendWrite({ ...writeIntent(next, 'x'), maxCalls: 1 }), 'go');
  });

  it('what was not decided, or not run, in its time expires by the stored time, and never runs', async () => {
    const by = await heldJob(store);
    const asked = (what: string) => store.approvals.open(questionOf(by, what, { expiresAt: START + 100 }));
    const pending = expectIs(await asked('a'), 'opened').id;
    const unspent = expectIs(await asked('b'), 'opened').id;
    await store.approvals.decide(decisionOf(unspent, by.job));
    w.clock.now = START + 100;
    expect(await store.approvals.decide(decisionOf(pending, by.job))).to.deep.equal({ is: 'expired' });
    expect(await store.calls.intendWrite(consuming(by, unspent, 'b'))).to.deep.equal({ is: 'approval-gone', why: 'expired' });
    const due = (await store.approvals.due(w.clock.now, 500)).filter(({ job }) => job === by.job);
    expect(due.map(({ id }) => id).sort()).to.deep.equal([pending, unspent].sort());
    const endings = due.map(({ id, job }) => ending(id, job));
    expect((await Promise.all([store.approvals.expire(endings), other.approvals.expire(endings)])).reduce((a, b) => a + b)).to.equal(2);
    expect([(await approval(pending)).status, (await approval(unspent)).status]).to.deep.equal(['expired', 'expired']);
    expect((await store.jobs.audit(by.job, 0, 100)).filter(({ event }) => event === 'tool_approval_expired')).to.have.length(2);
    expectIs(await store.approvals.open(questionOf(by, 'a')), 'opened');
  });

  it('a void approval says why, cannot be decided and cannot be spent', async () => {
    const by = await heldJob(store);
    const id = await decided(store, by);
    expect(await store.approvals.voidOpen([ending(id, by.job, 'tool_approval_void')], 'fingerprint_changed')).to.equal(1);
    expect(await approval(id)).to.include({ status: 'void', voidReason: 'fingerprint_changed' });
    expect(await store.approvals.decide(decisionOf(id, by.job, 'approved', { decisionId: 'late' }))).to.deep.equal({ is: 'void' });
    expect(await store.calls.intendWrite(consuming(by, id))).to.deep.equal({ is: 'approval-gone', why: 'void' });
    const again = expectIs(await store.approvals.open(questionOf(by)), 'opened').id;
    const next = await store.approvals.open({ ...questionOf(by), supersedes: { id: again, line: line('tool_approval_void', by.job) } });
    expect((await approval(again)).status).to.equal('void');
    expectIs(next, 'opened');
  });

  it('an executor job goes to the hub first, for a while, then to whoever claims', async () => {
    const target = newJob().id;
    const by = await heldJob(store, { target });
    const id = expectIs(await store.approvals.open(questionOf(by)), 'opened').id;
    await endJob(store, by);
    await store.approvals.decide(decisionOf(id, by.job, 'approved', { headStartMs: HEAD_START_MS }));
    const executor = { replica: 'r2', max: 1, leaseMs: LEASE_MS, targets: [target], executor: 'w/1' };
    expect(await store.jobs.take(executor)).to.deep.equal([]);
    const takers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? store : other).jobs.takeApproved({
          replica: 'r1',
          max: 1,
          leaseMs: LEASE_MS,
          targets: [target],
          headStartMs: HEAD_START_MS,
        }),
      ),
    );
    const [taken] = takers.flat();
    expect(takers.flat()).to.have.length(1);
    expectIs(await store.calls.intendWrite(consuming(taken!.by, id)), 'go');
    expect(await store.jobs.handBack(taken!.by, line('approved_calls_run', by.job))).to.equal('queued');
    expect(await store.jobs.takeApproved({ ...executor, headStartMs: HEAD_START_MS })).to.deep.equal([]);
    expect(await store.jobs.take(executor)).to.have.length(1);
  });

  it('a thousand questions expire in bounded batches', async function () {
    this.timeout(30_000);
    const by = await heldJob(store);
    await seed(by.job, 1_000);
    let batches = 0;
    let expired = 0;
    for (let more = true; more;) {
      const due = await store.approvals.due(START + 1, 100);
      expired += await store.approvals.expire(due.map(({ id, job }) => ending(id, job)));
      batches += due.length > 0 ? 1 : 0;
      more = due.length === 100;
    }
    expect(expired).to.equal(1_000);
    expect(batches).to.equal(10);
    expect((await store.approvals.list({ status: 'pending' }, 500)).filter(({ job }) => job === by.job)).to.deep.equal([]);
  });

  /** Rows as `open` writes them, put in by hand: asking a thousand times is not what is measured. */
  async function seed(job: string, count: number): Promise<void> {
    const columns = `job_id, request_id, provider, tool, scope, risk, policy, reason, method, path, summary, args_json, args_hash, idempotency_key, intent,
      on_behalf_of, fingerprint, status, expires_at, created_at`;
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => {
        const hash = String(from + i).padStart(64, '0');
        return `('${job}','r','p','t','s','high','p','r','POST','/','s','{}','${hash}','${hash}','{}','u','f','pending',${String(START)},${String(START)})`;
      });
      await w.database.query(`INSERT INTO bz_tool_approvals (${columns}) VALUES ${rows.join(',')}`);
    }
  }
});
