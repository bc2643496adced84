import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { openDatabase } from '../open-store.js';
import { jobsWhere, newestJobsBehind } from '../statements/jobs-read.js';
import { type ListStatement, type Prepared, type Value } from '../statements/statement.js';
import { heldJob, line, onEveryDatabase, readIntent, type World, world, writeIntent, expectIs } from './world.js';

/** Statements that read a whole table by their nature, off the call path. */
const MAY_SCAN = new Set([
  'ledger-page',
  'all-writers',
  'all-cuts',
  'unnamed-heads',
  'newest-jobs',
  'count-by-status',
  'count-by-target',
  'count-by-executor',
  'prune-records',
  'anything-to-take',
  'spec-sets-of-approvals',
  'spec-revs',
  'all-spec-sets',
  'current-spec-revisions',
  'spec-sets-of-jobs',
  'count-unresolved',
  // Bounded, for metrics; every approval here is pending, so there is nothing an index could leave out.
  'count-pending',
  // A few flags that operators set by hand, listed for operators.
  'stops-set',
  // The few verdicts of people, asked when an operator reruns a job that is one act.
  'applied-and-gone',
  'object-names',
  // Asks the catalogue of the database whether there is a ledger, before it is verified.
  'ledger-tables',
]);

const INDEX = { owner: 'owner', principal_id: 'principal', thread_id: 'thread_newest' } as const;

onEveryDatabase('Query plans', (fixture) => {
  let w: World;
  before(async () => {
    w = await world(fixture);
    const letGo = fixture.name === 'mysql' ? await keepOldVersions(w.database.url) : () => Promise.resolve();
    await fill(w);
    if (fixture.name === 'mysql') await settleStatistics(w);
    await letGo();
  });
  after(async () => {
    if (fixture.name === 'mysql') await alterAll(w, 'STATS_AUTO_RECALC = DEFAULT');
    await w.end();
  });

  it('no statement of the call path reads a table from end to end', async () => {
    const scans: string[] = [];
    for (const { name, sql } of await everyStatement(fixture.name)) {
      if (MAY_SCAN.has(name)) continue;
      const plan = await w.database.query(explained(fixture.name, sql));
      const scan = plan.find((row) =>
        fixture.name === 'sqlite'
          ? /^SCAN bz_/.test(String(row['detail']))
          : /^(ALL|index)$/.test(String(row['type'])) && row['select_type'] !== 'INSERT' && !/^<derived/.test(String(row['table'])),
      );
      if (scan) scans.push(`${name}: ${JSON.stringify(scan)}`);
    }
    expect(scans).to.deep.equal([]);
  });

  it('a page of jobs by any filter comes from an index in the order it is shown, without sorting', async () => {
    const sorted: string[] = [];
    for (const column of ['owner', 'principal_id', 'thread_id'] as const)
      for (const behind of [false, true]) {
        const plan = await w.database.query(explained(fixture.name, jobsWhere([column], behind)[fixture.name]));
        const rows = plan.map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
        if (
          rows.some((row) => /TEMP B-TREE|filesort|SCAN bz_|SCAN j\b/.test(row)) ||
          !rows.some((row) => row.includes(`bz_jobs_${INDEX[column]}`))
        )
          sorted.push(`${column}, ${behind ? 'behind' : 'first'}: ${rows.join(' | ')}`);
      }
    const plan = await w.database.query(explained(fixture.name, newestJobsBehind[fixture.name]));
    const rows = JSON.stringify(plan, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    if (/TEMP B-TREE|filesort/.test(rows) || !rows.includes('bz_jobs_newest')) sorted.push(`newest: ${rows}`);
    expect(sorted).to.deep.equal([]);
  });

  it('every statement is one the database can prepare', async () => {
    const database = await openDatabase({ url: w.database.url, lanes: 1 });
    const seen = new Set((await everyStatement(fixture.name)).map(({ name }) => name));
    await database.close();
    expect(seen.size).to.be.greaterThan(45);
  });
});

/**
 * A server under load has not yet purged what was changed and deleted, and its planner counts such rows as if they were there. Here it
 * never has, so that the plans below do not depend on how busy the machine is.
 */
async function keepOldVersions(uri: string): Promise<() => Promise<void>> {
  const connection = await createConnection({ uri });
  await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  return () => connection.end();
}

/**
 * Plans follow from the rows that are there, and from nothing else: rebuilt tables hold no deleted rows, and their statistics are taken
 * once and not again in the background.
 */
async function settleStatistics(w: World): Promise<void> {
  await alterAll(w, 'STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0, FORCE');
  await w.database.query(`ANALYZE TABLE ${(await tables(w)).join(', ')}`);
}

async function alterAll(w: World, how: string): Promise<void> {
  const connection = await createConnection({ uri: w.database.url });
  for (const table of await tables(w)) await connection.query(`ALTER TABLE ${table} ${how}`);
  await connection.end();
}

/** What a server of MySQL refuses and MariaDB lets pass; no MySQL runs with these tests. */
describe('Statements for MySQL', () => {
  it('send the words of transactions as text, because none of them can be prepared there', async () => {
    const words = Object.values((await import('../statements/control.js')) as Record<string, Prepared>);
    expect(words.map((word) => [word.name, word.control === true])).to.deep.equal(words.map(({ name }) => [name, true]));
    const elsewhere = (await everyStatement('mysql')).filter(({ sql }) =>
      /^\s*(BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(sql),
    );
    expect(elsewhere).to.deep.equal([]);
  });

  it('give what a JSON function answers the collation of the column it is written to', async () => {
    const bare = (await everyStatement('mysql')).filter(
      ({ sql }) => /^\s*(UPDATE|INSERT)\b[^]*\bJSON_/.test(sql) && !/CONVERT\(JSON_[^;]* USING utf8mb4\) COLLATE/.test(sql),
    );
    expect(bare).to.deep.equal([]);
  });
});

async function tables(w: World): Promise<string[]> {
  const here = "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'";
  return (await w.database.query(`SELECT TABLE_NAME AS name FROM information_schema.TABLES ${here}`)).map(({ name }) => String(name));
}

/** With values in place of parameters: MySQL explains no placeholder. */
function explained(dialect: 'sqlite' | 'mysql', sql: string): string {
  const limited = sql.replaceAll(/(LIMIT|OFFSET) \?/g, '$1 5');
  const filled = limited.replaceAll('?', dialect === 'sqlite' ? "'x'" : "'5'");
  return dialect === 'sqlite' ? `EXPLAIN QUERY PLAN ${filled}` : `EXPLAIN ${filled}`;
}

async function everyStatement(dialect: 'sqlite' | 'mysql'): Promise<readonly { readonly name: string; readonly sql: string }[]> {
  const folder = new URL('../statements/', import.meta.url);
  const found: { name: string; sql: string }[] = [];
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js') && name !== 'control.js')) {
    const exported = Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>);
    for (const one of exported.flatMap((value) => statementsOf(value))) {
      if (one[dialect] !== '') found.push({ name: one.name, sql: one[dialect] });
    }
  }
  return found;
}

function statementsOf(value: unknown): readonly Prepared[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('of' in value) {
    const list = value as ListStatement<Value>;
    return [list.of(1), list.of(3)];
  }
  return 'sqlite' in value ? [value as Prepared] : [];
}

async function ask(w: World, i: number): Promise<void> {
  const by = await heldJob(w.store);
  for (let n = 0; n < 8; n += 1) {
    const { key, args, subject, fingerprint, provider, scope } = writeIntent(by, `q${String(i)}${String(n)}`);
    const policy = { risk: 'high', policy: 'risk_high', reason: '', method: 'POST', path: '/', summary: '', frozen: '{}' };
    const question = { by, key, requestId: 'r', provider, scope, ...policy, args, subject, fingerprint, line: line('x', by.job) };
    expectIs(await w.store.approvals.open(question), 'opened');
  }
}

/** Enough rows that a planner has a reason to use an index. */
async function fill(w: World): Promise<void> {
  const spends = [{ bucket: 'b', limit: 1_000, windowMs: 60_000, cost: 1 }];
  for (let i = 0; i < 12; i += 1) {
    const by = await heldJob(w.store);
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { ticket } = expectIs(await w.store.calls.intendWrite(writeIntent(by, `n${String(n)}`, { spends })), 'go');
        if (n > 1) await w.store.calls.settleWrite(ticket, { ok: n % 2 === 0, status: 200, text: '' }, line('tool_result', by.job));
        await w.store.calls.intendRead(readIntent(by));
      }),
    );
  }
  for (let i = 0; i < 6; i += 1) await ask(w, i);
  for (let i = 0; i < 40; i += 1) await w.store.records('p').put(`k${String(i)}`, 'v', { tag: `t${String(i % 9)}`, ttlMs: 1_000 });
  for (let i = 0; i < 40; i += 1) await w.store.stops.set(`flag:${String(i)}`, 'ann');
}
