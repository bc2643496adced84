import { createRequire } from 'node:module';
import type { Knex } from 'knex';
import Libsql from 'libsql';
import PromiseLibsql from 'libsql/promise';
import type { Reply } from '../lane/unit.js';
import type { Prepared, Value } from '../statements/statement.js';
import { type FaultKind, SqlFault } from './fault.js';

/**
 * Everything peculiar about libsql 0.5.29 lives here: it has the interface of better-sqlite3, but `pragma()` answers rows, `get()` adds a
 * `_metadata` member and on a statement that was also read with `all()` sometimes answers nothing although there is a row (so it is not used), `readonly` is ignored, and text that holds a NUL is cut when it is read back. Its second interface (`libsql/promise`)
 * wraps the same native connection and can carry out SQL on another thread.
 */
export type RawLibsql = Libsql.Database;
type RawStatement = Libsql.Statement;

const require = createRequire(import.meta.url);

/** The part of knex's dialect class that is overridden; knex declares no types for it. */
interface DialectClass {
  new (config: Knex.Config): Knex.Client;
}
const BetterSqlite = require('knex/lib/dialects/better-sqlite3/index.js') as DialectClass;

/** knex's better-sqlite3 dialect over libsql. */
class LibsqlClient extends BetterSqlite {
  _driver(): typeof Libsql {
    return Libsql;
  }
}

/** What knex takes as `client`. */
export const LibsqlDialect = LibsqlClient as unknown as typeof Knex.Client;

export function openLibsql(file: string): RawLibsql {
  return new Libsql(file);
}

/** WAL with a synced commit, as every promise of the hub needs it. Waiting for a lock is the lane's business, not the driver's. */
export function prepareWriter(raw: RawLibsql, busyMs: number): void {
  raw.pragma(`busy_timeout = ${String(busyMs)}`);
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = FULL');
  raw.pragma('journal_size_limit = 67108864');
  raw.pragma('wal_autocheckpoint = 4000');
  raw.pragma('temp_store = MEMORY');
}

export function prepareReader(raw: RawLibsql, busyMs: number): void {
  raw.pragma(`busy_timeout = ${String(busyMs)}`);
  raw.pragma('query_only = ON');
}

/** Prepared statements of one connection, by SQL text. */
export class LibsqlConnection {
  readonly #kept = new Map<string, { readonly raw: RawStatement; readonly reads: boolean }>();

  constructor(readonly raw: RawLibsql) {}

  /** Carries out one statement. Throws SqlFault. */
  execute({ name, sqlite: sql }: Prepared, params: readonly Value[]): Reply {
    const wasOpen = this.raw.inTransaction;
    try {
      const { raw, reads } = this.#prepared(sql);
      const bound = params.map(toStored);
      if (reads) return { rows: readAll(raw, bound), changes: 0, insertId: 0 };
      const { changes, lastInsertRowid } = raw.run(bound);
      return { rows: NO_ROWS, changes, insertId: Number(lastInsertRowid) };
    } catch (error) {
      throw new SqlFault(kindOf(error, wasOpen && !this.raw.inTransaction), reasonOf(error), name);
    }
  }

  /** Carries out a statement without parameters on another thread; until it has ended the connection belongs to that thread. */
  async executeApart({ name, sqlite: sql }: Prepared): Promise<Reply> {
    const wasOpen = this.raw.inTransaction;
    try {
      await execApart(this.raw, sql);
      return { rows: NO_ROWS, changes: 0, insertId: 0 };
    } catch (error) {
      throw new SqlFault(kindOf(error, wasOpen && !this.raw.inTransaction), reasonOf(error), name);
    }
  }

  close(): void {
    this.#kept.clear();
    if (this.raw.open) this.raw.close();
  }

  #prepared(sql: string): { readonly raw: RawStatement; readonly reads: boolean } {
    const found = this.#kept.get(sql);
    if (found) return found;
    const raw = this.raw.prepare(sql);
    const made = { raw, reads: raw.reader };
    this.#kept.set(sql, made);
    return made;
  }
}

function execApart(raw: RawLibsql, sql: string): Promise<unknown> {
  const { db } = raw as unknown as { readonly db: unknown };
  return PromiseLibsql.prototype.exec.call({ db }, sql) as Promise<unknown>;
}

const NO_ROWS: readonly unknown[] = Object.freeze([]);

/** Text with a NUL is stored as its UTF-8 bytes, which compare equal to themselves and come back whole. */
function toStored(value: Value): Value | Buffer {
  return typeof value === 'string' && value.includes('\0') ? Buffer.from(value, 'utf8') : value;
}

function readAll(statement: RawStatement, bound: readonly unknown[]): readonly unknown[] {
  const rows = statement.all(bound) as Record<string, unknown>[];
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'object' && value !== null) row[name] = Buffer.from(value as ArrayBuffer).toString('utf8');
    }
  }
  return rows;
}

function kindOf(error: unknown, transactionGone: boolean): FaultKind {
  const code = codeOf(error);
  if (isBusy(error)) return 'busy';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'duplicate';
  return transactionGone ? 'lost' : 'refused';
}

/** Whether another connection holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const raw = (error as { rawCode?: unknown }).rawCode;
  if (code !== '') return typeof raw === 'number' ? `${code} (${String(raw)})` : code;
  return error instanceof Error ? error.name : 'unknown';
}
