import type { End, Store } from '@bailing/engine/ports';
import { expect } from 'chai';
import { LEASE_MS, line, newJob, onEveryDatabase, START, type World, world } from './world.js';

onEveryDatabase('Jobs that wait', (fixture) => {
  let w: World;
  let store: Store;
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
  });
  after(() => w.end());

  const end = (job: string): End => ({
    ...{ status: 'error', result: null, error: 'late', usage: null },
    lines: [line('finished', job)],
    outgoing: [{ dedupe: `callback:${job}`, kind: 'callback', ref: job, target: '{}', body: null, job, requestId: 'r', signAs: 'crm' }],
  });
  async function queued(createdAt: number): Promise<string> {
    const job = newJob({ target: 'nobody', createdAt });
    await store.jobs.accept(job, line('received', job.id), false);
    return job.id;
  }

  it('are found once they have been due for long enough, and end once, with what must be sent', async () => {
    const [old, young] = [await queued(START - 1_000), await queued(START)];
    expect((await store.jobs.waiting(START - 500, 10)).map(({ id }) => id)).to.deep.equal([old]);
    const other = await w.another();
    const moved = await Promise.all([store, other].map((one) => one.jobs.expire(old, START - 500, end(old))));
    expect(moved.sort()).to.deep.equal(['expired', 'moved']);
    expect(await store.jobs.expire(young, START - 500, end(young))).to.equal('moved');
    expect(await store.jobs.get(old)).to.include({ status: 'error', error: 'late' });
    expect((await store.jobs.audit(old, 0, 10)).map(({ event }) => event)).to.deep.equal(['received', 'finished']);
    expect((await store.outbox.take(8, LEASE_MS)).map(({ dedupe }) => dedupe)).to.deep.equal([`callback:${old}`]);
  });

  it('are taken by whoever serves more targets than one statement takes, and no group of them waits for another', async () => {
    const targets = Array.from({ length: 150 }, (_, n) => `many-${String(n)}`);
    const worker = { replica: 'r', max: 1, leaseMs: LEASE_MS, targets };
    const jobs = [0, 1, 2, 100, 149].map((n) => newJob({ target: `many-${String(n)}` }));
    for (const job of jobs) await store.jobs.accept(job, line('received', job.id), false);
    const first = await Promise.all([0, 1, 2].map(() => store.jobs.take(worker)));
    expect(first.flat().map(({ job }) => job.target)).to.include.members(['many-100', 'many-149']);
    const rest = [...(await store.jobs.take(worker)), ...(await store.jobs.take(worker))];
    const all = [...first.flat(), ...rest];
    expect(all.map(({ job }) => job.id)).to.have.members(jobs.map(({ id }) => id));
    for (const { by, job } of all) {
      await store.jobs.finish(by, { ...end(job.id), outgoing: [] });
      await store.jobs.rerun(job.id, 0, line('rerun', job.id));
    }
    const approved: string[] = [];
    for (let n = 0; n < 5; n += 1)
      approved.push(...(await store.jobs.takeApproved({ ...worker, headStartMs: 0 })).map(({ job }) => job.id));
    expect(approved).to.have.members(jobs.map(({ id }) => id));
    expect(await store.jobs.take({ ...worker, targets: [] })).to.deep.equal([]);
  });

  it('do not end under somebody who has begun with them, and wait anew when they were put back', async () => {
    const job = await queued(START - 2_000);
    const [taken] = await store.jobs.take({ replica: 'r', max: 1, leaseMs: LEASE_MS, targets: ['nobody'] });
    expect(taken?.job.id).to.equal(job);
    expect(await store.jobs.expire(job, START, end(job))).to.equal('moved');
    await store.jobs.putBack(taken!.by, START + 5_000, true, line('retry_scheduled', job));
    expect(await store.jobs.expire(job, START, end(job))).to.equal('moved');
    expect(await store.jobs.expire(job, START + 5_000, end(job))).to.equal('expired');
  });

  it('that failed lately are found by target and time, bounded, without those that tell an alert', async () => {
    const failed: string[] = [];
    for (const [source, createdAt] of [
      ['crm', START],
      ['crm', START],
      ['crm', START],
      ['alert', START],
      ['crm', START - 9_000],
    ] as const) {
      const job = newJob({ target: 'flaky', createdAt, source });
      await store.jobs.accept(job, line('received', job.id), false);
      expect(await store.jobs.expire(job.id, START + 1, { ...end(job.id), outgoing: [] })).to.equal('expired');
      if (source === 'crm') failed.push(job.id);
    }
    const of = (more: object) => store.jobs.failures({ targets: ['flaky', 'other'], madeAfter: START - 1, since: 0, limit: 10, ...more });
    expect([...(await of({}))].sort()).to.deep.equal(failed.slice(0, 3).sort());
    expect(await of({ madeAfter: 0 })).to.have.length(4);
    expect(await of({ limit: 2 })).to.have.length(2);
    const many = Array.from({ length: 150 }, (_, n) => `unused-${String(n)}`);
    expect(await of({ targets: [...many, 'flaky'] })).to.have.members(failed.slice(0, 3));
    expect(await of({ targets: ['flaky', ...many, 'flaky'], limit: 2 })).to.have.length(2);
    for (const none of [{ targets: [] }, { targets: ['other'] }, { since: START + 3_600_000_000 }])
      expect(await of(none)).to.deep.equal([]);
  });
});
