import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { line, onEveryDatabase, START, type World, world } from './world.js';

onEveryDatabase('Configuration objects', (fixture) => {
  let w: World;
  let store: Store;
  let other: Store;
  before(async () => {
    w = await world(fixture);
    store = w.store;
    other = await w.another();
  });
  after(() => w.end());

  const change = (name: string, doc: string | null, kind = 'routes') => ({ kind, name, doc });

  it('are written with their line and one revision for all, which every process sees', async () => {
    expect(await store.objects.rev()).to.equal(0);
    expect(await store.objects.since(0)).to.deep.equal({ rev: 0, names: new Set(), changed: [] });
    expect(await store.objects.write(0, [change('a', '{"x":"😀"}'), change('b', '{}')], 'ann', [line('config_change', '-')])).to.equal(1);
    expect(await other.objects.rev()).to.equal(1);
    const seen = await other.objects.since(0);
    expect(seen.names).to.deep.equal(new Set(['routes/a', 'routes/b']));
    expect(seen.changed[0]).to.deep.equal({ kind: 'routes', name: 'a', doc: '{"x":"😀"}', rev: 1, updatedAt: START, updatedBy: 'ann' });
    expect((await store.jobs.audit('-', 0, 100)).filter(({ event }) => event === 'config_change')).to.have.length(1);
  });

  it('are told by what changed since a revision, removals by their absence', async () => {
    expect(await store.objects.write(1, [change('a', null), change('c', '{}'), change('b', '{"n":2}')], 'bob', [])).to.equal(2);
    const { rev, names, changed } = await other.objects.since(1);
    expect([rev, [...names].sort(), changed.map(({ name }) => name).sort()]).to.deep.equal([2, ['routes/b', 'routes/c'], ['b', 'c']]);
    expect(await store.objects.since(2)).to.deep.include({ rev: 2, changed: [] });
  });

  it('let one of many writers through who looked at the same revision, and leave nothing of the others', async () => {
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? store : other).objects.write(2, [change(`w${String(i)}`, '{}')], 'x', [line('config_change', '-')]),
      ),
    );
    expect(ended.filter((one) => one === 3)).to.have.length(1);
    expect(ended.filter((one) => one === 'moved')).to.have.length(7);
    expect((await store.objects.since(2)).changed).to.have.length(1);
    expect((await store.jobs.audit('-', 0, 100)).filter(({ event }) => event === 'config_change')).to.have.length(2);
  });

  it('keep their revision under another seal, and lose no write that came between', async () => {
    const [row] = (await store.objects.since(2)).changed;
    if (!row) throw new Error('there is no row');
    expect(await store.objects.reseal(row, '{"sealed":2}')).to.equal(true);
    expect(await store.objects.reseal(row, '{"sealed":3}')).to.equal(false);
    const [after] = (await other.objects.since(2)).changed;
    expect(after).to.deep.equal({ ...row, doc: '{"sealed":2}' });
    expect(await store.objects.rev()).to.equal(3);
  });

  it('hold a document of five megabytes', async () => {
    const doc = JSON.stringify({ spec_json: 'x'.repeat(5_242_880) });
    expect(await store.objects.write(3, [change('big', doc, 'tool_providers')], 'ann', [])).to.equal(4);
    expect((await other.objects.since(3)).changed[0]?.doc.length).to.equal(doc.length);
  });
});
