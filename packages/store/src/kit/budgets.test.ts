import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { expectIs, heldJob, line, newJob, onEveryDatabase, START, type World, world } from './world.js';

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
