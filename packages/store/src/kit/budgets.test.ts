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

  it('is listed by route and owner, the dearest first, over more jobs than one step sums up', async () => {
    const names = Array.from({ length: 4_500 }, (_, n) => `listed-${String(n)}`);
    const route = (n: number) => (n % 3 === 0 ? 'dear' : 'cheap');
    // Many at one time: a step never ends between two of them.
    const at = (n: number) => START + 10_000 + Math.floor(n / 900);
    const columns = 'source, session_id, is_continue, status, attempts, max_attempts, calls_used, lease_until, run_after, updated_at';
    const jobs = names.map(
      (id, n) => `('${id}', '${id}', 'o-9', '${route(n)}', 't', ${String(at(n))}, 's', 's', 0, 'done', 0, 1, 0, 0, 0, 0)`,
    );
    const texts = names.map((id, n) => `('${id}', '', '{}', '{"tokens":1,"cost_usd":${route(n) === 'dear' ? '0.5' : '0.1'}}')`);
    await w.database.query(`INSERT INTO bz_jobs (id, request_id, owner, route, target, created_at, ${columns}) VALUES ${jobs.join(',')}`);
    await w.database.query(`INSERT INTO bz_job_texts (job_id, input, metadata, usage_json) VALUES ${texts.join(',')}`);
    const [dear, cheap] = [
      { route: 'dear', owner: 'o-9', jobs: 1_500, tokens: 1_500, costUsd: 750 },
      { route: 'cheap', owner: 'o-9', jobs: 3_000, tokens: 3_000, costUsd: 300 },
    ];
    expect(await store.jobs.usage(START + 9_999, 10)).to.deep.equal([dear, cheap]);
    expect(await store.jobs.usage(START + 9_999, 1)).to.deep.equal([dear]);
    expect(await store.jobs.usage(START + 10_003, 10)).to.deep.equal([
      { ...dear, jobs: 300, tokens: 300, costUsd: 150 },
      { ...cheap, jobs: 600, tokens: 600, costUsd: 60 },
    ]);
    expect(await store.jobs.usage(START + 99_999, 10)).to.deep.equal([]);
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
