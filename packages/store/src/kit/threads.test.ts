import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { JobRow, NewJob, Store } from '@bailing/engine/ports';
import { expectIs, LEASE_MS, line, newJob, onEveryDatabase, type World, world } from './world.js';

const MAX = 6;

onEveryDatabase('Threads of jobs', (fixture) => {
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

  function joining(scope: string, target: string, more: Partial<NewJob> = {}): NewJob {
    const id = randomUUID();
    const refusal = { error: 'thread_inflight_quota', line: line('rejected', id, { detail: '{"reason":"thread_inflight_quota"}' }) };
    return newJob({ id, target, thread: { scope, keepsSession: true, maxInFlight: MAX, refusal }, ...more });
  }
  async function accept(job: NewJob, at = store): Promise<JobRow> {
    return expectIs(await at.jobs.accept(job, line('received', job.id), false), 'new').job;
  }
  const take = (target: string, at = store, max = 8) => at.jobs.take({ replica: 'r', max, leaseMs: LEASE_MS, targets: [target] });
  const end = { status: 'done' as const, result: null, error: null, usage: null, lines: [] };

  it('keep the session of their first job, and say so to every later one', async () => {
    const first = await accept(joining('u-1', 'keeps'));
    const second = await accept(joining('u-1', 'keeps'), other);
    expect([first.isContinue, second.isContinue, second.sessionId]).to.deep.equal([false, true, first.sessionId]);
    expect(second.threadId).to.equal(first.threadId).and.be.a('number');
    expect(await store.jobs.get(second.id)).to.deep.equal(second);
    const said = JSON.parse((await store.jobs.audit(second.id, 0, 1))[0]!.detail) as object;
    expect(said).to.include({ session: first.sessionId, continue: true, thread_id: first.threadId });
    const elsewhere = await accept(joining('u-1', 'keeps', { route: 'orders' }));
    expect([elsewhere.isContinue, elsewhere.threadId === first.threadId]).to.deep.equal([false, false]);
    expect((await store.jobs.find({ threadId: first.threadId! }, 10)).map(({ id }) => id).sort()).to.deep.equal(
      [first.id, second.id].sort(),
    );
  });

  it('do not count a request asked twice', async () => {
    const job = joining('u-2', 'twice');
    await accept(job);
    for (let i = 0; i < 8; i += 1) {
      const again = joining('u-2', 'twice', { requestId: job.requestId });
      expect((await other.jobs.accept(again, line('received', again.id), false)).is).to.equal('same');
    }
    expect((await accept(joining('u-2', 'twice'))).status).to.equal('queued');
  });

  it('hand out one job at a time, in the order they were accepted, whoever asks', async function () {
    this.timeout(20_000);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await accept(joining('u-3', 'fifo'), i % 2 ? store : other)).id);
    const alone = newJob({ target: 'fifo' });
    await store.jobs.accept(alone, line('received', alone.id), false);
    const order: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const taken = (await Promise.all([take('fifo'), take('fifo', other), take('fifo')])).flat();
      const mine = taken.filter(({ job }) => job.id !== alone.id);
      expect(mine).to.have.length(1);
      order.push(mine[0]!.job.id);
      expect(await take('fifo')).to.deep.equal([]);
      expect(await store.jobs.finish(mine[0]!.by, end)).to.equal('finished');
    }
    expect(order).to.deep.equal(ids);
  });

  it('refuse the seventh unended job, which is over at once, also where many come at the same moment', async function () {
    this.timeout(20_000);
    const jobs = await Promise.all(Array.from({ length: 10 }, (_, i) => accept(joining('u-4', 'full'), i % 2 ? store : other)));
    expect(jobs.filter(({ status }) => status === 'queued')).to.have.length(MAX);
    const refused = jobs.filter(({ status }) => status === 'rejected');
    expect(refused).to.have.length(4);
    expect(await store.jobs.get(refused[0]!.id)).to.deep.equal(refused[0]);
    expect((await store.jobs.audit(refused[0]!.id, 0, 5)).map(({ event }) => event)).to.deep.equal(['received', 'rejected']);
    const [taken] = await take('full');
    await store.jobs.finish(taken!.by, end);
    expect((await accept(joining('u-4', 'full'))).status).to.equal('queued');
  });
});
