import { expect } from 'chai';
import type { End, Store } from '@bailing/engine/ports';
import { expectIs, heldJob, LEASE_MS, line, newJob, onEveryDatabase, readIntent, type World, world, writeIntent } from './world.js';

onEveryDatabase('Cancelled jobs', (fixture) => {
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

  const letter = (job: string) => ({
    dedupe: `callback:${job}`,
    kind: 'callback',
    ref: job,
    target: '{}',
    body: null,
    job,
    requestId: 'r',
    signAs: 'crm',
  });
  const end = (job: string): End => ({
    ...{ status: 'rejected', result: null, error: 'cancelled', usage: null },
    lines: [line('rejected', job)],
    outgoing: [letter(job)],
  });

  it('are over at once, told once, and nobody works on them any more', async () => {
    const job = newJob({ target: 'cancel-queued' });
    await store.jobs.accept(job, line('received', job.id), false);
    const moved = await Promise.all([store, other, store].map((one) => one.jobs.cancel(job.id, end(job.id), false, 'ops')));
    expect(moved.sort()).to.deep.equal(['cancelled', 'ended', 'ended']);
    expect(await store.jobs.get(job.id)).to.include({ status: 'rejected', error: 'cancelled' });
    expect(await store.jobs.take({ replica: 'r', max: 8, leaseMs: LEASE_MS, targets: ['cancel-queued'] })).to.deep.equal([]);
    const said = (await store.jobs.audit(job.id, 0, 10)).filter(({ event }) => event === 'rejected');
    expect(said.map(({ detail }) => JSON.parse(detail) as object)).to.deep.equal([{ n: 1, prev_status: 'queued' }]);
    expect((await store.outbox.take(8, LEASE_MS)).map(({ dedupe }) => dedupe)).to.deep.equal([`callback:${job.id}`]);
    expect(await store.jobs.cancel('nobody', end('nobody'), false, 'ops')).to.equal('unknown');
  });

  it('lose their holder: its next call and its end are refused', async () => {
    const by = await heldJob(store);
    expect(await other.jobs.cancel(by.job, end(by.job), false, 'ops')).to.equal('cancelled');
    expectIs(await store.calls.intendRead(readIntent(by)), 'lost-lease');
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'lost-lease');
    expect(await store.jobs.finish(by, { ...end(by.job), status: 'done' })).to.equal('lost-lease');
    expect(await store.jobs.renew([by], LEASE_MS)).to.deep.equal([]);
    expect(await store.jobs.rerun(by.job, 0, line('rerun', by.job))).to.equal('queued');
  });

  it('are not cancelled while the outcome of a write is not known', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    expect(await other.jobs.cancel(by.job, end(by.job), false, 'ops')).to.equal('writing');
    expect((await store.jobs.get(by.job))?.status).to.equal('running');
    expect(await other.calls.carriedOut(by.job)).to.deep.equal([]);
    await store.calls.settleWrite(ticket, { ok: true, status: 200, text: 'Sent.' }, line('tool_result', by.job));
    expect(await other.calls.carriedOut(by.job)).to.deep.equal([{ ok: true, status: 200, text: 'Sent.' }]);
    expect(await other.jobs.cancel(by.job, end(by.job), false, 'ops')).to.equal('cancelled');
  });

  it('are being cancelled while a write is on its way, whoever asks, and end no other way unless that is said', async () => {
    for (const known of [true, false]) {
      const by = await heldJob(store);
      const flag = `cancel:${by.job}`;
      const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
      const asked = await Promise.all([store, other].map((one, i) => one.jobs.cancel(by.job, end(by.job), false, `ops${String(i)}`)));
      expect(asked).to.deep.equal(['writing', 'writing']);
      expect(await other.jobs.cancelledBy(by.job)).to.match(/^ops[01]$/);
      expect(await store.jobs.finish(by, { ...end(by.job), status: 'done' })).to.equal('cancelling');
      expect((await store.jobs.get(by.job))?.status).to.equal('running');
      if (known) {
        await store.calls.settleWrite(ticket, { ok: true, status: 200, text: 'Sent.' }, line('tool_result', by.job));
        expectIs(await store.calls.intendRead(readIntent(by, { stops: [flag] })), 'stopped');
        expect(await other.jobs.cancel(by.job, end(by.job), false, 'ops')).to.equal('cancelled');
      } else {
        expect(await store.jobs.finish({ ...by, claim: 'another' }, end(by.job), true)).to.equal('lost-lease');
        expect(await store.stops.isSet(flag)).to.equal(true);
        expect(await store.jobs.finish(by, { ...end(by.job), status: 'error' }, true)).to.equal('finished');
      }
      expect(await store.stops.isSet(flag)).to.equal(false);
    }
  });

  it('end before a write or after it, whichever came first, in two processes', async () => {
    for (let i = 0; i < 12; i += 1) {
      const by = await heldJob(store);
      const [intended, moved] = await Promise.all([
        store.calls.intendWrite(writeIntent(by)),
        other.jobs.cancel(by.job, end(by.job), false, 'ops'),
      ]);
      expect(`${intended.is} ${moved}`).to.be.oneOf(['go writing', 'lost-lease cancelled']);
    }
  });

  it('that are one write are not cancelled once it has succeeded, also where it ends while somebody cancels, in two processes', async () => {
    for (const ok of [true, false])
      for (let i = 0; i < 12; i += 1) {
        const by = await heldJob(store);
        const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
        const outcome = { ok, status: ok ? 200 : 503, text: 'Sent.' };
        const [, moved] = await Promise.all([
          store.calls.settleWrite(ticket, outcome, line('tool_result', by.job)),
          other.jobs.cancel(by.job, end(by.job), true, 'ops'),
        ]);
        expect(moved).to.be.oneOf(ok ? ['writing'] : ['writing', 'cancelled']);
        expect(await other.jobs.cancel(by.job, end(by.job), true, 'ops')).to.equal(
          ok ? 'writing' : moved === 'cancelled' ? 'ended' : 'cancelled',
        );
      }
  });
});
