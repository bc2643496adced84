import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ShopWorld, type WorkItem } from '../support/shop-world.js';

/** What one call asks of the database, by name, in order; `commits` are those that end before the caller has its answer. */
interface Cost {
  readonly statements: readonly string[];
  readonly commits: readonly (readonly string[])[];
}

const CALLS = 6;

/** Whether the token's claim still holds the job and whether the job is frozen, asked before any call. */
const DOOR = ['standing-of-job'];
const LOCK = { sqlite: [], mysql: ['lock-buckets'] };
const SPENDING = ['look-at-windows', 'take-budget', 'insert-spends'];
const read = (name: 'sqlite' | 'mysql') => [...DOOR, ...['begin', ...LOCK[name], 'look-before-read', ...SPENDING, 'insert-line', 'commit']];
const write = (name: 'sqlite' | 'mysql') => [
  ...DOOR,
  ...['begin', ...LOCK[name], 'look-before-write', ...SPENDING, 'insert-intent', 'insert-line', 'commit'],
  ...['begin', 'line-savepoint', 'insert-line', 'record-answer', 'commit'],
];
/** The intend commit finds the answer and changes nothing; its line is written by itself. */
const repeated = (name: 'sqlite' | 'mysql') => [
  ...DOOR,
  ...['begin', ...LOCK[name], 'look-before-write', 'commit'],
  ...['begin', 'insert-line', 'commit'],
];

for (const fixture of await databases()) {
  describe(`promises: statements and awaited commits of a call, on ${fixture.name}`, function () {
    this.timeout(20_000);
    let world: ShopWorld;
    let work: WorkItem;
    let seen: { statements: string[]; commits: (readonly string[])[] };
    before(async () => {
      const store = {
        onStatement: (name: string) => seen.statements.push(name),
        onCommit: (units: readonly string[]) => seen.commits.push(units),
      };
      seen = { statements: [], commits: [] };
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', maxCalls: 50, providerRate: 1_000 }, store });
      work = await world.work();
      // The first call of a process builds what the others find.
      await world.invoke(work, 'order_read', { order_no: 'A-1001' });
      await world.invoke(work, 'refund_create', { order_no: 'A-1001', amount: 1 });
    });
    after(() => world.close());

    /** The least of several calls: duties of the hub that come by in the meantime only add. */
    async function costOf(tool: string, args: (nth: number) => object): Promise<Cost> {
      const costs: Cost[] = [];
      for (let nth = 1; nth <= CALLS; nth += 1) {
        // What rides behind the call before is written down first.
        await world.settled(work.job_id);
        seen = { statements: [], commits: [] };
        const { body } = await world.invoke(work, tool, { order_no: 'A-1001', ...args(nth) });
        costs.push({ statements: [...seen.statements], commits: [...seen.commits] });
        expect(body.ok, JSON.stringify(body)).to.equal(true);
      }
      return costs.reduce((least, cost) => (cost.statements.length < least.statements.length ? cost : least));
    }

    it('a governed read is one awaited commit', async () => {
      const { commits, statements } = await costOf('order_read', () => ({}));
      expect(commits).to.deep.equal([['intend-read']]);
      expect(statements).to.deep.equal(read(fixture.name));
    });

    it('a governed write is two: before anything is sent, and before anybody is told', async () => {
      const { commits, statements } = await costOf('refund_create', (nth) => ({ amount: 100 + nth }));
      expect(commits).to.deep.equal([['intend-write'], ['settle-write']]);
      expect(statements).to.deep.equal(write(fixture.name));
    });

    it('a write that was made before is answered from the journal, and nothing but its line is written', async () => {
      const { commits, statements } = await costOf('refund_create', () => ({ amount: 1 }));
      expect(commits).to.deep.equal([['intend-write'], ['note']]);
      expect(statements).to.deep.equal(repeated(fixture.name));
    });
  });
}
