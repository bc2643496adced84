import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { expectIs, heldJob, line, newJob, onEveryDatabase, START, type World, world, writeIntent } from './world.js';
import { consuming, decided } from './desk.js';

const DONE = { ok: true, status: 200, text: 'sent' };

onEveryDatabase('What jobs used', (fixture) => {
  let w: World;
  let store: Store;
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
  });
  after(() => w.end());

  it('is summed over a window, by route and by owner, whatever was reported', async () => {
    const used = async (usage: unknown, more: object) => {
      const by = await heldJob(store, { route: 'spend', owner: 'o-1', ...more });
      await store.jobs.finish(by, {
        status: 'done',
        result: null,
        error: null,
        usage: usage === null ? null : JSON.stringify(usage),
        lines: [],
      });
    };
    await used({ tokens: 100, cost_usd: 0.25 }, {});
    await used({ tokens: 50, cost_usd: 0.1 }, { owner: 'o-2' });
    await used({ tokens: 7 }, { createdAt: START - 5_000 });
    for (const odd of [null, {}, { tokens: -500, cost_usd: -3 }, { tokens: 'many', cost_usd: {} }, { tokens: null, cost_usd: [] }])
      await used(odd, {});
    expect(await store.jobs.spent({ route: 'spend' }, START - 1_000)).to.deep.equal({ tokens: 150, costUsd: 0.35 });
    expect(await store.jobs.spent({ route: 'spend' }, START - 9_000)).to.deep.equal({ tokens: 157, costUsd: 0.35 });
    expect(await store.jobs.spent({ owner: 'o-2' }, 0)).to.deep.equal({ tokens: 50, costUsd: 0.1 });
    expect(await store.jobs.spent({ route: 'nothing' }, 0)).to.deep.equal({ tokens: 0, costUsd: 0 });
  });

  it('leaves messages out: they go where the calls are used up, use none, and give back what their question held', async () => {
    const by = await heldJob(store);
    const used = async () => (await store.jobs.get(by.job))?.callsUsed;
    const send = async (what: string, more: object = {}) => {
      const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, what, { maxCalls: 1, uncounted: true, ...more })), 'go');
      return ticket;
    };
    await store.calls.settleWrite(await send('a'), DONE, line('x', by.job));
    expect(await used()).to.equal(0);
    const id = await decided(store, by, 'held');
    expectIs(await store.calls.intendWrite(writeIntent(by, 'call', { maxCalls: 1 })), 'budget');
    const approved = await send('held', consuming(by, id, 'held'));
    await store.calls.withdraw(approved, line('x', by.job));
    expectIs(await store.calls.intendWrite(writeIntent(by, 'call', { maxCalls: 1 })), 'budget');
    await store.calls.settleWrite(await send('held', consuming(by, id, 'held')), DONE, line('x', by.job));
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, 'call', { maxCalls: 1 })), 'go');
    await store.calls.settleWrite(ticket, DONE, line('x', by.job));
    expect(await used()).to.equal(1);
    await store.calls.settleWrite(await send('b'), DONE, line('x', by.job));
    expectIs(await store.calls.intendWrite(writeIntent(by, 'again', { maxCalls: 1 })), 'budget');
    const gone = writeIntent({ ...by, claim: 'somebody-elses' }, 'c', { uncounted: true });
    expectIs(await store.calls.intendWrite(gone), 'lost-lease');
  });

  it('makes a job be over as it is accepted, and its request id is taken', async () => {
    const job = newJob({ target: 'refused' });
    const refusal = { error: 'budget_route_tokens_exceeded: used up', line: line('rejected', job.id) };
    const made = expectIs(await store.jobs.accept({ ...job, refusal }, line('received', job.id), false), 'new').job;
    expect(made).to.include({ status: 'rejected', error: refusal.error });
    expect(await store.jobs.get(job.id)).to.deep.equal(made);
    expectIs(await store.jobs.accept(newJob({ requestId: job.requestId }), line('received', job.id), false), 'same');
    expect((await store.jobs.audit(job.id, 0, 9)).map(({ event }) => event)).to.deep.equal(['received', 'rejected']);
  });
});
