import { expect } from 'chai';
import type { Holder } from '@bailing/engine/ports';
import { END } from './desk.js';
import { heldJob, LEASE_MS, line, onEveryDatabase, START, type World, world } from './world.js';

onEveryDatabase('Rounds of the model loop', (fixture) => {
  let w: World;
  before(async () => {
    w = await world(fixture);
  });
  after(() => w.end());
  beforeEach(() => {
    w.clock.now = START;
  });

  it('are kept byte for byte, the newest in place of the one before, in one commit of one statement', async () => {
    const by = await heldJob(w.store);
    expect(await w.store.jobs.round(by.job)).to.equal(null);
    expect(await w.store.jobs.saveRound(by, 'first')).to.equal('saved');
    const state = `quotes ' " \\ \u0000 😀 ${'x'.repeat(2_000_000)}`;
    w.forget();
    expect(await w.store.jobs.saveRound(by, state)).to.equal('saved');
    expect(w.commits).to.deep.equal([['save-round']]);
    expect(await w.store.jobs.round(by.job)).to.equal(state);
  });

  it('are written under the claim that holds the job only', async () => {
    const by = await heldJob(w.store);
    await w.store.jobs.saveRound(by, 'mine');
    const stranger: Holder = { ...by, claim: '00000000-0000-4000-8000-000000000000' };
    expect(await w.store.jobs.saveRound(stranger, 'theirs')).to.equal('lost-lease');
    expect(await w.store.jobs.saveRound({ ...by, job: 'nobody' }, 'theirs')).to.equal('lost-lease');
    expect(await w.store.jobs.round(by.job)).to.equal('mine');
  });

  it('outlive a worker that stopped renewing, and a job that is put back, and go with its end', async () => {
    const by = await heldJob(w.store, { target: 'rounds' });
    await w.store.jobs.saveRound(by, 'where it stood');
    w.clock.now += LEASE_MS + 1;
    const other = await w.another();
    const [taken] = await other.jobs.take({ replica: 'r9', max: 1, leaseMs: LEASE_MS, targets: ['rounds'] });
    expect(taken?.recovered).to.equal(true);
    expect(await other.jobs.round(by.job)).to.equal('where it stood');
    expect(await w.store.jobs.saveRound(by, 'late')).to.equal('lost-lease');
    const now = taken!.by;
    await other.jobs.putBack(now, w.clock.now, false, line('job_released', by.job));
    expect(await other.jobs.round(by.job)).to.equal('where it stood');
    const [again] = await other.jobs.take({ replica: 'r9', max: 1, leaseMs: LEASE_MS, targets: ['rounds'] });
    await other.jobs.finish(again!.by, { ...END, lines: [line('finished', by.job)] });
    expect(await other.jobs.round(by.job)).to.equal(null);
  });
});
