import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { RevisionText } from '../ports/index.js';
import { Catalogue } from './catalogue.js';
import { Pins } from './pins.js';
import { makeRevision, revisionId, type Revision } from './revision.js';

const schema = { compile: () => () => [] };
const textOf = (document: string, provider = 'orders'): RevisionText => ({
  ...{ id: revisionId(provider, document), provider, document, overlay: null },
});
const draft = (name: string): ToolDraft => ({
  ...{ name, method: 'GET', path: `/${name}`, input: {}, binding: {}, says: name },
  acc: { version: 1, enabled: true, scope: `s.${name}` },
});
const compiled = ({ provider, document }: RevisionText): Revision =>
  makeRevision(provider, document, { drafts: [draft(document)], operations: [], document: [] }, schema);

/** One database, as several hubs would share it. */
class Shared {
  readonly sets = new Map<string, readonly RevisionText[]>();
  compiles = 0;
  reads = 0;
  keeps = 0;
  fails = false;

  hub(clock = { now: () => 0 }): Catalogue {
    const catalogue = new Catalogue();
    catalogue.usePins(
      new Pins({
        clock,
        compile: (text) => {
          this.compiles++;
          return text.provider === 'gone' ? null : compiled(text);
        },
        revisions: {
          keepSet: (id, texts) => Promise.resolve(void (this.keeps++, this.sets.set(id, texts))),
          set: (id) => {
            this.reads++;
            if (this.fails) return Promise.reject(new Error('down'));
            const texts = this.sets.get(id);
            return Promise.resolve(texts ? new Map(texts.map((text) => [text.provider, text.id])) : null);
          },
          text: (id) => Promise.resolve([...this.sets.values()].flat().find((text) => text.id === id) ?? null),
        },
      }),
    );
    return catalogue;
  }
}

function install(catalogue: Catalogue, document: string, provider = 'orders'): void {
  const text = textOf(document, provider);
  catalogue.install(provider, compiled(text), text);
}

describe('revisions that jobs began with', () => {
  it('are named by content: the same documents give the same set on every hub, in any order', async () => {
    const shared = new Shared();
    const [one, two] = [shared.hub(), shared.hub()];
    install(one, 'a');
    install(one, 'x', 'ships');
    install(two, 'x', 'ships');
    install(two, 'a');
    expect(await one.stamp()).to.equal(await two.stamp());
    expect(one.setId).to.not.equal(shared.hub().setId);
  });

  it('cost nothing while they are current, and one commit when the set is new or has not been kept for long', async () => {
    let now = 0;
    const shared = new Shared();
    const hub = shared.hub({ now: () => now });
    install(hub, 'a');
    for (let i = 0; i < 5; i++) expect(await hub.pinned(await hub.stamp())).to.equal(hub.all());
    expect([shared.keeps, shared.reads, shared.compiles]).to.deep.equal([1, 0, 0]);
    now += 21_600_000;
    await hub.stamp();
    expect(shared.keeps).to.equal(2);
    install(hub, 'b');
    await hub.stamp();
    expect(shared.keeps).to.equal(3);
  });

  it('stay in the process that had them: no read of the text, no compile', async () => {
    const shared = new Shared();
    const hub = shared.hub();
    install(hub, 'a');
    const set = await hub.stamp();
    install(hub, 'b');
    expect([...((await hub.pinned(set)).get('orders')?.tools.keys() ?? [])]).to.deep.equal(['a']);
    expect([...(hub.current('orders')?.tools.keys() ?? [])]).to.deep.equal(['b']);
    expect(shared.compiles).to.equal(0);
  });

  it('are loaded and compiled once by another hub, however many jobs come back for them at once', async () => {
    const shared = new Shared();
    const first = shared.hub();
    install(first, 'a');
    install(first, 'x', 'ships');
    const set = await first.stamp();
    const second = shared.hub();
    install(second, 'b');
    install(second, 'x', 'ships');
    const pinned = await Promise.all([second.pinned(set), second.pinned(set), second.pinned(set)]);
    expect([...(pinned[0]?.get('orders')?.tools.keys() ?? [])]).to.deep.equal(['a']);
    expect(pinned[0]?.get('ships')).to.equal(second.current('ships'));
    expect([shared.reads, shared.compiles]).to.deep.equal([1, 1]);
  });

  it('that were collected leave the job with what is current; a failing store is told and not remembered', async () => {
    const shared = new Shared();
    const hub = shared.hub();
    install(hub, 'a');
    expect(await hub.pinned('unknown')).to.equal(hub.all());
    expect(await hub.pinned(null)).to.equal(hub.all());
    shared.fails = true;
    const failed = await hub.pinned('other').catch((error: unknown) => String(error));
    expect(failed).to.match(/down/);
    shared.fails = false;
    expect(await hub.pinned('other')).to.equal(hub.all());
  });

  it('of a provider that is not configured any more are simply missing', async () => {
    const shared = new Shared();
    const first = shared.hub();
    install(first, 'a');
    install(first, 'x', 'gone');
    const set = await first.stamp();
    const second = shared.hub();
    install(second, 'b');
    expect([...(await second.pinned(set)).keys()]).to.deep.equal(['orders']);
  });

  it('are bounded: a process that saw many documents keeps the last ones', async () => {
    const shared = new Shared();
    const first = shared.hub();
    const sets: string[] = [];
    for (let i = 0; i < 100; i++) {
      install(first, `d${String(i)}`);
      sets.push((await first.stamp()) ?? '');
    }
    const second = shared.hub();
    install(second, 'now');
    for (const set of sets) await second.pinned(set);
    const before = shared.compiles;
    await second.pinned(sets.at(-1));
    expect(shared.compiles).to.equal(before);
    await second.pinned(sets[0]);
    expect(shared.compiles).to.equal(before + 1);
  });
});
