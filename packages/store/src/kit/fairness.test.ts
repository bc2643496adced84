import type { Store } from '@bailing/engine/ports';
import { expect } from 'chai';
import { LEASE_MS, line, newJob, onEveryDatabase, START, type World, world } from './world.js';

onEveryDatabase('A queue of several clients', (fixture) => {
  let w: World;
  let store: Store;
  let serial = 0;
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
  });
  after(() => w.end());

  async function queue(target: string, owner: string, count: number): Promise<void> {
    const jobs = Array.from({ length: count }, () => newJob({ owner, target, createdAt: START - 1_000_000 + (serial += 1) }));
    await Promise.all(jobs.map((job) => store.jobs.accept(job, line('received', job.id), false)));
  }
  const take = (target: string, max: number, at = store) => at.jobs.take({ replica: 'r', max, leaseMs: LEASE_MS, targets: [target] });
  const owners = (taken: readonly { readonly job: { readonly owner: string } }[]) => taken.map(({ job }) => job.owner);

  it('serves one job of a client second, behind three hundred of another that came first', async function () {
    this.timeout(30_000);
    await queue('flood', 'greedy', 300);
    await queue('flood', 'modest', 1);
    expect([...owners(await take('flood', 1)), ...owners(await take('flood', 1))]).to.deep.equal(['greedy', 'modest']);
    w.forget();
    const four = await take('flood', 4);
    expect(owners(four)).to.deep.equal(Array(4).fill('greedy'));
    const reads = w.statements.filter((name) => name === 'next-owner' || name === 'queued-of-owner');
    expect(reads.length).to.be.at.most(5);
  });

  it('gives three clients the same share, and what one does not need to the others', async () => {
    for (const [owner, count] of [
      ['a', 40],
      ['b', 40],
      ['c', 3],
    ] as const)
      await queue('share', owner, count);
    const taken: string[] = [];
    for (let i = 0; i < 5; i += 1) taken.push(...owners(await take('share', 6)));
    const of = (owner: string) => taken.filter((one) => one === owner).length;
    expect(taken).to.have.length(30);
    expect(of('c')).to.equal(3);
    expect(Math.abs(of('a') - of('b'))).to.be.at.most(1);
  });

  it('keeps the order of each client’s own jobs, also over two processes', async () => {
    await queue('order', 'a', 12);
    await queue('order', 'b', 12);
    const other = await w.another();
    const seen: { owner: string; createdAt: number }[] = [];
    for (let i = 0; i < 12; i += 1) for (const { job } of await take('order', 1, i % 2 ? store : other)) seen.push(job);
    for (const owner of ['a', 'b']) {
      const times = seen.filter((job) => job.owner === owner).map(({ createdAt }) => createdAt);
      expect(times).to.have.length.within(5, 7);
      expect(times).to.deep.equal([...times].sort((x, y) => x - y));
    }
  });

  it('hands out the job that waited longest where a worker serves several targets, and every client of each in turn', async () => {
    await queue('left', 'a', 3);
    await queue('right', 'a', 1);
    await queue('right', 'b', 1);
    const both = () => store.jobs.take({ replica: 'r', max: 1, leaseMs: LEASE_MS, targets: ['left', 'right'] });
    const seen: string[] = [];
    for (let i = 0; i < 6; i += 1) seen.push(...(await both()).map(({ job }) => `${job.target}/${job.owner}`));
    expect(seen).to.deep.equal(['left/a', 'left/a', 'left/a', 'right/a', 'right/b']);
    await queue('left', 'a', 2);
    await queue('right', 'b', 3);
    const rest = await store.jobs.take({ replica: 'r', max: 8, leaseMs: LEASE_MS, targets: ['left', 'right'] });
    expect(rest).to.have.length(5);
  });
});
