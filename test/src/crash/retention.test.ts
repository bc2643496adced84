import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Holder, Line, Pruned, Store, WriteIntent } from '@bailing/engine/ports';
import { failpoints, openStore, verifyLedger } from '@bailing/store';
import { type FreshDatabase, databases } from '@bailing/store/testing';
import { expect } from 'chai';

/** What rounds of retention are made of. */
const UNITS = ['prune-journal', 'prune-failures', 'prune-sent', 'tell-cuts', 'retell-cuts', 'prune-ledger'];
/** A chain begins in the first unit of a process that writes a line; these are passed once, in `tell-cuts`. */
const ELSEWHERE = /^retell-cuts:after-(insert-writer|unnamed-heads|note-named)$/;
const PLACES = failpoints.filter((place) => UNITS.includes(place.split(':')[0] ?? '') && !ELSEWHERE.test(place));

const DAY = 86_400_000;
const NOW = Date.now();
const OLD = NOW - 40 * DAY;
const BEFORE = NOW - 30 * DAY;
const OK = { ok: true, status: 201, text: 'done' };

function line(event: string, job: string, at: number): Line {
  return { event, at, job, requestId: 'r', stage: 'tool', severity: 'info', title: event, summary: '', detail: '{}' };
}

function intent(by: Holder, what: string): WriteIntent {
  const key = { job: by.job, tool: 'refund', argsHash: what.repeat(64).slice(0, 64), idem: `k${what}`.repeat(64).slice(0, 64) };
  const call = { scope: 's', subject: 'u', args: '{}', digest: 'd'.repeat(64), provider: 'p', fingerprint: 'f'.repeat(64) };
  return { by, tool: 'refund', maxCalls: 100, spends: [], stops: [], timeoutMs: 1, line: line('tool_call', by.job, OLD), key, ...call };
}

/** A job in somebody's hands. */
async function held(store: Store, id: string, createdAt: number): Promise<Holder> {
  const base = { id, requestId: id, owner: 'o', route: 'r', target: `t-${id}`, source: 'api', input: 'i', metadata: '{}' };
  const job = { ...base, principalId: null, sessionId: id, isContinue: false, maxAttempts: 1, createdAt };
  await store.jobs.accept(job, line('received', id, createdAt), false);
  const [taken] = await store.jobs.take({ replica: 'a', max: 1, leaseMs: 100 * DAY, targets: [job.target] });
  if (!taken) throw new Error('the job was not taken');
  return taken.by;
}

async function wrote(store: Store, by: Holder, what: string, answer = OK): Promise<void> {
  const ended = await store.calls.intendWrite(intent(by, what));
  if (ended.is !== 'go') throw new Error(ended.is);
  await store.calls.settleWrite(ended.ticket, answer, line('tool_result', by.job, OLD));
}

/** Old rows of every kind, and beside them a job that is not over with an old answer and one that nobody knows the outcome of. */
async function fill(database: FreshDatabase): Promise<{ readonly store: Store; readonly live: Holder }> {
  const clock = { now: OLD };
  const store = await openStore({ url: database.url, replica: 'a', lanes: 1, now: () => clock.now });
  const [over, lost, next] = [await held(store, 'over', OLD), await held(store, 'lost', OLD), await held(store, 'next', OLD)];
  for (const what of ['a', 'b', 'c']) await wrote(store, over, what, what === 'c' ? { ok: false, status: 400, text: 'no' } : OK);
  await wrote(store, lost, 'a');
  const ended = await store.calls.intendWrite(intent(lost, 'b'));
  if (ended.is !== 'go') throw new Error(ended.is);
  await store.calls.unknown(ended.ticket, 'timeout', line('x', 'lost', OLD));
  for (const by of [over, lost, next])
    await store.jobs.finish(by, { status: 'done', result: null, error: null, usage: null, lines: [line('finished', by.job, OLD)] });
  const message = { kind: 'k', ref: '', target: '{}', body: '', job: '-', requestId: 'r', signAs: '' };
  await store.outbox.put(['1', '2', '3'].map((dedupe) => ({ ...message, dedupe })));
  await database.query(`UPDATE bz_outbox SET state = 'sent'`);
  await store.jobs.note(Array.from({ length: 200 }, () => line('old', '-', OLD)));
  // A first cut, told by a line that is old by now: the next has to tell it again.
  for await (const step of store.retention.ledger(OLD - 1)) void step;
  const second = await openStore({ url: database.url, replica: 'b', lanes: 1, now: () => OLD - 20 * DAY });
  await second.jobs.note([line('older', '-', OLD - 20 * DAY)]);
  await second.close();
  for await (const step of store.retention.ledger(OLD - 10 * DAY)) void step;
  clock.now = NOW;
  await store.jobs.note([line('young', '-', NOW)]);
  const live = await held(store, 'live', NOW);
  await wrote(store, live, 'a');
  // Its answer is older than anything is kept.
  await database.query(`UPDATE bz_tool_executions SET updated_at = 1 WHERE job_id = 'live'`);
  return { store, live };
}

async function all(steps: AsyncIterable<Pruned>): Promise<void> {
  for await (const step of steps) void step;
}

for (const fixture of await databases()) {
  describe(`crash: a process that removes old rows, on ${fixture.name}`, function () {
    this.timeout(120_000);

    it('dies at every place of its rounds: what is needed is there, the ledger is whole, and the next round ends it', async () => {
      const database = await fixture.create();
      const passed: string[] = [];
      try {
        for (const place of PLACES) {
          await database.empty();
          const { store, live } = await fill(database);
          try {
            if ((await run([database.url, place, '1', String(BEFORE)])) === 'SIGKILL') passed.push(place);
            expect((await verifyLedger(database.url)).found, place).to.deep.equal([]);
            expect((await store.calls.intendWrite(intent(live, 'a'))).is, place).to.equal('replay');
            expect(await store.calls.unresolved('lost'), place).to.have.length(1);
            const { retention } = store;
            for (const one of ['journal', 'failures', 'sent', 'ledger'] as const) await all(retention[one](BEFORE));
            expect(await rows(database, `bz_tool_executions WHERE job_id = 'over'`), place).to.equal(0);
            expect(await rows(database, `bz_tool_executions WHERE job_id IN ('lost', 'live')`), place).to.equal(3);
            expect(await rows(database, `bz_tool_failures WHERE job_id = 'over'`), place).to.equal(0);
            expect(await rows(database, 'bz_outbox'), place).to.be.below(2);
            expect(await rows(database, `bz_audit WHERE event IN ('old', 'older')`), place).to.equal(0);
            expect(await rows(database, `bz_audit WHERE event = 'young'`), place).to.equal(1);
            expect((await verifyLedger(database.url)).found, place).to.deep.equal([]);
          } finally {
            await store.close();
          }
        }
      } finally {
        await database.drop();
      }
      expect(PLACES.filter((place) => !passed.includes(place))).to.deep.equal([]);
    });
  });
}

async function rows(database: FreshDatabase, from: string): Promise<number> {
  return Number((await database.query(`SELECT COUNT(*) AS n FROM ${from}`))[0]?.['n']);
}

function run(args: readonly string[]): Promise<NodeJS.Signals | null> {
  const child = fileURLToPath(new URL('./retention-child.js', import.meta.url));
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('exit', (_code, signal) => resolve(signal))
      .on('error', reject);
  });
}
