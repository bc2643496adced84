import { expect } from 'chai';
import Database from 'libsql';
import {
  IDEMPOTENCY_TABLE,
  MemoryIdempotencyStore,
  NotApplied,
  runOnce,
  SqlIdempotencyStore,
  type IdempotencyStore,
  type SqlQuery,
} from './index.js';

const key = 'a'.repeat(64);
const call = { idempotencyKey: key, contentHash: 'c'.repeat(64) };

function sqlStore(): IdempotencyStore {
  const database = new Database(':memory:');
  database.exec(IDEMPOTENCY_TABLE);
  // What the executor throws becomes the rejection of the promise, as with an asynchronous driver.
  const query: SqlQuery = (sql, values) =>
    new Promise((resolve) => {
      const statement = database.prepare(sql);
      if (!statement.reader) statement.run(...values);
      const rows: unknown = statement.reader ? statement.all(...values) : [];
      resolve(rows as Record<string, unknown>[]);
    });
  return new SqlIdempotencyStore(query);
}

const STORES: readonly (readonly [string, () => IdempotencyStore])[] = [
  ['in memory', () => new MemoryIdempotencyStore()],
  ['in a table', sqlStore],
];

for (const [name, make] of STORES) {
  describe(`running once per key, ${name}`, () => {
    let runs = 0;
    const handler = (): { status: number; body: unknown } => ({ status: 201, body: { run: (runs += 1) } });
    beforeEach(() => (runs = 0));

    it('gives the first answer again', async () => {
      const store = make();
      expect(await runOnce(store, call, handler)).to.deep.equal({ is: 'first', status: 201, body: '{"run":1}' });
      expect(await runOnce(store, call, handler)).to.deep.equal({ is: 'repeated', status: 201, body: '{"run":1}' });
      expect(runs).to.equal(1);
    });

    it('runs once when the same call comes twenty times at once', async () => {
      const store = make();
      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return handler();
      };
      const answers = await Promise.all(Array.from({ length: 20 }, () => runOnce(store, call, slow)));
      expect(runs).to.equal(1);
      expect(answers.filter(({ is }) => is === 'first')).to.have.length(1);
      for (const { is, status } of answers.filter((answer) => answer.is !== 'first')) expect([is, status]).to.deep.equal(['running', 409]);
    });

    it('refuses the same key with other content, whatever became of the first', async () => {
      const store = make();
      await runOnce(store, call, handler);
      const other = await runOnce(store, { ...call, contentHash: 'd'.repeat(64) }, handler);
      expect([other.is, other.status, runs]).to.deep.equal(['other-content', 422, 1]);
    });

    it('does not run again after a failure half way, until a person releases the key', async () => {
      const store = make();
      const failed: unknown = await runOnce(store, call, () => Promise.reject(new Error('half done'))).catch((error: unknown) => error);
      expect(failed).to.be.an('error').with.property('message', 'half done');
      expect((await runOnce(store, call, handler)).is).to.equal('unknown');
      await store.release(key);
      expect((await runOnce(store, call, handler)).is).to.equal('first');
    });

    it('lets a call come again whose handler says that nothing was done', async () => {
      const store = make();
      await runOnce(store, call, () => Promise.reject(new NotApplied())).catch(() => null);
      expect((await runOnce(store, call, handler)).is).to.equal('first');
    });

    it('refuses a write without a key, and a call that was not verified', async () => {
      const store = make();
      expect(await runOnce(store, { ...call, idempotencyKey: '' }, handler)).to.deep.include({ is: 'no-key', status: 400 });
      expect((await runOnce(store, { ...call, contentHash: '' }, handler)).is).to.equal('no-key');
      expect(runs).to.equal(0);
    });
  });
}

describe('the stores themselves', () => {
  it('in memory: answered keys leave after their time, unsettled ones stay', async () => {
    let clock = 0;
    const store = new MemoryIdempotencyStore({ ttlMs: 1000, limit: 2, clock: () => clock });
    await runOnce(store, call, () => ({ status: 200, body: 1 }));
    store.claim('running', 'x');
    clock = 1000;
    expect(store.claim(key, 'other').is).to.equal('new');
    expect(store.claim('running', 'x').is).to.equal('running');
    expect(() => store.claim('third', 'x')).to.throw(/full of unsettled/);
  });

  it('in a table: a database in trouble runs no handler', async () => {
    const store = new SqlIdempotencyStore((sql) =>
      sql.startsWith('select') ? Promise.resolve([]) : Promise.reject(new Error('disk full')),
    );
    const failed: unknown = await runOnce(store, call, () => ({ status: 200, body: 'ran' })).catch((error: unknown) => error);
    expect(failed).to.be.an('error').with.property('message', 'disk full');
  });
});
