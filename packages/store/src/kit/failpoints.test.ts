import { expect } from 'chai';
import type { Store } from '@bailing/engine/ports';
import { failpoints } from '../units/failpoints.js';
import { expectIs, heldJob, LEASE_MS, line, newJob, onEveryDatabase, readIntent, START, type World, world, writeIntent } from './world.js';

const OK = { ok: true, status: 200, text: '' };

onEveryDatabase('Failpoints', (fixture) => {
  const hits = new Set<string>();
  let w: World;
  let store: Store;
  before(async () => {
    w = await world(fixture, { failpoint: (name) => hits.add(name) });
    store = w.store;
    await every(w);
    await store.close();
  });
  after(() => w.end());

  it('are called under listed names only', () => {
    expect([...hits].filter((name) => !failpoints.includes(name))).to.deep.equal([]);
  });

  it('cover each statement of the units a call and a job are made of', () => {
    const units = [
      'accept',
      'take',
      'finish',
      'save-round',
      'put-back',
      'renew',
      'intend-read',
      'intend-write',
      'settle-read',
      'settle-write',
      'unknown',
      'withdraw',
    ];
    const rare = /insert-writer|unnamed-heads|note-named|rollback-to-line|still-held|first-to-leave|budget-of-job/;
    const missing = failpoints.filter((name) => units.includes(name.split(':')[0] ?? '') && !rare.test(name) && !hits.has(name));
    expect(missing.filter((name) => !LATER.has(name))).to.deep.equal([]);
    expect(hits).to.include.all.keys('note:after-insert-writer', 'batch:after-insert-lines', 'batch:after-insert-spends');
  });
});

/** Names that need a decision or a settlement by an operator; their units have tests of their own. */
const LATER: ReadonlySet<string> = new Set(
  failpoints.filter((name) =>
    /thread|cancel-job|set-job-error|reserve|approval|probe|outgoing|rerun|take-reserved|lock-job|any-unspent|end-marked|clear-stop|stop-is-set/.test(
      name,
    ),
  ),
);

async function every({ store, clock }: World): Promise<void> {
  await store.jobs.note([line('first', '-')]);
  const job = newJob();
  await store.jobs.accept(job, line('received', job.id), false);
  await store.jobs.accept(job, line('received', job.id), false);
  const by = await heldJob(store);
  const spends = [{ bucket: by.job, limit: 2, windowMs: 1_000, cost: 1 }];
  const settleRead = async (failed: boolean) => {
    const { ticket } = expectIs(await store.calls.intendRead(readIntent(by, { spends })), 'go');
    store.calls.settleRead(ticket, failed, line('tool_result', by.job));
    if (failed) await store.calls.twiceFailed(by.job, 'order_get');
    else await store.jobs.note([line('along', by.job)]);
  };
  await settleRead(true);
  await settleRead(false);
  clock.now = START + 1_000;
  await Promise.all([store.calls.intendRead(readIntent(by, { spends })), store.jobs.note([line('beside', by.job)])]);
  clock.now = START + 2_000;
  const settle = async (what: string, status: number) => {
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, what, { spends: status === 200 ? spends : [] })), 'go');
    await store.calls.settleWrite(ticket, { ...OK, ok: status === 200, status }, line('tool_result', by.job));
  };
  await settle('a', 429);
  await settle('a', 200);
  const first = expectIs(await store.calls.intendWrite(writeIntent(by, 'b')), 'go').ticket;
  await store.calls.withdraw(first, line('x', by.job));
  await settle('c', 503);
  const again = expectIs(await store.calls.intendWrite(writeIntent(by, 'c')), 'go').ticket;
  await store.calls.withdraw(again, line('x', by.job));
  const message = expectIs(await store.calls.intendWrite(writeIntent(by, 'message', { uncounted: true })), 'go').ticket;
  await store.calls.withdraw(message, line('x', by.job));
  const lost = expectIs(await store.calls.intendWrite(writeIntent(by, 'd')), 'go').ticket;
  await store.calls.unknown(lost, 'timeout', line('x', by.job));
  await store.jobs.saveRound(by, '{}');
  await store.jobs.renew([by], LEASE_MS);
  await store.jobs.putBack(by, START, false, line('x', by.job));
  const ended = await heldJob(store);
  await store.jobs.finish(ended, { status: 'done', result: null, error: null, usage: null, lines: [line('finished', ended.job)] });
}
