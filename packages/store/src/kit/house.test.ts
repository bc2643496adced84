import { expect } from 'chai';
import type { Question, Store } from '@bailing/engine/ports';
import { expectIs, heldJob, LEASE_MS, line, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

onEveryDatabase('Approvals, documents and records', (fixture) => {
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

  async function question(what = 'a'): Promise<Question> {
    const by = await heldJob(store);
    const { key, args, subject, fingerprint, provider, scope } = writeIntent(by, what);
    const policy = { risk: 'high', policy: 'risk_high', reason: 'risk=high', method: 'POST', path: '/refunds', summary: 'Refund A-1001' };
    return {
      by,
      key,
      requestId: 'r',
      provider,
      scope,
      ...policy,
      args,
      frozen: '{"kind":"x"}',
      subject,
      fingerprint,
      line: line('tool_approval_pending', by.job),
    };
  }

  it('keeps one open question per exact call, also when two ask at once', async () => {
    const asked = await question();
    const ended = await Promise.all([store.approvals.open(asked), other.approvals.open(asked), store.approvals.open(asked)]);
    expect(ended.map(({ is }) => is).sort()).to.deep.equal(['already-open', 'already-open', 'opened']);
    expect(new Set(ended.map((one) => ('id' in one ? one.id : 0))).size).to.equal(1);
    expect((await store.jobs.audit(asked.by.job, 0, 10)).filter(({ event }) => event === 'tool_approval_pending')).to.have.length(1);
    const [row] = await store.approvals.ofJob(asked.by.job);
    expect(row).to.deep.include({ tool: 'refund', args: asked.args, argsHash: asked.key.argsHash, status: 'pending', createdAt: START });
  });

  it('remembers a denial and asks a changed call anew', async () => {
    const asked = await question();
    const { id } = expectIs(await store.approvals.open(asked), 'opened');
    await w.database.query(`UPDATE bz_tool_approvals SET status = 'denied' WHERE id = ${String(id)}`);
    expect(await store.approvals.open(asked)).to.deep.equal({ is: 'denied-before', id });
    const changed = { ...asked, key: { ...asked.key, argsHash: 'e'.repeat(64) } };
    expectIs(await store.approvals.open(changed), 'opened');
    w.clock.now = START + LEASE_MS;
    expectIs(await store.approvals.open({ ...changed, key: { ...asked.key, argsHash: 'g'.repeat(64) } }), 'lost-lease');
  });

  it('keeps the last good document when a refresh brings none', async () => {
    const probe = { status: 'protected', at: '2025-11-30T00:00:00.000Z', signed_http: 200 } as const;
    expect(await store.specs.get('orders')).to.equal(null);
    await store.specs.put({ provider: 'orders', origin: 'o1', document: '{"openapi":"3.1.0","x":"😀"}', refreshedAt: START, probe });
    await store.specs.put({
      provider: 'orders',
      origin: 'o2',
      document: null,
      refreshedAt: START + 9,
      probe: { ...probe, status: 'public' },
    });
    expect(await other.specs.get('orders')).to.deep.equal({
      provider: 'orders',
      origin: 'o1',
      document: '{"openapi":"3.1.0","x":"😀"}',
      refreshedAt: START,
      probe: { ...probe, status: 'public' },
    });
    await store.specs.put({ provider: 'orders', origin: 'o2', document: '{}', refreshedAt: START + 20, probe: null });
    expect(await other.specs.get('orders')).to.deep.include({ origin: 'o2', document: '{}', refreshedAt: START + 20, probe: null });
    await store.specs.put({ provider: 'never', origin: 'o', document: null, refreshedAt: null, probe });
    expect(await store.specs.get('never')).to.deep.include({ document: null, refreshedAt: null });
  });

  it('sets records by comparison, one winner at a time', async () => {
    const mine = store.records('plugin-a');
    const rev = await mine.put('k', 'v1', { ifRev: 0 });
    expect(await mine.put('k', 'v2', { ifRev: 0 })).to.equal('moved');
    expect(await mine.get('k')).to.deep.equal({ value: 'v1', rev });
    const theirs = other.records('plugin-a');
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? mine : theirs).put('k', `w${String(i)}`, { ifRev: rev as number })),
    );
    expect(ended.filter((one) => one !== 'moved')).to.have.length(1);
    const fresh = await Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 ? mine : theirs).put('fresh', String(i))));
    expect(fresh.every((one) => typeof one === 'number')).to.equal(true);
    expect(await store.records('plugin-b').get('k')).to.equal(null);
  });

  it('does not meet an old revision again after a drop', async () => {
    const records = store.records('plugin-c');
    const rev = (await records.put('k', 'v')) as number;
    await records.drop('k');
    expect(await records.get('k')).to.equal(null);
    await records.put('k', 'v');
    expect(await records.put('k', 'late', { ifRev: rev })).to.equal('moved');
  });

  it('forgets a record after its time', async () => {
    const records = store.records('plugin-d');
    const rev = (await records.put('k', 'v', { ttlMs: 100, tag: 't' })) as number;
    w.clock.now = START + 99;
    expect((await records.byTag('t', '', 10)).map(({ key }) => key)).to.deep.equal(['k']);
    w.clock.now = START + 100;
    expect(await records.get('k')).to.equal(null);
    expect(await records.byTag('t', '', 10)).to.deep.equal([]);
    expect(await records.put('k', 'v', { ifRev: rev })).to.equal('moved');
    expect(await records.put('k', 'v', { ifRev: 0 })).to.be.a('number');
  });

  it('pages the records of a tag by key', async () => {
    const records = store.records('plugin-e');
    for (const key of ['b', 'a', 'B', 'é', 'c ']) await records.put(key, key, { tag: 't' });
    const first = await records.byTag('t', '', 3);
    const rest = await records.byTag('t', first.at(-1)!.key, 10);
    expect([...first, ...rest].map(({ key }) => key)).to.deep.equal(['B', 'a', 'b', 'c ', 'é']);
  });

  it('is healthy, and says which database it is', async () => {
    expect(await store.health()).to.deep.include({ dialect: fixture.name, database: 'ok', auditFailures: 0, lastAuditFailureAt: null });
    expect((await store.health()).migrations).to.include({ status: 'ok', pending: 0 });
  });
});
