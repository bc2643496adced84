import { randomUUID } from 'node:crypto';
import type { Conversation, End, Store } from '@bailing/engine/ports';
import { expect } from 'chai';
import { heldJob, LEASE_MS, line, newJob, onEveryDatabase, START, type World, world } from './world.js';

onEveryDatabase('Conversations', (fixture) => {
  let w: World;
  let store: Store;
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
  });
  after(() => w.end());

  /** Accepts and ends one job of a thread; answers its id. */
  async function said(scope: string, input: string, end: Partial<End>, owner = 'crm'): Promise<{ id: string; of: Conversation }> {
    const id = randomUUID();
    const refusal = { error: 'full', line: line('rejected', id) };
    const job = newJob({ id, owner, target: `talk-${scope}`, input, thread: { scope, keepsSession: true, maxInFlight: 6, refusal } });
    const accepted = await store.jobs.accept(job, line('received', id), false);
    const [taken] = await store.jobs.take({ replica: 'r', max: 1, leaseMs: LEASE_MS, targets: [job.target] });
    await store.jobs.finish(taken!.by, { status: 'done', result: null, error: null, usage: null, lines: [], ...end });
    if (accepted.is !== 'new') throw new Error('not accepted');
    return { id, of: { thread: accepted.job.threadId!, owner } };
  }
  const result = (value: unknown) => ({ result: JSON.stringify(value) });
  const all = { afterSeq: 0, limit: 50, chars: 100, withIt: false };

  it('are read from the ended jobs of a thread, newest first, each with its answer where it gave a text', async () => {
    const first = await said('a', 'one', result({ text: '水 "1"\n' }));
    await said('a', 'two', { status: 'error', error: 'x' });
    await said('a', 'three', result({ text: { not: 'text' } }));
    await said('b', 'elsewhere', result({ text: 'x' }));
    await said('a', 'somebody else’s', result({ text: 'secret' }), 'other');
    const last = await said('a', 'last', result({ text: 'end' }));
    const told = (await store.conversations.before(last.id, last.of, all)).map(({ input, answer }) => [input, answer]);
    expect(told).to.deep.equal([
      ['three', null],
      ['two', null],
      ['one', '水 "1"\n'],
    ]);
    const withIt = await store.conversations.before(last.id, last.of, { ...all, withIt: true, limit: 2, chars: 3 });
    expect(withIt.map(({ input, answer }) => [input, answer])).to.deep.equal([
      ['las', 'end'],
      ['thr', null],
    ]);
    const seq = (await store.conversations.before(last.id, last.of, all)).at(-1)?.seq ?? 0;
    expect(await store.conversations.before(last.id, last.of, { ...all, afterSeq: seq })).to.have.length(2);
    expect(await store.conversations.before(first.id, first.of, all)).to.deep.equal([]);
    const alone = newJob();
    await store.jobs.accept(alone, line('received', alone.id), false);
    expect(await store.conversations.before(alone.id, first.of, all)).to.deep.equal([]);
  });

  it('remember what was said in recordings as the words of the job, written only by its holder', async () => {
    const by = await heldJob(store);
    expect(await store.jobs.keepSaid({ ...by, claim: 'another' }, 'stolen')).to.equal('lost-lease');
    const scope = 'spoken';
    const id = randomUUID();
    const thread = { scope, keepsSession: true, maxInFlight: 6, refusal: { error: 'full', line: line('rejected', id) } };
    const job = newJob({ id, owner: 'crm', target: 'talk-spoken', input: '[voice](x)', thread });
    await store.jobs.accept(job, line('received', id), false);
    const [taken] = await store.jobs.take({ replica: 'r', max: 1, leaseMs: LEASE_MS, targets: [job.target] });
    expect(await store.jobs.keepSaid(taken!.by, 'first')).to.equal('kept');
    expect(await store.jobs.keepSaid(taken!.by, '[voice](x) where is my order')).to.equal('kept');
    await store.jobs.finish(taken!.by, { status: 'done', error: null, usage: null, lines: [], ...result({ text: 'here' }) });
    const last = await said(scope, 'next', result({ text: 'end' }));
    const told = await store.conversations.before(last.id, last.of, all);
    expect(told.map(({ input, answer }) => [input, answer])).to.deep.equal([['[voice](x) where is my order', 'here']]);
  });

  it('keep one summary each, replaced only by whoever knew the one before', async () => {
    const of = { thread: 77, owner: 'crm' };
    const keep = (from: number, uptoSeq: number) =>
      store.conversations.keepSummary(of, from, { uptoSeq, text: `up to ${String(uptoSeq)}` }, START);
    expect(await store.conversations.summary(of)).to.equal(null);
    expect([await keep(0, 4), await keep(0, 5), await keep(3, 6), await keep(4, 6)]).to.deep.equal(['kept', 'moved', 'moved', 'kept']);
    expect(await store.conversations.summary(of)).to.deep.equal({ uptoSeq: 6, text: 'up to 6' });
    expect(await store.conversations.summary({ ...of, owner: 'other' })).to.equal(null);
  });

  it('of recipients hold what was sent to them, once, also where many hubs write it', async () => {
    const other = await w.another();
    const sent = (key: string, to: readonly string[]) => ({ key, job: 'j1', marker: 'send', scopes: to.map((one) => `wecom:ops:${one}`) });
    const [one, again] = await Promise.all([store, other].map((hub) => hub.conversations.keepOutbound(sent('k1', ['水', '水']))));
    expect(one).to.be.a('number').and.equal(again);
    expect(await store.conversations.keepOutbound(sent('k2', ['水']))).to.equal(one);
    const many = Array.from({ length: 250 }, (_none, n) => `u${String(n)}`);
    const both = await Promise.all(
      [store, other].map((hub, n) => hub.conversations.keepOutbound(sent('k3', n ? [...many].reverse() : many))),
    );
    expect(both).to.deep.equal([null, null]);
    const rows = await w.database.query('SELECT message_key, COUNT(*) AS n FROM bz_outbound GROUP BY message_key ORDER BY message_key');
    expect(rows.map((row) => [row.message_key, Number(row.n)])).to.deep.equal([
      ['k1', 1],
      ['k2', 1],
      ['k3', 250],
    ]);
    expect(await store.conversations.keepOutbound(sent('k4', ['u7'])))
      .to.be.a('number')
      .and.not.equal(one);
  });
});
