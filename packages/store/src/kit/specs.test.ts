import { expect } from 'chai';
import type { Publication, RevisionText } from '@bailing/engine/ports';
import { failpoints } from '../units/failpoints.js';
import { LEASE_MS, line, newJob, onEveryDatabase, START, type World, world } from './world.js';

const HOUR = 3_600_000;
const text = (id: string, provider = 'orders'): RevisionText => ({ id, provider, document: `document ${id}`, overlay: null });

onEveryDatabase('Revisions of tool documents', (fixture) => {
  let w: World;
  const hits = new Set<string>();
  const failpoint = (name: string) => hits.add(name);
  beforeEach(async () => {
    w = await world(fixture, { failpoint });
  });
  afterEach(() => w.end());
  after(() => {
    const units = ['publish-spec', 'attempt-spec-refresh', 'note-authz', 'accept-frozen', 'keep-spec-set', 'collect-specs'];
    expect([...hits].filter((name) => !failpoints.includes(name))).to.deep.equal([]);
    const named = failpoints.filter((name) => units.includes(name.split(':')[0] ?? ''));
    expect(named.filter((name) => !hits.has(name) && !/insert-writer|unnamed-heads|note-named/.test(name))).to.deep.equal([]);
  });

  const publication = (id: string, expectedRev: number, more: Partial<Publication> = {}): Publication => ({
    expectedRev,
    text: text(id),
    origin: 'o',
    baseUrl: 'https://orders.example',
    spec: null,
    freeze: [],
    thaw: [],
    lines: [line('spec_refreshed', '-')],
    ...more,
  });
  const lines = async (event: string) => (await w.database.query(`SELECT event FROM bz_audit WHERE event = '${event}'`)).length;

  it('are published one after another: whoever judged an older state publishes nothing and leaves no evidence', async () => {
    const { revisions } = w.store;
    expect(await revisions.state('orders')).to.equal(null);
    expect(await revisions.publish(publication('a', 0))).to.equal(1);
    const other = await w.another({ failpoint });
    expect(await other.revisions.publish(publication('b', 0))).to.equal('moved');
    expect(await lines('spec_refreshed')).to.equal(1);
    const both = await Promise.all([revisions.publish(publication('b', 1)), other.revisions.publish(publication('c', 1))]);
    expect(both.filter((one) => one === 'moved')).to.have.length(1);
    expect(await lines('spec_refreshed')).to.equal(2);
    expect(await revisions.state('orders')).to.include({ rev: 2, origin: 'o' });
    expect(Object.fromEntries(await revisions.revs())).to.deep.equal({ orders: 2 });
  });

  it('keep their text under their id, also for another process, and the cache of their provider in the same commit', async () => {
    const spec = { provider: 'orders', origin: 'o', document: '{"openapi":"3.1.0"}', refreshedAt: START, probe: null };
    const overlay = { ...text('a'), overlay: 'overlay: 1.0.0' };
    w.forget();
    await w.store.revisions.publish(publication('a', 0, { text: overlay, spec }));
    expect(w.commits).to.deep.equal([['publish-spec']]);
    const other = await w.another({ failpoint });
    expect(await other.revisions.text('a')).to.deep.equal(overlay);
    expect(await other.revisions.text('none')).to.equal(null);
    expect(await other.specs.get('orders')).to.deep.equal(spec);
  });

  it('freeze tools until somebody accepts: each acceptance counts once and is told to every replica', async () => {
    const { revisions } = w.store;
    const facts = [{ tool: 'refund', direction: 'looser', code: 'risk_lowered', says: 'The risk went from high to low.' }] as const;
    const frozen = { tool: 'refund', accepted: 'f'.repeat(64), facts, since: START };
    await revisions.publish(publication('a', 0, { freeze: [frozen, { ...frozen, tool: '*' }] }));
    const other = await w.another({ failpoint });
    expect((await other.revisions.state('orders'))?.frozen).to.deep.equal([{ ...frozen, tool: '*' }, frozen]);
    expect(await other.revisions.accept('orders', ['none'], line('spec_accepted', '-'))).to.deep.equal([]);
    expect(await lines('spec_accepted')).to.equal(0);
    const twice = await Promise.all(
      [w.store, other].map((store) => store.revisions.accept('orders', ['refund', 'none'], line('spec_accepted', '-'))),
    );
    expect(twice.flat()).to.deep.equal(['refund']);
    expect(await lines('spec_accepted')).to.equal(1);
    expect(await revisions.state('orders')).to.deep.include({ rev: 2, frozen: [{ ...frozen, tool: '*' }] });
    expect(await revisions.publish(publication('b', 2, { thaw: ['*'] }))).to.equal(3);
    expect((await revisions.state('orders'))?.frozen).to.deep.equal([]);
  });

  it('are refreshed by one replica at a time, also where no state exists yet', async () => {
    const other = await w.another({ failpoint });
    const race = () => Promise.all([w.store, other].map((store) => store.revisions.attempt('orders', w.clock.now - HOUR)));
    expect((await race()).filter(Boolean)).to.have.length(1);
    expect((await race()).filter(Boolean)).to.have.length(0);
    w.clock.now += HOUR;
    expect((await race()).filter(Boolean)).to.have.length(1);
    expect(await w.store.revisions.state('orders')).to.include({ rev: 1, revision: null, attemptedAt: w.clock.now });
    expect(await w.store.revisions.publish(publication('a', 1))).to.equal(2);
  });

  it('carry what an authorisation probe observed', async () => {
    const record = { status: 'pass', http: 403, mode: 'dedicated', at: new Date(START).toISOString() } as const;
    await w.store.revisions.noteAuthz('orders', { ...record, status: 'suspect' }, line('authorize_probe', '-'));
    await w.store.revisions.noteAuthz('orders', record, line('authorize_probe', '-'));
    expect((await w.store.revisions.state('orders'))?.authz).to.deep.equal(record);
    expect(await lines('authorize_probe')).to.equal(2);
  });

  it('are stamped on a job by the commit that takes it first, and stay through every later one', async () => {
    await w.store.revisions.keepSet('set-1', [text('a')]);
    const job = newJob();
    await w.store.jobs.accept(job, line('received', job.id), false);
    expect((await w.store.jobs.get(job.id))?.specSet).to.equal(null);
    const worker = { replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [job.target] };
    w.forget();
    const [first] = await w.store.jobs.take({ ...worker, specSet: 'set-1' });
    expect(w.commits).to.deep.equal([['take']]);
    expect(first?.job.specSet).to.equal('set-1');
    w.clock.now += LEASE_MS + 1;
    const other = await w.another({ failpoint });
    const [again] = await other.jobs.take({ ...worker, replica: 'r2', specSet: 'set-2' });
    expect(again?.job.specSet).to.equal('set-1');
    expect((await other.jobs.holding(job.id))?.job.specSet).to.equal('set-1');
  });

  it('go when nothing needs them: no unfinished job, no open question, not current, not kept lately', async () => {
    const { revisions, jobs } = w.store;
    await revisions.publish(publication('old', 0));
    await revisions.publish(publication('new', 1));
    await revisions.keepSet('set-old', [text('old')]);
    await revisions.keepSet('set-idle', [text('idle')]);
    const job = newJob();
    await jobs.accept(job, line('received', job.id), false);
    const [taken] = await jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [job.target], specSet: 'set-old' });
    if (!taken) throw new Error('not taken');
    const before = w.clock.now;
    expect(await revisions.collect(before - 1)).to.deep.equal({ sets: 0, texts: 0 });
    expect(await revisions.collect(before)).to.deep.equal({ sets: 1, texts: 1 });
    expect([await revisions.set('set-idle'), await revisions.text('idle')]).to.deep.equal([null, null]);
    expect(await revisions.set('set-old')).to.deep.equal(new Map([['orders', 'old']]));
    await jobs.finish(taken.by, { status: 'done', result: null, error: null, usage: null, lines: [] });
    w.clock.now += HOUR;
    await revisions.keepSet('set-old', [text('old')]);
    expect(await revisions.collect(before)).to.deep.equal({ sets: 0, texts: 0 });
    expect(await revisions.collect(w.clock.now)).to.deep.equal({ sets: 1, texts: 1 });
    expect((await revisions.text('new'))?.id).to.equal('new');
  });

  it('stay as long as a question of a job that ended is open', async () => {
    const { revisions, jobs } = w.store;
    await revisions.keepSet('set-1', [text('a')]);
    const job = newJob();
    await jobs.accept(job, line('received', job.id), false);
    const [taken] = await jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [job.target], specSet: 'set-1' });
    if (!taken) throw new Error('not taken');
    await w.database.query(
      `INSERT INTO bz_tool_approvals (job_id, request_id, provider, tool, scope, risk, policy, reason, method, path, summary, args_json, args_hash,
         idempotency_key, intent, on_behalf_of, fingerprint, status, created_at)
       VALUES ('${job.id}', 'r', 'orders', 'refund', 's', 'high', 'p', '', 'POST', '/r', '', '{}', 'h', 'k', '{}', '', 'f', 'pending', 1)`,
    );
    await jobs.finish(taken.by, { status: 'done', result: null, error: null, usage: null, lines: [] });
    expect(await revisions.collect(w.clock.now)).to.deep.equal({ sets: 0, texts: 0 });
    await w.database.query(`UPDATE bz_tool_approvals SET status = 'denied'`);
    expect(await revisions.collect(w.clock.now)).to.deep.equal({ sets: 1, texts: 1 });
  });
});
