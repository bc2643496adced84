import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Holder, Store, Ticket } from '@bailing/engine/ports';
import { openLibsql } from '../dialects/libsql.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { expectIs, fixtures, heldJob, line, onEveryDatabase, readIntent, START, type World, world, writeIntent } from './world.js';

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
    await refuseCompletion(w, fixture.name);
    const refused = await settle(w.store, ticket, by).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'BAILING_STORE_FAILED');
    expect(await w.store.calls.unknown(ticket, 'not recorded', line('x', by.job))).to.equal('uncertain');
  });
});

if (fixtures.some(({ name }) => name === 'mysql')) {
  describe('The lane on a MySQL server that is not always there', () => {
    const mysql = fixtures.find(({ name }) => name === 'mysql')!;
    let w: World;
    let wire: Wire;
    beforeEach(async () => {
      w = await world(mysql, { lanes: 1 });
      wire = await wireTo(w.database.url);
    });
    afterEach(async () => {
      await w.end();
      await wire.end();
    });

    it('reconnects and runs the batch again when a connection was lost between transactions', async () => {
      const by = await heldJob(w.store);
      await killConnections(w);
      expectIs(await w.store.calls.intendWrite(writeIntent(by)), 'go');
      expect((await w.store.health()).database).to.equal('ok');
      await killConnections(w);
      expect((await w.store.calls.unresolved(by.job)).length).to.equal(1);
    });

    it('refuses calls with a reason while the server is away, and goes on when it is back', async () => {
      const store = await w.another({ url: wire.url, lanes: 1 });
      const by = await heldJob(store);
      const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, 'a')), 'go');
      wire.cut();
      const refusals = [store.calls.intendWrite(writeIntent(by, 'b')), store.calls.unresolved(by.job), settle(store, ticket, by)];
      const codes = (await Promise.allSettled(refusals)).map((one) =>
        one.status === 'rejected' ? (one.reason as { code: unknown }).code : one,
      );
      expect(codes).to.deep.equal(Array(3).fill('BAILING_STORE_UNREACHABLE'));
      expect((await store.health()).database).to.equal('failed');
      wire.mend();
      expect(await settle(store, ticket, by)).to.equal('completed');
      expect((await store.health()).database).to.equal('ok');
    });

    it('does not guess when the answer to a commit is lost: an error, a new chain, and a journal that is right', async () => {
      let armed = false;
      const failpoint = (name: string): void => {
        if (armed && name === 'intend-write:before-commit') wire.loseAnswers();
      };
      const store = await w.another({ url: wire.url, lanes: 1, failpoint });
      const by = await heldJob(store);
      armed = true;
      const lost = await store.calls.intendWrite(writeIntent(by)).catch((error: unknown) => error);
      expect(lost).to.have.property('code', 'BAILING_STORE_UNREACHABLE');
      armed = false;
      wire.mend();
      expect((await w.store.calls.unresolved(by.job)).map(({ state }) => state)).to.deep.equal(['dispatching']);
      expectIs(await store.calls.intendWrite(writeIntent(by)), 'in-flight');
      w.clock.now = START + 10_000;
      expectIs(await store.calls.intendWrite(writeIntent(by)), 'frozen');
      await store.jobs.note([line('after', '-')]);
      expect(await verifyLedger(w.store)).to.deep.include({ found: [], chains: 2 });
    });

    it('runs a transaction again that was chosen as the victim of a deadlock', async () => {
      const stores = [await w.another({ lanes: 4 }), await w.another({ lanes: 4 })];
      const jobs = await Promise.all(Array.from({ length: 6 }, () => heldJob(w.store)));
      const spends = ['z', 'a', 'm'].map((bucket) => ({ bucket, limit: 10_000, windowMs: 60_000, cost: 1 }));
      const call = (i: number) => stores[i % 2]!.calls.intendRead(readIntent(jobs[(i * 7) % 6]!, { spends, maxCalls: 1_000 }));
      const ended = await Promise.all(Array.from({ length: 90 }, (_, i) => call(i)));
      expect(ended.filter(({ is }) => is === 'go')).to.have.length(90);
    });
  });
}

function settle(store: Store, ticket: Ticket, by: Holder): Promise<unknown> {
  return store.calls.settleWrite(ticket, { ok: true, status: 200, text: 'ok' }, line('tool_result', by.job));
}

/** A way to the server that can be cut. */
interface Wire {
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Lets what is asked through, and ends the connection where an answer comes. */
  loseAnswers(): void;
  mend(): void;
  end(): Promise<void>;
}

async function wireTo(database: string): Promise<Wire> {
  const target = new URL(database);
  let manner: 'whole' | 'cut' | 'one-way' = 'whole';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 3306), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => (manner === 'whole' ? near.write(bytes) : near.destroy()));
    if (manner === 'cut') near.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database);
  url.port = String((server.address() as AddressInfo).port);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const become = (next: typeof manner) => (): void => {
    manner = next;
    if (next === 'cut') drop();
  };
  const end = async (): Promise<void> => {
    drop();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, cut: become('cut'), loseAnswers: become('one-way'), mend: become('whole'), end };
}

/** Makes the database refuse to record an answer. */
async function refuseCompletion(w: World, dialect: 'sqlite' | 'mysql'): Promise<void> {
  await w.database.query(
    dialect === 'sqlite'
      ? `CREATE TRIGGER refuse BEFORE UPDATE ON bz_tool_executions WHEN NEW.state = 'completed' BEGIN SELECT RAISE(ABORT, 'refused'); END`
      : `CREATE TRIGGER refuse BEFORE UPDATE ON bz_tool_executions FOR EACH ROW BEGIN
           IF NEW.state = 'completed' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF; END`,
  );
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
