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

  it('two quotas cost one look and one insert each', async () => {
    expectIs(await store.calls.intendWrite({ ...next(), spends }), 'go');
    const spent = ['look-at-windows', 'insert-spend', 'insert-spend'];
    const call = ['look-before-write', 'take-budget', ...spent, 'insert-intent', 'insert-line'];
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

  it('calls at the same moment share one commit, a savepoint each', async () => {
    const ended = await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? store.calls.intendWrite(next()) : store.calls.intendRead(readIntent(by)))),
    );
    expect(ended.every(({ is }) => is === 'go')).to.equal(true);
    expect(w.commits).to.have.length(1);
    expect(w.commits[0]).to.have.length(16);
    expect(w.statements.filter((name) => name === 'savepoint')).to.have.length(16);
    expect(w.statements.filter((name) => name === 'commit')).to.have.length(1);
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
      'rollback',
    ]);
  });

  it('an idle worker costs one read and no transaction', async () => {
    expect(await store.jobs.take({ replica: 'r1', max: 5, leaseMs: 1_000, targets: ['nothing', 'here'] })).to.deep.equal([]);
    expect(w.statements).to.deep.equal(['anything-to-take']);
    expect(w.commits).to.deep.equal([]);
  });
});
