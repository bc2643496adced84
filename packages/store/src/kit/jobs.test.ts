import { expect } from 'chai';
import type { JobCursor, JobHead, Store } from '@bailing/engine/ports';
import { expectIs, heldJob, LEASE_MS, line, newJob, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

onEveryDatabase('Jobs', (fixture) => {
  let w: World;
  let store: Store;
  let other: Store;
  before(async () => {
    w = await world(fixture);
    store = w.store;
    other = await w.another();
  });
  after(() => w.end());
  beforeEach(() => {
    w.clock.now = START;
  });

  it('makes one job of one request_id asked 24 times at the same moment in two processes', async () => {
    const requestId = `same-${String(Math.random())}`;
    const ended = await Promise.all(
      Array.from({ length: 24 }, (_, i) => {
        const job = newJob({ requestId, target: 'once' });
        return (i % 2 ? store : other).jobs.accept(job, line('received', job.id), false);
      }),
    );
    expect(ended.filter(({ is }) => is === 'new')).to.have.length(1);
    expect(ended.filter(({ is }) => is === 'same')).to.have.length(23);
    const ids = [...new Set(ended.map((one) => (one.is === 'foreign' ? 'foreign' : one.job.id)))];
    expect(ids).to.have.length(1);
    expect(await store.jobs.audit(ids[0] ?? '', 0, 10)).to.have.length(1);
  });

  it('tells a foreign request_id from the own, and lets an administrator see both', async () => {
    const job = newJob({ owner: 'crm' });
    expectIs(await store.jobs.accept(job, line('received', job.id), false), 'new');
    const again = newJob({ requestId: job.requestId, owner: 'erp' });
    expect(await store.jobs.accept(again, line('received', again.id), false)).to.deep.equal({ is: 'foreign' });
    expect(expectIs(await store.jobs.accept(again, line('received', again.id), true), 'same').job.id).to.equal(job.id);
    expect(await store.jobs.get(again.id)).to.equal(null);
    expect(await store.jobs.audit(again.id, 0, 10)).to.deep.equal([]);
  });

  it('keeps request ids apart that differ in case or trailing space', async () => {
    for (const requestId of ['Req-1', 'req-1', 'req-1 ', 'réq-1']) {
      expectIs(await store.jobs.accept(newJob({ requestId, target: 'apart' }), line('received', '-'), false), 'new');
    }
  });

  it('gives back what was accepted, byte for byte', async () => {
    const input = `zero \u0000, four bytes 😀, ${'long '.repeat(20_000)}`;
    const job = newJob({ input, metadata: '{"a":"é"}', isContinue: true, principalId: 'u-1', owner: 'app' });
    const { job: fresh } = expectIs(await store.jobs.accept(job, line('received', job.id), false), 'new');
    expect(fresh).to.deep.equal(await store.jobs.get(job.id));
    expect(fresh).to.deep.include({ ...job, status: 'queued', attempts: 0, callsUsed: 0, result: null });
    expect(await store.jobs.byRequestId(job.requestId)).to.deep.equal(fresh);
    expect(await store.jobs.get('nobody')).to.equal(null);
  });

  it('hands each job to one worker, oldest first, each with a claim of its own', async () => {
    const target = `many-${String(Math.random())}`;
    const jobs = Array.from({ length: 20 }, (_, i) => newJob({ target, createdAt: START + i }));
    for (const job of jobs) await store.jobs.accept(job, line('received', job.id), false);
    w.clock.now = START + 100;
    const worker = (replica: string) => ({ replica, max: 3, leaseMs: LEASE_MS, targets: [target, 'another'] });
    const first = await store.jobs.take(worker('r1'));
    expect(first.map(({ job }) => job.id)).to.deep.equal(jobs.slice(0, 3).map(({ id }) => id));
    const rest = (
      await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? store : other).jobs.take(worker(`r${String(i)}`))))
    ).flat();
    const taken = [...first, ...rest];
    expect(new Set(taken.map(({ job }) => job.id)).size).to.equal(taken.length);
    expect(new Set(taken.map(({ by }) => by.claim)).size).to.equal(taken.length);
    for (const { job, recovered } of taken) expect([job.status, recovered]).to.deep.equal(['running', false]);
    let left = await store.jobs.take(worker('r1'));
    const all = [...taken];
    while (left.length > 0) {
      all.push(...left);
      left = await store.jobs.take(worker('r1'));
    }
    expect(all.map(({ job }) => job.id).sort()).to.deep.equal(jobs.map(({ id }) => id).sort());
  });

  it('recovers a job whose lease ran out, with its unresolved rows, and fences its former worker', async () => {
    const target = `lost-${String(Math.random())}`;
    const by = await heldJob(store, { target });
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    const worker = { replica: 'r2', max: 5, leaseMs: LEASE_MS, targets: [target] };
    expect(await other.jobs.take(worker)).to.deep.equal([]);
    w.clock.now = START + LEASE_MS;
    const [taken] = await other.jobs.take(worker);
    expect(taken).to.deep.include({ recovered: true });
    expect(taken?.job.callsUsed).to.equal(1);
    expect(taken?.open.map(({ key, state }) => [key.tool, state])).to.deep.equal([['refund', 'dispatching']]);
    const end = { status: 'done', result: '{}', error: null, usage: null, lines: [line('finished', by.job)] } as const;
    expect(await store.jobs.finish(by, end)).to.equal('lost-lease');
    expect(await store.jobs.putBack(by, START, true, line('retry_scheduled', by.job))).to.equal('lost-lease');
    expect(await store.jobs.renew([by], LEASE_MS)).to.deep.equal([]);
    expect(await other.jobs.finish(taken!.by, end)).to.equal('finished');
    expect((await store.jobs.audit(by.job, 0, 50)).filter(({ event }) => event === 'finished')).to.have.length(1);
  });

  it('recovers the oldest job first, whichever lease ran out first', async () => {
    const target = `old-${String(Math.random())}`;
    const [old, young] = [newJob({ target }), newJob({ target, createdAt: START + 1 })];
    for (const job of [old, young]) await store.jobs.accept(job, line('received', job.id), false);
    w.clock.now = START + 1;
    const worker = { replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [target] };
    const [first] = await store.jobs.take(worker);
    await store.jobs.take(worker);
    await store.jobs.renew([first!.by], LEASE_MS + 10);
    w.clock.now = START + 2 * LEASE_MS;
    expect((await other.jobs.take(worker)).map(({ job }) => job.id)).to.deep.equal([old.id]);
  });

  it('renews many leases in one statement and answers those still held', async () => {
    const held = [await heldJob(store), await heldJob(store), await heldJob(store)];
    await store.jobs.finish(held[1]!, { status: 'error', result: null, error: 'x', usage: null, lines: [] });
    w.clock.now = START + LEASE_MS - 1;
    w.forget();
    expect(await store.jobs.renew([held[0]!, held[2]!], LEASE_MS)).to.deep.equal([held[0], held[2]]);
    expect(w.statements).to.deep.equal(['begin', 'renew-leases', 'commit']);
    expect(await store.jobs.renew(held, LEASE_MS)).to.deep.equal([held[0], held[2]]);
    expect(await store.jobs.renew([{ ...held[0]!, claim: held[2]!.claim }], LEASE_MS)).to.deep.equal([]);
    expect(await store.jobs.renew([], LEASE_MS)).to.deep.equal([]);
    w.clock.now = START + LEASE_MS + 5;
    expectIs(await store.calls.intendWrite(writeIntent(held[0]!)), 'go');
  });

  it('renews more leases than one statement takes', async () => {
    const target = `crowd-${String(Math.random())}`;
    const jobs = Array.from({ length: 70 }, () => newJob({ target }));
    await Promise.all(jobs.map((job) => store.jobs.accept(job, line('received', job.id), false)));
    const worker = { replica: 'r1', max: 100, leaseMs: LEASE_MS, targets: [target] };
    const taken = [...(await store.jobs.take(worker)), ...(await store.jobs.take(worker))];
    expect(taken).to.have.length(70);
    expect(
      await store.jobs.renew(
        taken.map(({ by }) => by),
        LEASE_MS,
      ),
    ).to.have.length(70);
  });

  it('says who holds a job, and extends what an executor holds unless it is too old', async () => {
    const target = `executor-${String(Math.random())}`;
    const jobs = [newJob({ target }), newJob({ target, createdAt: START + 1 })];
    for (const job of jobs) await store.jobs.accept(job, line('received', job.id), false);
    expect(await store.jobs.holding(jobs[0]!.id)).to.deep.include({ claim: null, executor: null });
    const worker = { replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [target], executor: target };
    const [old] = await store.jobs.take(worker);
    expect(await store.jobs.handedOver(old!.by)).to.equal(true);
    w.clock.now = START + 1_000;
    const [young] = await store.jobs.take(worker);
    expect(await other.jobs.extend(target, 240_000, START + 1_000), 'it has not reached its executor').to.equal(0);
    expect(await other.jobs.handedOver({ ...young!.by, claim: old!.by.claim })).to.equal(false);
    expect(await other.jobs.handedOver(young!.by)).to.equal(true);
    expect([old?.job.status, young?.job.status]).to.deep.equal(['dispatched', 'dispatched']);
    expect(await store.jobs.holding(old!.job.id)).to.deep.include({ claim: old!.by.claim, executor: target, leaseUntil: START + LEASE_MS });
    expect(await other.jobs.extend(target, 240_000, START + 1_000)).to.equal(1);
    expect(await store.jobs.extend('nobody', 240_000, 0)).to.equal(0);
    expect((await store.jobs.holding(young!.job.id))?.leaseUntil).to.equal(START + 241_000);
    expect((await store.jobs.holding(old!.job.id))?.leaseUntil).to.equal(START + LEASE_MS);
    expectIs(await store.calls.intendWrite(writeIntent(young!.by)), 'go');
    const mine = async () => (await store.jobs.lapsed(100)).filter(({ executor }) => executor === target).map(({ by }) => by.job);
    expect(await mine()).to.deep.equal([]);
    expect(await store.jobs.letGo(old!.by, line('recovered', old!.job.id)), 'its lease is not over').to.equal(false);
    w.clock.now = START + LEASE_MS;
    expect(await mine()).to.deep.equal([old!.job.id]);
    expect(await store.jobs.letGo({ ...old!.by, claim: young!.by.claim }, line('recovered', old!.job.id)), 'another claim').to.equal(false);
    expect((await other.jobs.take(worker)).map(({ job, recovered }) => [job.id, recovered])).to.deep.equal([[old!.job.id, true]]);
    expect(await store.jobs.holding('no such job')).to.equal(null);
    w.clock.now = START + 2 * LEASE_MS + 241_000;
    expect(await store.jobs.letGo(young!.by, line('recovered', young!.job.id))).to.equal(true);
    expect((await store.jobs.get(young!.job.id))?.status).to.equal('queued');
  });

  it('puts a job back until it is due, and counts the attempt only where the work failed', async () => {
    const target = `back-${String(Math.random())}`;
    const by = await heldJob(store, { target });
    expect(await store.jobs.putBack(by, START + 5_000, true, line('retry_scheduled', by.job))).to.equal('queued');
    const worker = { replica: 'r1', max: 5, leaseMs: LEASE_MS, targets: [target] };
    expect(await store.jobs.take(worker)).to.deep.equal([]);
    w.clock.now = START + 5_000;
    const [again] = await store.jobs.take(worker);
    expect([again?.job.attempts, again?.recovered]).to.deep.equal([1, false]);
    await store.jobs.putBack(again!.by, START, false, line('recovered', by.job));
    expect((await store.jobs.get(by.job))?.attempts).to.equal(1);
  });

  it('finishes once, with its result and its lines in one commit', async () => {
    const by = await heldJob(store);
    w.forget();
    const end = {
      status: 'done',
      result: '{"text":"ok"}',
      error: null,
      usage: '{"tokens":3}',
      lines: [line('finished', by.job), line('z', by.job)],
    } as const;
    expect(await store.jobs.finish(by, end)).to.equal('finished');
    expect(w.commits).to.deep.equal([['finish']]);
    expect(await store.jobs.get(by.job)).to.include({ status: 'done', result: '{"text":"ok"}', usage: '{"tokens":3}', error: null });
    expect(await store.jobs.finish(by, end)).to.equal('lost-lease');
    const events = (await store.jobs.audit(by.job, 0, 10)).map(({ event }) => event);
    expect(events).to.deep.equal(['received', 'finished', 'z']);
  });

  it('pages the ledger of a job in order of writing', async () => {
    const by = await heldJob(store);
    await store.jobs.note(Array.from({ length: 5 }, (_, i) => line(`e${String(i)}`, by.job, { at: START - i })));
    const page = await store.jobs.audit(by.job, 0, 3);
    const rest = await store.jobs.audit(by.job, page.at(-1)!.seq, 100);
    expect([...page, ...rest].map(({ event }) => event)).to.deep.equal(['received', 'e0', 'e1', 'e2', 'e3', 'e4']);
    expect(rest[0]).to.deep.include({ ...line('e2', by.job, { at: START - 2 }) });
  });

  it('lists newest first and finds by what it is asked', async () => {
    const owner = `owner-${String(Math.random())}`;
    const jobs = [1, 2, 3].map((n) =>
      newJob({ owner, principalId: n === 3 ? 'p3' : 'p', createdAt: START + 1_000_000 + n, target: 'find' }),
    );
    for (const job of jobs) await store.jobs.accept(job, line('received', job.id), false);
    const ids = async (found: Promise<readonly { id: string }[]>) => (await found).map(({ id }) => jobs.findIndex((job) => job.id === id));
    expect(await ids(store.jobs.list(2, { offset: 1 }))).to.deep.equal([1, 0]);
    expect(await ids(store.jobs.find({ owner }, 10))).to.deep.equal([2, 1, 0]);
    expect(await ids(store.jobs.find({ owner, principalId: 'p' }, 1))).to.deep.equal([1]);
    expect(await ids(store.jobs.find({ jobId: jobs[0]!.id, requestId: jobs[1]!.requestId }, 10))).to.deep.equal([]);
    expect(await store.jobs.find({}, 10)).to.deep.equal([]);
  });

  it('walks any number of matches page by page, each once and in order, also where many were made in the same moment', async () => {
    const owner = `walker-${String(Math.random())}`;
    const at = START + 2_000_000;
    const made = Array.from({ length: 23 }, (_, n) =>
      newJob({ owner, principalId: owner, createdAt: at + Math.floor(n / 5), target: 'walk' }),
    );
    for (const job of made) await store.jobs.accept(job, line('received', job.id), false);
    const expected = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    for (const filter of [{ owner }, { principalId: owner }, { owner, principalId: owner }]) {
      const walked: string[] = [];
      for (let before: JobCursor | undefined; ;) {
        const page: readonly JobHead[] = await store.jobs.find(filter, 4, before);
        walked.push(...page.map(({ id }) => id));
        before = page.at(-1);
        if (page.length < 4) break;
      }
      expect(walked).to.deep.equal(expected);
    }
    const first = await store.jobs.list(5, { offset: 0 });
    const behind = await store.jobs.list(5, { before: first[1]! });
    expect(behind.slice(0, 3).map(({ id }) => id)).to.deep.equal(first.slice(2).map(({ id }) => id));
  });

  it('a list holds the beginning of long texts and nothing of results', async () => {
    const owner = `long-${String(Math.random())}`;
    const job = newJob({ owner, input: '\u{1F600}'.repeat(50_000), metadata: JSON.stringify({ long: 'x'.repeat(50_000) }) });
    await store.jobs.accept(job, line('received', job.id), false);
    const [head] = await store.jobs.find({ owner }, 1);
    expect(head?.input).to.equal('\u{1F600}'.repeat(200));
    expect(head).to.not.have.any.keys('metadata', 'result', 'usage');
  });

  it('counts what waits and what runs', async () => {
    const before = await store.jobs.counts();
    const job = newJob({ target: 'counted' });
    await store.jobs.accept(job, line('received', job.id), false);
    await heldJob(store);
    expect(await store.jobs.counts()).to.deep.equal({ running: before.running + 1, waiting: before.waiting + 1 });
  });
});
