import { BailingError } from '@bailing/plugin-api';
import type { Knex } from 'knex';
import type { MigrationState } from '../dialects/dialect.js';
import type { Failpoint } from '../lane/batch.js';
import { migrations } from './index.js';
import { EXACT, type Migration } from './migration.js';

/** Locks belong to one database of the server, not to the server. */
const LOCK = "CONCAT('bailing:', LEFT(SHA2(DATABASE(), 256), 40))";
const LOCK_WAIT_S = 60;

/**
 * Begins the transaction of a migration by `sql`. A statement of this driver that failed because the file was locked stays open until it is collected, and
 * with it a view of the file from which nothing can be locked ever after (SQLITE_BUSY_SNAPSHOT); so it is not left to a prepared one.
 */
export type LockFile = (sql: string) => unknown;

/**
 * Brings a database forward. One process works at a time: SQLite under BEGIN EXCLUSIVE, MySQL under GET_LOCK; the others wait and find
 * nothing left to do. Throws BAILING_STORE_TOO_NEW where a newer version has been here. `failpoint` is told `migrate:after-<name>` between a
 * step and its mark.
 */
export async function migrateSqlite(knex: Knex, lockFile: LockFile, failpoint?: Failpoint): Promise<MigrationState> {
  if (await upToDate(knex)) return state();
  lockFile('BEGIN EXCLUSIVE');
  try {
    await knex.raw('CREATE TABLE IF NOT EXISTS bz_migrations (name TEXT NOT NULL PRIMARY KEY, applied_at INTEGER NOT NULL)');
    await applyMissing(knex, (step) => step.sqlite, failpoint);
    await knex.raw('COMMIT');
  } catch (error) {
    await knex.raw('ROLLBACK');
    throw error;
  }
  return state();
}

/** As `migrateSqlite`, under the lock of the server. */
export async function migrateMysql(knex: Knex, failpoint?: Failpoint): Promise<MigrationState> {
  if (await upToDate(knex)) return state();
  const exact = await exactCollation(knex);
  const held = await firstRow(knex, `SELECT GET_LOCK(${LOCK}, ${String(LOCK_WAIT_S)}) AS held`);
  if (Number(held['held']) !== 1) {
    throw new BailingError('BAILING_STORE_BUSY', { detail: 'Another process has been migrating this database for a minute.' });
  }
  try {
    await knex.raw(
      `CREATE TABLE IF NOT EXISTS bz_migrations (name VARCHAR(191) NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)
       ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${exact}`,
    );
    await applyMissing(knex, (step) => step.mysql?.replaceAll(EXACT, exact) ?? null, failpoint);
  } finally {
    await knex.raw(`SELECT RELEASE_LOCK(${LOCK})`);
  }
  return state();
}

/** The usual case needs no lock. */
async function upToDate(knex: Knex): Promise<boolean> {
  if (!(await knex.schema.hasTable('bz_migrations'))) return false;
  const applied = await appliedNames(knex);
  return migrations.every((step) => applied.has(step.name));
}

/** Throws BAILING_STORE_TOO_NEW for a step nobody here knows. */
async function appliedNames(knex: Knex): Promise<ReadonlySet<string>> {
  const rows = await knex<{ name: string }>('bz_migrations').select('name');
  const known = new Set(migrations.map((step) => step.name));
  const unknown = rows.map((row) => row.name).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new BailingError('BAILING_STORE_TOO_NEW', { detail: `It knows ${unknown.sort().join(', ')}.` });
  return new Set(rows.map((row) => row.name));
}

async function applyMissing(knex: Knex, ddlOf: (step: Migration) => string | null, failpoint: Failpoint | undefined): Promise<void> {
  const applied = await appliedNames(knex);
  for (const step of migrations) {
    if (applied.has(step.name)) continue;
    const ddl = ddlOf(step);
    if (ddl !== null) await once(knex, ddl);
    failpoint?.(`migrate:after-${step.name}`);
    await knex('bz_migrations').insert({ name: step.name, applied_at: Date.now() });
  }
}

/** MySQL's numbers for a column and an index that are there already. */
const THERE: ReadonlySet<unknown> = new Set([1060, 1061]);

/** What was made by a process that died before it could say so is there already; not every database knows IF NOT EXISTS for columns and indexes. */
async function once(knex: Knex, ddl: string): Promise<void> {
  try {
    await knex.raw(ddl);
  } catch (error) {
    const { errno, message } = error as { readonly errno?: unknown; readonly message?: unknown };
    if (!THERE.has(errno) && !/duplicate column name/.test(String(message))) throw error;
  }
}

/** Byte-exact and without padding, so that `a` and `a ` are two keys on every database. */
async function exactCollation(knex: Knex): Promise<string> {
  const { version } = await firstRow(knex, 'SELECT VERSION() AS version');
  return String(version).includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}

async function firstRow(knex: Knex, sql: string): Promise<Record<string, unknown>> {
  const [rows] = (await knex.raw(sql)) as [Record<string, unknown>[]];
  return rows[0] ?? {};
}

function state(): MigrationState {
  return { applied: migrations.length, total: migrations.length, latest: migrations.at(-1)?.name ?? '' };
}
