import { expect } from 'chai';
import { breaksBatch } from '../dialects/fault.js';
import { openLibsql } from '../dialects/libsql.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { expectIs, fixtures, heldJob, line, onEveryDatabase, readIntent, type World, world, writeIntent } from './world.js';

onEveryDatabase('The lane', (fixture) => {
  let w: World;
  beforeEach(async () => {
    w = await world(fixture, { lanes: 2 });
  });
  afterEach(() => w.end());

  it('rejects only the unit that failed, and keeps what was committed with it', async () => {
    const by = await heldJob(w.store);
    const ended = await Promise.allSettled([
      w.store.jobs.note([line('one', by.job)]),
      w.store.jobs.note([line('gone', by.job), line('bad', by.job, { detail: null as never })]),
      w.store.calls.intendRead(readIntent(by)),
      w.store.jobs.note([line('two', by.job)]),
    ]);
    expect(ended.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const events = (await w.store.jobs.audit(by.job, 0, 10)).map(({ event }) => event);
    expect(events).to.deep.equal(['received', 'one', 'tool_call', 'two']);
    expect((await verifyLedger(w.store)).found).to.deep.equal([]);
  });

  it('names the statement and the number of a database error, and none of its values', async () => {
    const error = await w.store.jobs
      .note([line('secret-value', '-', { detail: null as never })])
      .catch((thrown: unknown) => thrown as Error);
    expect(error).to.have.property('code', 'BAILING_STORE_FAILED');
    expect(String(error))
      .to.match(/insert-line/)
      .and.not.match(/secret-value/);
    expect(error).to.not.have.property('cause');
  });

  it('waits for another process that holds the write lock for a moment', async () => {
    const by = await heldJob(w.store);
    const release = await holdLocks(w, fixture.name, by.job);
    const call = w.store.calls.intendWrite(writeIntent(by));
    await new Promise((resolve) => setTimeout(resolve, 250));
    await release();
    expectIs(await call, 'go');
  });

  it('answers a call that comes after close with a reason', async () => {
    await w.store.close();
    expect(await w.store.jobs.note([line('x', '-')]).catch((error: unknown) => error)).to.have.property(
      'code',
      'BAILING_STORE_UNREACHABLE',
    );
    await w.store.close();
  });

  it('drains what rides along before it closes', async () => {
    const by = await heldJob(w.store);
    const tickets = await Promise.all(Array.from({ length: 20 }, () => w.store.calls.intendRead(readIntent(by))));
    for (const one of tickets) w.store.calls.settleRead(expectIs(one, 'go').ticket, false, line('tool_result', by.job));
    await w.store.close();
    const again = await w.another();
    expect((await again.jobs.audit(by.job, 0, 100)).filter(({ event }) => event === 'tool_result')).to.have.length(20);
  });

  it('gives a ticket back when its settle commit failed, so that the call can be called unknown', async () => {
    const by = await heldJob(w.store);
    const { ticket } = expectIs(await w.store.calls.intendWrite(writeIntent(by)), 'go');
    const refused = await w.store.calls.settleWrite(ticket, { ok: true, status: NaN, text: null as never }, line('x', by.job)).then(
      () => null,
      (error: unknown) => error,
    );
    if (refused === null) return;
    expect(await w.store.calls.unknown(ticket, 'not recorded', line('x', by.job))).to.equal('uncertain');
  });
});

if (fixtures.some(({ name }) => name === 'mysql')) {
  describe('The lane on a MySQL server that drops connections', () => {
    const mysql = fixtures.find(({ name }) => name === 'mysql')!;

    it('reconnects and runs the batch again when a connection was lost between transactions', async () => {
      const w = await world(mysql, { lanes: 1 });
      const by = await heldJob(w.store);
      await killConnections(w);
      expectIs(await w.store.calls.intendWrite(writeIntent(by)), 'go');
      expect((await w.store.health()).database).to.equal('ok');
      await w.end();
    });

    it('calls a commit whose answer was lost unclear, starts a new chain and stays verifiable', async () => {
      let armed = false;
      const w = await world(mysql, {
        lanes: 1,
        failpoint: (name) => {
          if (armed && name === 'note:before-commit') throw faultAtCommit();
        },
      });
      await w.store.jobs.note([line('a', '-')]);
      armed = true;
      const error = await w.store.jobs.note([line('b', '-')]).catch((thrown: unknown) => thrown);
      armed = false;
      expect(error).to.be.instanceOf(Error);
      await w.store.jobs.note([line('c', '-')]);
      expect((await verifyLedger(w.store)).found).to.deep.equal([]);
      await w.end();
    });

    it('runs a transaction again that was chosen as the victim of a deadlock', async () => {
      const w = await world(mysql, { lanes: 4 });
      const jobs = await Promise.all(Array.from({ length: 6 }, () => heldJob(w.store)));
      const second = await w.another({ lanes: 4 });
      const spends = ['z', 'a', 'm'].map((bucket) => ({ bucket, limit: 10_000, windowMs: 60_000, cost: 1 }));
      const ended = await Promise.all(
        Array.from({ length: 90 }, (_, i) =>
          (i % 2 ? w.store : second).calls.intendRead(readIntent(jobs[(i * 7) % 6]!, { spends, maxCalls: 1_000 })),
        ),
      );
      expect(ended.filter(({ is }) => is === 'go')).to.have.length(90);
      await w.end();
    });
  });
}

function faultAtCommit(): Error {
  const error = new Error('the process hiccups before COMMIT');
  expect(breaksBatch(error)).to.equal(false);
  return error;
}

/** Holds what an intend commit needs: the file's write lock, or the job's row. */
async function holdLocks(w: World, dialect: 'sqlite' | 'mysql', job: string): Promise<() => Promise<void>> {
  if (dialect === 'sqlite') {
    const raw = openLibsql(w.database.url.slice('sqlite:'.length));
    raw.exec('BEGIN IMMEDIATE');
    return () => {
      raw.exec('COMMIT');
      raw.close();
      return Promise.resolve();
    };
  }
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: w.database.url });
  await connection.query('START TRANSACTION');
  await connection.query(`SELECT id FROM bz_jobs WHERE id = '${job}' FOR UPDATE`);
  return async () => {
    await connection.query('COMMIT');
    await connection.end();
  };
}

async function killConnections(w: World): Promise<void> {
  const found = await w.database.query(
    'SELECT ID AS id FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()',
  );
  for (const { id } of found) await w.database.query(`KILL ${String(id)}`);
}
