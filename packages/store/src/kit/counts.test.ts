import { expect } from 'chai';
import type { Holder, Store } from '@bailing/engine/ports';
import { expectIs, heldJob, line, onEveryDatabase, readIntent, type World, world, writeIntent } from './world.js';

const OK = { ok: true, status: 200, text: 'ok' };
const FAILED = { ok: false, status: 500, text: 'no' };

onEveryDatabase('Statements and commits', (fixture) => {
  let w: World;
  let store: Store;
  let by: Holder;
  let serial = 0;
  const spends = [
    { bucket: 'tool:t', limit: 1_000, windowMs: 60_000, cost: 1 },
    { bucket: 'provider:p', limit: 1_000, windowMs: 60_000, cost: 1 },
  ];
  /** MySQL locks the buckets of a batch in one statement; SQLite has one writer and nothing to lock. */
  const lock = fixture.name === 'mysql' ? ['lock-buckets'] : [];
  const next = () => writeIntent(by, `c${String((serial += 1))}`);

  before(async () => {
    w = await world(fixture, { lanes: 1 });
    store = w.store;
    by = await heldJob(store);
    const warm = expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'go');
    store.calls.settleRead(warm.ticket, false, line('tool_result', by.job));
    await store.jobs.note([line('x', '-')]);
  });
  after(() => w.end());
  beforeEach(() => w.forget());

  it('a governed write costs two awaited commits and six statements inside them', async () => {
    const { ticket } = expectIs(await store.calls.intendWrite(next()), 'go');
    expect(w.statements).to.deep.equal(['begin', 'look-before-write', 'take-budget', 'insert-intent', 'insert-line', 'commit']);
    await store.calls.settleWrite(ticket, OK, line('tool_result', by.job));
    expect(w.statements.slice(6)).to.deep.equal(['begin', 'line-savepoint', 'insert-line', 'record-answer', 'commit']);
    expect(w.commits).to.deep.equal([['intend-write'], ['settle-write']]);
  });

  it('two quotas cost one look and one insert together', async () => {
    expectIs(await store.calls.intendWrite({ ...next(), spends }), 'go');
    const call = ['look-before-write', 'look-at-windows', 'take-budget', 'insert-spends', 'insert-intent', 'insert-line'];
    expect(w.statements).to.deep.equal(['begin', ...lock, ...call, 'commit']);
  });

  it('a governed read costs one awaited commit; its result rides the next one', async () => {
    const first = expectIs(await store.calls.intendRead(readIntent(by)), 'go');
    expect(w.statements).to.deep.equal(['begin', 'look-before-read', 'take-budget', 'insert-line', 'commit']);
    store.calls.settleRead(first.ticket, false, line('tool_result', by.job));
    w.forget();
    expectIs(await store.calls.intendRead(readIntent(by)), 'go');
    expect(w.commits).to.deep.equal([['settle-read', 'intend-read']]);
    const events = (await store.jobs.audit(by.job, 0, 1_000)).map(({ event }) => event);
    expect(events.slice(-3)).to.deep.equal(['tool_call', 'tool_result', 'tool_call']);
  });

  it('a result that nothing takes along is written by itself within a moment', async () => {
    const { ticket } = expectIs(await store.calls.intendRead(readIntent(by)), 'go');
    w.forget();
    store.calls.settleRead(ticket, false, line('tool_result', by.job));
    const until = performance.now() + 2_000;
    while (w.commits.length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(w.commits).to.deep.equal([['settle-read']]);
    expect(performance.now()).to.be.below(until - 1_000);
  });

  it('calls at the same moment share one commit, and their audit lines few statements', async () => {
    const calls = Array.from({ length: 16 }, (_, i) =>
      i % 2 ? store.calls.intendWrite({ ...next(), spends }) : store.calls.intendRead(readIntent(by)),
    );
    expect((await Promise.all(calls)).every(({ is }) => is === 'go')).to.equal(true);
    expect(w.commits.map((units) => units.length)).to.deep.equal([16]);
    const counted = Object.fromEntries([...new Set(w.statements)].map((name) => [name, w.statements.filter((one) => one === name).length]));
    expect(counted).to.deep.equal({
      begin: 1,
      ...(fixture.name === 'mysql' ? { 'lock-buckets': 1 } : {}),
      'look-at-windows': 1,
      'look-before-write': 8,
      'look-before-read': 8,
      'take-budget': 16,
      'insert-intent': 8,
      'insert-spends': 1,
      'insert-lines': 1,
      commit: 1,
    });
  });

  it('a batch with a unit that fails runs again with a savepoint each, and only that unit is gone', async () => {
    const bad = store.jobs.note([line('fine', by.job), line('bad', by.job, { title: 'x', detail: null as never })]);
    const ended = await Promise.allSettled([store.calls.intendRead(readIntent(by)), bad, store.calls.intendRead(readIntent(by))]);
    expect(ended.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(w.commits.map((units) => units.length)).to.deep.equal([3]);
    expect(w.statements.filter((name) => name === 'begin' || name === 'rollback')).to.deep.equal(['begin', 'rollback', 'begin']);
    expect(w.statements.filter((name) => name === 'savepoint')).to.have.length(3);
    expect(w.statements.filter((name) => name === 'rollback-to-savepoint')).to.have.length(1);
  });

  it('a failed call adds one statement, and the success that ends the streak one', async () => {
    const bad = expectIs(await store.calls.intendWrite(next()), 'go').ticket;
    w.forget();
    await store.calls.settleWrite(bad, FAILED, line('tool_result', by.job));
    expect(w.statements).to.deep.equal(['begin', 'line-savepoint', 'insert-line', 'record-answer', 'add-failure', 'commit']);
    const good = expectIs(await store.calls.intendWrite(next()), 'go').ticket;
    w.forget();
    await store.calls.settleWrite(good, OK, line('tool_result', by.job));
    expect(w.statements.at(-2)).to.equal('clear-failures');
  });

  it('each other step of a call is one commit', async () => {
    const unknown = expectIs(await store.calls.intendWrite(next()), 'go').ticket;
    const withdrawn = expectIs(await store.calls.intendWrite(next()), 'go').ticket;
    w.forget();
    await store.calls.withdraw(withdrawn, line('x', by.job));
    await store.calls.refused(line('tool_blocked', by.job));
    await store.calls.unknown(unknown, 'timeout', line('x', by.job));
    expect(w.commits).to.deep.equal([['withdraw'], ['note'], ['unknown']]);
  });

  it('a refusal leaves no commit with anything in it', async () => {
    w.forget();
    expectIs(await store.calls.intendRead(readIntent(by)), 'frozen');
    expectIs(await store.calls.intendRead(readIntent({ ...by, job: 'gone', claim: 'x' })), 'lost-lease');
    expect(w.statements).to.deep.equal([
      'begin',
      'look-before-read',
      'commit',
      'begin',
      'look-before-read',
      'take-budget',
      'budget-of-job',
      'commit',
    ]);
  });

  it('an idle worker costs one read and no transaction', async () => {
    expect(await store.jobs.take({ replica: 'r1', max: 5, leaseMs: 1_000, targets: ['nothing', 'here'] })).to.deep.equal([]);
    expect(w.statements).to.deep.equal(['anything-to-take']);
    expect(w.commits).to.deep.equal([]);
  });
});
