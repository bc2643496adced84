import { expect } from 'chai';
import { openDatabase } from '../open-store.js';
import { onEveryDatabase, START, type World, world } from '../kit/world.js';
import { Lane } from '../lane/lane.js';
import { Lanes } from '../lane/lanes.js';
import { lockInOrder } from '../lane/lock-buckets.js';
import { Chain } from '../ledger/chain.js';
import { Sweeper } from './sweeper.js';

onEveryDatabase('The sweeper', (fixture) => {
  let w: World;
  before(async () => {
    w = await world(fixture);
  });
  after(() => w.end());

  it('removes spends that left their window, bucket after bucket, and nothing a limit can still see', async () => {
    const spend = (bucket: string, windowMs: number) => w.store.rates.take([{ bucket, limit: 100, windowMs, cost: 1 }]);
    // Left behind by a process that is gone, more than one step takes.
    const left = await w.another();
    const put = (i: number, ttlMs?: number) => left.records('p').put(`k${String(i)}`, 'v', ttlMs === undefined ? {} : { ttlMs });
    await Promise.all(Array.from({ length: 600 }, (_, i) => put(i, 1)));
    await put(600, 100_000);
    await put(601);
    for (let i = 0; i < 70; i += 1) await spend(`idle:${String(i).padStart(3, '0')}`, 1_000);
    await spend('long', 100_000);
    await spend('busy', 1_000);
    w.clock.now = START + 1_000;
    await spend('busy', 1_000);
    const database = await openDatabase({ url: w.database.url, lanes: 1 });
    const context = { chain: new Chain('sweep'), now: () => w.clock.now, failpoint: undefined, committing: false };
    const lockHot = fixture.name === 'mysql' ? lockInOrder : undefined;
    const lane = new Lane({ connection: database.writers[0]!, context: { ...context, lockHot }, onCommit: undefined, inKeyOrder: false });
    const sweeper = new Sweeper(new Lanes([lane]), database.reader, () => w.clock.now);
    await sweeper.sweep();
    await sweeper.sweep();
    const kept = await w.database.query('SELECT record_key FROM bz_plugin_records ORDER BY record_key');
    expect(kept.map((row) => row['record_key'])).to.deep.equal(['k600', 'k601']);
    const spends = await w.database.query('SELECT bucket, at FROM bz_rate_spends ORDER BY bucket');
    expect(spends.map(({ bucket, at }) => [bucket, Number(at)])).to.deep.equal([
      ['busy@1000', START + 1_000],
      ['long@100000', START],
    ]);
    if (fixture.name === 'mysql') expect(await w.database.query('SELECT bucket FROM bz_rate_buckets')).to.have.length(2);
    await database.close();
    for (let i = 0; i < 100; i += 1) await spend('long', 100_000);
    expect(await spend('long', 100_000)).to.include({ is: 'rate' });
  });
});
