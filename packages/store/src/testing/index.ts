import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

export { dropPool, pooled } from './pool.js';

/** A fresh, empty database of its own, dropped by whoever made it. */
export interface FreshDatabase {
  /** For `openStore`. */
  readonly url: string;
  /** Runs one statement outside any store: tests look at rows, plant triggers and edit what nobody may edit. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Takes every row out, but what the migrator noted, and every trigger. */
  empty(): Promise<void>;
  /** Locks what calls and jobs write, as another process does that hangs in the middle of a transaction; answers how to let go. */
  hold(): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

export interface DatabaseFixture {
  readonly name: 'sqlite' | 'mysql';
  create(): Promise<FreshDatabase>;
}

/** The server MariaDB or MySQL tests use; `BAILING_TEST_MYSQL_URL` names another. */
const DEFAULT_SERVER = 'mysql://root@127.0.0.1:3306/';

/**
 * The databases every store test runs on. Where the MySQL server cannot be reached the list holds SQLite alone and says so on stderr;
 * with CI=true that is an error, because a skipped layer proves nothing.
 */
export async function databases(): Promise<readonly DatabaseFixture[]> {
  const server = process.env['BAILING_TEST_MYSQL_URL'] ?? DEFAULT_SERVER;
  const why = await unreachable(server);
  if (why === null) return [sqlite, mysql(server)];
  const says = `MySQL tests skipped, because the server of BAILING_TEST_MYSQL_URL cannot be reached (${why}).`;
  if (process.env['CI'] === 'true') throw new Error(says);
  process.stderr.write(`${says}\n`);
  return [sqlite];
}

const sqlite: DatabaseFixture = {
  name: 'sqlite',
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'bailing-store-'));
    const file = join(folder, 'hub.db');
    const { openLibsql } = await import('../dialects/libsql.js');
    return {
      url: `sqlite:${file}`,
      query: (sql) => {
        const raw = openLibsql(file);
        try {
          // A hub may be writing; its COMMIT ends on another thread while this one waits.
          raw.pragma('busy_timeout = 2000');
          const statement = raw.prepare(sql);
          if (statement.reader) return Promise.resolve(statement.all() as Record<string, unknown>[]);
          statement.run();
          return Promise.resolve([]);
        } finally {
          raw.close();
        }
      },
      empty: () => {
        const raw = openLibsql(file);
        try {
          raw.pragma('busy_timeout = 2000');
          const named = (what: string) => raw.prepare(`SELECT name FROM sqlite_master WHERE ${what}`).all() as { name: string }[];
          const triggers = named(`type = 'trigger'`).map(({ name }) => `DROP TRIGGER ${name}`);
          const tables = named(`type = 'table' AND name LIKE 'bz_%'`).map(({ name }) => name);
          raw.exec(['BEGIN', ...triggers, ...emptying(tables), 'COMMIT'].join(';'));
          return Promise.resolve();
        } finally {
          raw.close();
        }
      },
      hold: () => {
        const raw = openLibsql(file);
        raw.exec('BEGIN IMMEDIATE');
        const release = (): Promise<void> => {
          raw.exec('ROLLBACK');
          raw.close();
          return Promise.resolve();
        };
        return Promise.resolve(release);
      },
      drop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

function mysql(server: string): DatabaseFixture {
  return {
    name: 'mysql',
    async create() {
      const name = `bailing_test_${randomBytes(6).toString('hex')}`;
      await onServer(server, `CREATE DATABASE ${name}`);
      const url = databaseUrl(server, name);
      const drop = async (): Promise<void> => void (await onServer(server, `DROP DATABASE ${name}`));
      return { url, query: (sql) => onServer(url, sql), empty: () => emptyMysql(url), hold: () => holdRows(url), drop };
    },
  };
}

function emptying(tables: readonly string[]): string[] {
  return tables.filter((name) => name !== 'bz_migrations').map((name) => `DELETE FROM ${name}`);
}

/** As new: ids begin at one again, because tests name the first of them. */
async function emptyMysql(uri: string): Promise<void> {
  const connection = await createConnection({ uri, multipleStatements: true });
  const names = async (sql: string): Promise<string[]> => ((await connection.query(sql))[0] as { name: string }[]).map(({ name }) => name);
  try {
    const here = 'FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()';
    const deletes = emptying(await names(`SELECT TABLE_NAME AS name ${here}`));
    const counting = await names(`SELECT TABLE_NAME AS name ${here} AND AUTO_INCREMENT > 1`);
    for (const name of await names('SELECT TRIGGER_NAME AS name FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()'))
      await connection.query(`DROP TRIGGER ${name}`);
    await connection.query(['START TRANSACTION', ...deletes, 'COMMIT'].join(';'));
    for (const name of counting) await connection.query(`ALTER TABLE ${name} AUTO_INCREMENT = 1`);
  } finally {
    await connection.end();
  }
}

/** Row locks on every job and every journal row there is. */
async function holdRows(uri: string): Promise<() => Promise<void>> {
  const connection = await createConnection({ uri });
  await connection.query('START TRANSACTION');
  await connection.query('SELECT id FROM bz_jobs FOR UPDATE');
  await connection.query('SELECT id FROM bz_tool_executions FOR UPDATE');
  return async () => {
    await connection.query('ROLLBACK');
    await connection.end();
  };
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(uri: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const connection = await createConnection({ uri, connectTimeout: 2_000 });
  try {
    const [rows] = await connection.query(sql);
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
  } finally {
    await connection.end();
  }
}

async function unreachable(server: string): Promise<string | null> {
  try {
    await onServer(server, 'SELECT 1');
    return null;
  } catch (error) {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : 'error';
  }
}
