import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { expectIs, heldJob, LEASE_MS, line, onEveryDatabase, readIntent, START, type World, world, writeIntent } from './world.js';

onEveryDatabase('Limits of a call', (fixture) => {
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

  it('lets exactly max_calls through of 40 calls at once in two processes', async () => {
    const by = await heldJob(store);
    const calls = Array.from({ length: 40 }, (_, i) => {
      const calls = (i % 2 === 0 ? store : other).calls;
      return i % 4 < 2
        ? calls.intendRead(readIntent(by, { maxCalls: 7 }))
        : calls.intendWrite(writeIntent(by, `n${String(i)}`, { maxCalls: 7 }));
    });
    const ended = await Promise.all(calls);
    expect(ended.filter(({ is }) => is === 'go')).to.have.length(7);
    for (const outcome of ended.filter(({ is }) => is !== 'go')) expect(outcome).to.deep.equal({ is: 'budget', used: 7, max: 7 });
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(7);
  });

  it('sends one of 40 identical writes at once in two processes', async () => {
    const by = await heldJob(store);
    const ended = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? store : other).calls.intendWrite(writeIntent(by))));
    expect(ended.filter(({ is }) => is === 'go')).to.have.length(1);
    expect(ended.filter(({ is }) => is === 'in-flight')).to.have.length(39);
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(1);
  });

  it('refuses a lost claim, an expired lease and a job that ended', async () => {
    const by = await heldJob(store);
    expectIs(await store.calls.intendRead(readIntent({ ...by, claim: 'somebody-else' })), 'lost-lease');
    expectIs(await store.calls.intendRead(readIntent({ ...by, job: 'no-such-job' })), 'lost-lease');
    w.clock.now = START + LEASE_MS;
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'lost-lease');
    w.clock.now = START + LEASE_MS - 1;
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    const ended = await heldJob(store);
    await store.jobs.finish(ended, { status: 'done', result: '{}', error: null, usage: null, lines: [] });
    expectIs(await store.calls.intendRead(readIntent(ended)), 'lost-lease');
  });

  it('stops the next call of a running job as soon as one of its flags is set, and says which', async () => {
    const by = await heldJob(store);
    const stops = ['hub', 'client:crm', `route:${by.job}`, 'provider:orders', 'tool:orders/refund'];
    expectIs(await store.calls.intendRead(readIntent(by, { stops })), 'go');
    await other.stops.set(`route:${by.job}`, 'ann');
    await other.stops.set(`route:${by.job}`, 'bob');
    expect(await store.stops.isSet(`route:${by.job}`)).to.equal(true);
    expect(await store.calls.intendWrite(writeIntent(by, 'a', { stops }))).to.deep.equal({ is: 'stopped', what: `route:${by.job}` });
    expect(await store.calls.intendRead(readIntent(by, { stops }))).to.deep.equal({ is: 'stopped', what: `route:${by.job}` });
    expectIs(await store.calls.intendRead(readIntent(by, { stops: [] })), 'go');
    await other.stops.clear(`route:${by.job}`);
    expectIs(await store.calls.intendRead(readIntent(by, { stops })), 'go');
  });

  it('counts a sliding window exactly and says when there is room again', async () => {
    const by = await heldJob(store);
    const spends = [{ bucket: `tool:${by.job}`, limit: 3, windowMs: 1_000, cost: 1 }];
    const call = async (at: number) => {
      w.clock.now = START + at;
      return await store.calls.intendRead(readIntent(by, { spends }));
    };
    for (const at of [0, 400, 800]) expectIs(await call(at), 'go');
    expect(await call(999)).to.deep.equal({ is: 'rate', bucket: `tool:${by.job}`, retryInMs: 1 });
    expectIs(await call(1_000), 'go');
    expect(await call(1_001)).to.deep.equal({ is: 'rate', bucket: `tool:${by.job}`, retryInMs: 399 });
    expectIs(await call(1_400), 'go');
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(5);
  });

  it('takes all spends of a call or none', async () => {
    const by = await heldJob(store);
    const wide = { bucket: `provider:${by.job}`, limit: 5, windowMs: 60_000, cost: 1 };
    const narrow = { bucket: `tool:${by.job}`, limit: 1, windowMs: 60_000, cost: 1 };
    expectIs(await store.calls.intendRead(readIntent(by, { spends: [wide, narrow] })), 'go');
    for (let i = 0; i < 6; i += 1) expectIs(await store.calls.intendRead(readIntent(by, { spends: [wide, narrow] })), 'rate');
    for (let i = 0; i < 4; i += 1) expectIs(await store.calls.intendRead(readIntent(by, { spends: [wide] })), 'go');
    expectIs(await store.calls.intendRead(readIntent(by, { spends: [wide] })), 'rate');
  });

  it('counts one bucket under two windows apart, in one call too', async () => {
    const by = await heldJob(store);
    const minute = { bucket: by.job, limit: 2, windowMs: 1_000, cost: 1 };
    const day = { bucket: by.job, limit: 3, windowMs: 10_000, cost: 1 };
    const call = () => store.calls.intendRead(readIntent(by, { spends: [minute, day] }));
    expectIs(await call(), 'go');
    expectIs(await call(), 'go');
    expectIs(await call(), 'rate');
    w.clock.now = START + 1_000;
    expectIs(await call(), 'go');
    expect(await call()).to.deep.equal({ is: 'rate', bucket: by.job, retryInMs: 9_000 });
  });

  it('never lets more than the limit through, in two processes and at once, in any order of buckets', async () => {
    const by = [await heldJob(store), await heldJob(store), await heldJob(store), await heldJob(store)];
    const a = { bucket: `a:${by[0]?.job ?? ''}`, limit: 10, windowMs: 60_000, cost: 1 };
    const b = { bucket: `b:${by[0]?.job ?? ''}`, limit: 14, windowMs: 60_000, cost: 2 };
    const ended = await Promise.all(
      Array.from({ length: 48 }, (_, i) => {
        const spends = i % 2 === 0 ? [a, b] : [b, a];
        return (i % 3 === 0 ? other : store).calls.intendRead(readIntent(by[i % 4] ?? by[0]!, { spends }));
      }),
    );
    expect(ended.filter(({ is }) => is === 'go')).to.have.length(7);
    expect(ended.filter(({ is }) => is === 'rate')).to.have.length(41);
  });

  it('shares rate buckets that belong to no call between processes', async () => {
    const spend = { bucket: `client:${String(Math.random())}`, limit: 5, windowMs: 60_000, cost: 1 };
    const ended = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? store : other).rates.take([spend])));
    expect(ended.filter(({ is }) => is === 'taken')).to.have.length(5);
    expect(await store.rates.take([])).to.deep.equal({ is: 'taken' });
    expectIs(await store.rates.take([{ ...spend, cost: 9, windowMs: 1_000 }]), 'rate');
  });

  it('counts on when the clock of one process runs behind', async () => {
    const by = await heldJob(store);
    const spends = [{ bucket: by.job, limit: 2, windowMs: 1_000, cost: 1 }];
    w.clock.now = START + 5_000;
    expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'go');
    w.clock.now = START + 4_500;
    expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'go');
    expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'rate');
    w.clock.now = START + 6_000;
    expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'go');
  });

  it('takes a call down, not its limit, when a quota declares nonsense', async () => {
    const by = await heldJob(store);
    for (const cost of [-1, 0.5, Number.NaN]) {
      const spends = [{ bucket: 'x', limit: 5, windowMs: 1_000, cost }];
      const error = await store.calls.intendRead(readIntent(by, { spends })).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 'BAILING_GATE_FAILED');
    }
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(0);
  });

  it('lets nothing go after two failures in a row, of reads and writes alike, and forgets one after a success', async () => {
    const by = await heldJob(store);
    const read = async (failed: boolean) => {
      const { ticket } = expectIs(await store.calls.intendRead(readIntent(by, { tool: 't' })), 'go');
      store.calls.settleRead(ticket, failed, line('tool_result', by.job));
    };
    await read(true);
    expect(await store.calls.twiceFailed(by.job, 't')).to.equal(false);
    await read(false);
    await read(true);
    expect(await store.calls.twiceFailed(by.job, 't')).to.equal(false);
    await read(true);
    expect(await store.calls.twiceFailed(by.job, 't')).to.equal(true);
    expect(await other.calls.twiceFailed(by.job, 't')).to.equal(true);
    expect(await store.calls.twiceFailed(by.job, 'another')).to.equal(false);
    expectIs(await store.calls.intendRead(readIntent(by, { tool: 't' })), 'twice-failed');
    expectIs(await other.calls.intendRead(readIntent(by, { tool: 't' })), 'twice-failed');
    const overlapping = expectIs(await store.calls.intendWrite(writeIntent(by, 'c')), 'go').ticket;
    for (const what of ['a', 'b']) {
      const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, what)), 'go');
      await store.calls.settleWrite(ticket, { ok: false, status: 500, text: '' }, line('tool_result', by.job));
    }
    expect(await store.calls.twiceFailed(by.job, 'refund')).to.equal(true);
    const used = (await store.jobs.get(by.job))?.callsUsed;
    expectIs(await store.calls.intendWrite(writeIntent(by, 'd')), 'twice-failed');
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(used);
    await store.calls.settleWrite(overlapping, { ok: true, status: 200, text: '' }, line('tool_result', by.job));
    expect(await store.calls.twiceFailed(by.job, 'refund')).to.equal(false);
    expectIs(await store.calls.intendWrite(writeIntent(by, 'd')), 'go');
  });

  it('counts failures in the order in which calls that overlap end', async () => {
    const by = await heldJob(store);
    const a = expectIs(await store.calls.intendRead(readIntent(by, { tool: 'o' })), 'go').ticket;
    const b = expectIs(await store.calls.intendRead(readIntent(by, { tool: 'o' })), 'go').ticket;
    const c = expectIs(await store.calls.intendRead(readIntent(by, { tool: 'o' })), 'go').ticket;
    store.calls.settleRead(a, true, line('tool_result', by.job));
    store.calls.settleRead(b, false, line('tool_result', by.job));
    store.calls.settleRead(c, true, line('tool_result', by.job));
    expect(await store.calls.twiceFailed(by.job, 'o')).to.equal(false);
  });
});
