import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Holder, Pruned, Store, WriteIntent } from '@bailing/engine/ports';
import { failpoints } from '../units/failpoints.js';
import { expectIs, heldJob, LEASE_MS, line, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

const DAY = 86_400_000;
const OK = { ok: true, status: 201, text: 'done' };

async function all(steps: AsyncIterable<Pruned>): Promise<number> {
  let removed = 0;
  for await (const step of steps) removed += step.removed;
  return removed;
}

onEveryDatabase('Retention of the journal', (fixture) => {
  let w: World;
  let store: Store;
  const hits = new Set<string>();
  beforeEach(async () => {
    w = await world(fixture, { failpoint: (name) => hits.add(name) });
    store = w.store;
  });
  afterEach(() => w.end());

  async function wrote(by: Holder, what = 'a', more: Partial<WriteIntent> = {}, answer = OK): Promise<void> {
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, what, more)), 'go');
    await store.calls.settleWrite(ticket, answer, line('tool_result', by.job));
  }

  function finish(by: Holder, more: object = {}) {
    return store.jobs.finish(by, { status: 'done', result: null, error: null, usage: null, lines: [line('finished', by.job)], ...more });
  }

  /** A job that wrote once and is over. */
  async function over(): Promise<Holder> {
    const by = await heldJob(store);
    await wrote(by);
    await finish(by);
    return by;
  }

  const left = async (): Promise<readonly string[]> =>
    (await w.database.query('SELECT job_id FROM bz_tool_executions ORDER BY id')).map((row) => String(row['job_id']));

  it('goes after its time, and not before', async () => {
    const [first, last] = [await over(), await over()];
    expect(await all(store.retention.journal(START - 1))).to.equal(0);
    w.clock.now = START + 3 * DAY;
    // The newest row stays where numbers would come again.
    expect(await all(store.retention.journal(START))).to.equal(fixture.name === 'sqlite' ? 1 : 2);
    expect(await left()).to.deep.equal(fixture.name === 'sqlite' ? [last.job] : []);
    expect(await store.calls.recorded(writeIntent(first).key)).to.equal(null);
  });

  it('stays while its job is not over, also where the row is old', async () => {
    const [running, queued] = [await heldJob(store), await heldJob(store)];
    await wrote(running);
    await wrote(queued);
    await store.jobs.putBack(queued, START, false, line('x', queued.job));
    await over();
    w.clock.now = START + 30 * DAY;
    expect(await all(store.retention.journal(w.clock.now))).to.equal(fixture.name === 'sqlite' ? 0 : 1);
    expect(await left()).to.include.members([running.job, queued.job]);
    // And it answers: the write of the job that goes on does not go out again.
    w.clock.now = START;
    expectIs(await store.calls.intendWrite(writeIntent(running)), 'replay');
  });

  it('stays where its job ended just now, however old the row is', async () => {
    const by = await heldJob(store);
    await wrote(by);
    w.clock.now = START + 3 * DAY;
    expect(await finish(by)).to.equal('finished');
    await over();
    expect(await all(store.retention.journal(START))).to.equal(0);
  });

  it('stays where an unknown write, an open question, an unspent approval or an unsent message needs its job', async () => {
    const unknown = await heldJob(store);
    await wrote(unknown);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(unknown, 'b')), 'go');
    await store.calls.unknown(ticket, 'timeout', line('x', unknown.job));
    await finish(unknown);
    const asking = await heldJob(store);
    await wrote(asking);
    const { key, args, subject, fingerprint, provider, scope } = writeIntent(asking, 'q');
    const policy = { risk: 'high', policy: 'risk_high', reason: '', method: 'POST', path: '/', summary: '', frozen: '{}' };
    const question = {
      by: asking,
      key,
      requestId: 'r',
      provider,
      scope,
      ...policy,
      args,
      subject,
      fingerprint,
      line: line('x', asking.job),
    };
    const { id } = expectIs(await store.approvals.open(question), 'opened');
    await finish(asking);
    const telling = await heldJob(store);
    await wrote(telling);
    const callback = { kind: 'callback', ref: telling.job, target: '{}', body: null, job: telling.job, requestId: 'r', signAs: '' };
    await finish(telling, { outgoing: [{ dedupe: `callback:${telling.job}`, ...callback }] });
    await over();
    await over();
    const kept = [unknown.job, unknown.job, asking.job, telling.job];
    w.clock.now = START + 30 * DAY;
    const prune = () => all(store.retention.journal(w.clock.now - 1));
    await prune();
    expect((await left()).slice(0, 4)).to.deep.equal(kept);
    await w.database.query(`UPDATE bz_tool_approvals SET status = 'approved' WHERE id = ${String(id)}`);
    await w.database.query(`UPDATE bz_outbox SET state = 'dead'`);
    await prune();
    expect((await left()).slice(0, 4)).to.deep.equal(kept);
    // Nothing waits any more: only the unknown write and what is beside it in its job stay.
    await w.database.query(`UPDATE bz_tool_approvals SET status = 'void' WHERE id = ${String(id)}`);
    await w.database.query(`UPDATE bz_outbox SET state = 'sent'`);
    await prune();
    expect(new Set((await left()).slice(0, 2))).to.deep.equal(new Set([unknown.job]));
    expect(await left())
      .to.not.include(asking.job)
      .and.not.include(telling.job);
  });

  it('never loses that a job of one act is over: it stays where it ended, and where somebody settled it as applied', async () => {
    const done = await over();
    expect(await store.jobs.rerun(done.job, 0, line('rerun', done.job), ['done'])).to.equal('stays');
    expect((await store.jobs.get(done.job))?.status).to.equal('done');
    const settled = await over();
    await w.database.query(`UPDATE bz_jobs SET status = 'error' WHERE id = '${settled.job}'`);
    const [row] = await w.database.query(`SELECT id FROM bz_tool_executions WHERE job_id = '${settled.job}'`);
    const verdict = `${String(row?.['id'])}, 1, '${settled.job}', 'pay', 'k', 'applied', 'ada', 'seen', 1`;
    await w.database.query(
      `INSERT INTO bz_tool_settlements (execution_id, attempt, job_id, tool, idempotency_key, verdict, settled_by, evidence, at) VALUES (${verdict})`,
    );
    await w.database.query(`DELETE FROM bz_tool_executions WHERE job_id = '${settled.job}'`);
    expect(await store.jobs.rerun(settled.job, 0, line('rerun', settled.job), ['done'])).to.equal('stays');
    expect(await store.jobs.rerun(settled.job, 0, line('rerun', settled.job))).to.equal('queued');
  });

  it('loses what a later rerun would have read: it is sent anew, once', async () => {
    const by = await over();
    await over();
    w.clock.now = START + 3 * DAY;
    await all(store.retention.journal(START));
    expect(await store.jobs.rerun(by.job, 0, line('rerun', by.job))).to.equal('queued');
    const { target } = (await store.jobs.get(by.job))!;
    const [taken] = await store.jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [target] });
    await wrote(taken!.by);
    expectIs(await store.calls.intendWrite(writeIntent(taken!.by)), 'replay');
    // The row is new, and so is its time.
    await all(store.retention.journal(START));
    expectIs(await store.calls.intendWrite(writeIntent(taken!.by)), 'replay');
  });

  it('never gives a number again, so that a late hand moves nothing of somebody else', async () => {
    const jobs = [await over(), await over(), await over()];
    const highest = Number((await w.database.query('SELECT MAX(id) AS id FROM bz_tool_executions'))[0]?.['id']);
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    w.clock.now = START + 3 * DAY;
    await all(store.retention.journal(START));
    await store.calls.withdraw(ticket, line('x', by.job));
    w.clock.now = START;
    await wrote(by, 'b');
    const rows = await w.database.query(`SELECT id FROM bz_tool_executions WHERE job_id = '${by.job}'`);
    expect(Number(rows[0]?.['id'])).to.be.greaterThan(highest);
    expect(jobs).to.have.length(3);
  });

  it('keeps what a person released for one fresh dispatch', async () => {
    const by = await over();
    await over();
    await w.database.query(`UPDATE bz_tool_executions SET state = 'released' WHERE job_id = '${by.job}'`);
    await all(store.retention.journal(START));
    expect(await left()).to.include(by.job);
  });

  it('takes failure streaks with it, of jobs that are over only', async () => {
    const [ended, running] = [await heldJob(store), await heldJob(store)];
    for (const by of [ended, running]) await wrote(by, 'a', {}, { ok: false, status: 400, text: 'no' });
    await finish(ended);
    expect(await all(store.retention.failures(START - 1))).to.equal(0);
    expect(await all(store.retention.failures(START))).to.equal(1);
    expect(await w.database.query('SELECT job_id FROM bz_tool_failures')).to.deep.equal([{ job_id: running.job }]);
  });

  it('takes messages that were sent, and no other', async () => {
    const put = { kind: 'alert', ref: '', target: '{}', body: '{}', job: '-', requestId: 'r', signAs: '' };
    await store.outbox.put(['sent', 'dead', 'resolved', 'waiting', 'sent-last'].map((dedupe) => ({ ...put, dedupe })));
    for (const state of ['sent', 'dead', 'resolved'])
      await w.database.query(`UPDATE bz_outbox SET state = '${state}' WHERE dedupe LIKE '${state}%'`);
    expect(await all(store.retention.sent(START - 1))).to.equal(0);
    await all(store.retention.sent(START));
    const states = (await w.database.query('SELECT dedupe FROM bz_outbox ORDER BY id')).map((row) => String(row['dedupe']));
    expect(states).to.deep.equal(['dead', 'resolved', 'waiting', ...(fixture.name === 'sqlite' ? ['sent-last'] : [])]);
  });

  it('goes in batches, page after page, by two at once, and loses nothing that is needed', async () => {
    const by = await heldJob(store);
    for (let i = 0; i < 10; i += 1)
      await Promise.all(Array.from({ length: 50 }, (_, n) => wrote(by, `${String(i)}-${String(n)}-`, { maxCalls: 1_000 })));
    await finish(by);
    const live = await heldJob(store);
    await wrote(live);
    const other = await w.another();
    w.clock.now = START + 3 * DAY;
    w.forget();
    const removed = await Promise.all([store, other].map((one) => all(one.retention.journal(START))));
    // Where one had the job locked, the other left its rows to the next round.
    expect(removed[0]! + removed[1]! + (await all(store.retention.journal(START)))).to.equal(500);
    expect(await left()).to.deep.equal([live.job]);
    const batches = w.commits.filter((units) => units.includes('prune-journal'));
    expect(batches.length).to.be.greaterThan(1);
  });

  it('meets a job that is queued again: either its rows were there, or they are gone, and one write is one row', async () => {
    for (let i = 0; i < 8; i += 1) {
      const by = await over();
      w.clock.now += 3 * DAY;
      const [, again] = await Promise.all([
        all(store.retention.journal(w.clock.now - 1)),
        (await w.another()).jobs.rerun(by.job, 0, line('rerun', by.job)),
      ]);
      expect(again).to.equal('queued');
      const { target } = (await store.jobs.get(by.job))!;
      const [taken] = await store.jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [target] });
      const ended = await Promise.all([1, 2].map(() => store.calls.intendWrite(writeIntent(taken!.by))));
      const kinds = ended.map(({ is }) => is).sort();
      expect([
        ['replay', 'replay'],
        ['go', 'in-flight'],
      ]).to.deep.include(kinds);
      const first = ended.find(({ is }) => is === 'go');
      if (first?.is === 'go') await store.calls.settleWrite(first.ticket, OK, line('tool_result', by.job));
      await finish(taken!.by);
      expect(await left()).to.include(by.job);
    }
  });

  it('goes on beside calls: every write of a job that is not over happens once, whoever prunes', async () => {
    const other = await w.another();
    let working = true;
    // Everything that is completed is old at once here.
    const pruning = [store, other].map(async (one) => {
      for (let rounds = 0; ; rounds += 1) {
        await all(one.retention.journal(w.clock.now));
        await all(one.retention.failures(w.clock.now));
        if (!working) return rounds;
        // Reads of SQLite end in the same turn: others get theirs.
        await nextTurn();
      }
    });
    const sent: string[] = [];
    const call = async (by: Holder, what: string, on: Store) => {
      const ended = await on.calls.intendWrite(writeIntent(by, what));
      if (ended.is !== 'go') return ended.is;
      sent.push(`${by.job} ${what}`);
      return on.calls.settleWrite(ended.ticket, OK, line('tool_result', by.job));
    };
    const worked = Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        for (let n = 0; n < 4; n += 1) {
          const by = await heldJob(store);
          for (const what of ['a', 'b']) await call(by, what, i % 2 ? store : other);
          for (const what of ['a', 'b', 'a']) expect(await call(by, what, i % 2 ? other : store)).to.equal('replay');
          await finish(by);
        }
      }),
    );
    await worked.finally(() => (working = false));
    expect((await Promise.all(pruning)).every((rounds) => rounds > 1)).to.equal(true);
    expect(sent).to.have.length(12 * 4 * 2);
    expect(new Set(sent).size).to.equal(sent.length);
    expect(await left()).to.have.length(fixture.name === 'sqlite' ? 1 : 0);
  });

  it('calls its failpoints under listed names', () => {
    const own = [...hits].filter((name) => /^(prune|tell|retell)-/.test(name));
    expect(own).to.not.deep.equal([]);
    expect(own.filter((name) => !failpoints.includes(name))).to.deep.equal([]);
    const expected = failpoints.filter((name) => /^prune-(journal|failures|sent):/.test(name));
    expect(expected.filter((name) => !hits.has(name))).to.deep.equal([]);
  });
});
