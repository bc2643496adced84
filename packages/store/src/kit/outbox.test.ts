import { expect } from 'chai';
import type { NewOutgoing, Store } from '@bailing/engine/ports';
import { heldJob, line, onEveryDatabase, START, type World, world } from './world.js';

const LEASE_MS = 30_000;

onEveryDatabase('Outbox and duties', (fixture) => {
  let w: World;
  let store: Store;
  let other: Store;
  beforeEach(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    store = w.store;
    other = await w.another();
  });
  afterEach(() => w.end());

  function letter(dedupe: string, more: Partial<NewOutgoing> = {}): NewOutgoing {
    return {
      dedupe,
      kind: 'approval',
      ref: '1',
      target: '{"type":"webhook"}',
      body: null,
      job: 'j',
      requestId: 'r',
      signAs: 'crm',
      ...more,
    };
  }
  const said = (id: number) => [line('approval_notify', 'j', { detail: JSON.stringify({ id }) })];

  it('keeps each thing once and hands it to one process at a time', async () => {
    await Promise.all([store.outbox.put([letter('a'), letter('b')]), other.outbox.put([letter('a')]), other.outbox.put([letter('b')])]);
    const taken = (await Promise.all([store, other, store, other].map((one) => one.outbox.take(8, LEASE_MS)))).flat();
    expect(taken.map(({ dedupe }) => dedupe).sort()).to.deep.equal(['a', 'b']);
    expect(taken.every(({ attempt }) => attempt === 1)).to.equal(true);
    expect(await store.outbox.take(8, LEASE_MS)).to.deep.equal([]);
  });

  it('puts what an end must tell into the commit of that end, once, and nothing where the lease was lost', async () => {
    const by = await heldJob(store, { callbackUrl: 'https://biz.example/cb', metadata: '{"a":1,"no_delivery":true}' });
    expect((await store.jobs.get(by.job))?.callbackUrl).to.equal('https://biz.example/cb');
    const end = { status: 'done' as const, result: '{}', error: null, usage: null, lines: [], outgoing: [letter(`callback:${by.claim}`)] };
    expect(await store.jobs.finish({ ...by, claim: 'another' }, { ...end, outgoing: [letter('lost')] })).to.equal('lost-lease');
    expect(await other.jobs.finish(by, end)).to.equal('finished');
    expect(await store.jobs.finish(by, end)).to.equal('lost-lease');
    expect((await store.outbox.take(8, LEASE_MS)).map(({ dedupe }) => dedupe)).to.deep.equal([`callback:${by.claim}`]);
    expect(await store.jobs.rerun(by.job, 0, line('rerun', by.job))).to.equal('queued');
    expect(JSON.parse((await store.jobs.get(by.job))?.metadata ?? '')).to.deep.equal({ a: 1 });
  });

  it('begins an attempt again whose process died, with the bytes it had composed', async () => {
    await store.outbox.put([letter('a')]);
    const [first] = await store.outbox.take(8, LEASE_MS);
    expect(await store.outbox.keepBody(first!.id, 1, '{"n":1}')).to.equal('kept');
    expect(await store.outbox.keepBody(first!.id, 1, '{"n":2}')).to.equal('moved');
    w.clock.now = START + LEASE_MS;
    const [again] = await other.outbox.take(8, LEASE_MS);
    expect(again).to.include({ attempt: 2, body: '{"n":1}' });
    expect(await store.outbox.done(first!.id, 1, { is: 'sent' }, said(1))).to.equal('moved');
    expect(await other.outbox.done(first!.id, 2, { is: 'sent' }, said(2))).to.equal('done');
    expect((await store.jobs.audit('j', 0, 10)).map(({ detail }) => detail)).to.deep.equal(['{"id":2}']);
  });

  it('waits between attempts, dies, is sent again by a person or put aside', async () => {
    await store.outbox.put([letter('a', { body: '{}' })]);
    const [first] = await store.outbox.take(8, LEASE_MS);
    await store.outbox.done(first!.id, 1, { is: 'retry', at: START + 2_000, error: 'the receiver answered 503' }, said(1));
    expect(await store.outbox.take(8, LEASE_MS)).to.deep.equal([]);
    w.clock.now = START + 2_000;
    const [second] = await store.outbox.take(8, LEASE_MS);
    await store.outbox.done(second!.id, 2, { is: 'dead', error: 'the receiver answered 404' }, said(2));
    expect(await store.outbox.dead(false, 10)).to.have.length(1);
    const takers = await Promise.all([store, other, store].map((one) => one.outbox.retake(first!.id, LEASE_MS)));
    const retaken = takers.filter((row) => row !== null);
    expect(retaken).to.have.length(1);
    expect(retaken[0]).to.include({ attempt: 3, body: '{}' });
    await store.outbox.done(first!.id, 3, { is: 'dead', error: 'still' }, said(3));
    expect(await store.outbox.resolve(first!.id, line('dlq_resolved', 'j'))).to.equal('resolved');
    expect(await store.outbox.resolve(first!.id, line('dlq_resolved', 'j'))).to.equal('not-dead');
    expect(await store.outbox.dead(false, 10)).to.deep.equal([]);
    expect((await store.outbox.dead(true, 10))[0]).to.include({ state: 'resolved', error: 'still' });
  });

  it('a duty is held by one replica until it lets it lapse', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).duties.hold('sweep', 1_000)));
    const mine = held[1] === true ? 1 : 0;
    expect(held.map((one, i) => (i % 2 === mine ? one : !one)).every(Boolean)).to.equal(true);
    const [holder, waiting] = mine === 1 ? [store, other] : [other, store];
    w.clock.now = START + 999;
    expect(await waiting.duties.hold('sweep', 1_000)).to.equal(false);
    expect(await holder.duties.hold('sweep', 1_000)).to.equal(true);
    w.clock.now = START + 1_999;
    expect(await waiting.duties.hold('sweep', 1_000)).to.equal(true);
    expect(await holder.duties.hold('sweep', 1_000)).to.equal(false);
  });
});
