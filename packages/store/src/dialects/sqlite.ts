import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BailingError } from '@bailing/plugin-api';
import knexFactory, { type Knex } from 'knex';
import type { Failpoint } from '../lane/batch.js';
import type { Reply, Steps } from '../lane/unit.js';
import { migrateSqlite } from '../migrations/run.js';
import { commit } from '../statements/control.js';
import type { Prepared, Statement, Value } from '../statements/statement.js';
import type { Database, OnStatement, OpenReader, Reader, WriteConnection } from './dialect.js';
import { drivePartly } from './drive.js';
import { isBusy, LibsqlConnection, LibsqlDialect, openLibsql, prepareReader, prepareWriter, type RawLibsql } from './libsql.js';
import { QUIET } from './quiet.js';
import { MEMORY } from './url.js';

/** How long an opening process waits for another one that migrates. */
const OPEN_WAIT_MS = 30_000;
const OPEN_RETRY_MS = 25;
/** The driver is synchronous: longer waits belong to the lane, which lets the process work meanwhile. */
const DRIVER_WAIT_MS = 20;
const READER_WAIT_MS = 200;

/** Opens and migrates one SQLite file: one writer under BEGIN IMMEDIATE, one reader beside it. */
export async function openSqlite(file: string, onStatement: OnStatement | undefined, failpoint?: Failpoint): Promise<Database> {
  if (file !== MEMORY) makeFile(file);
  const knex = knexFactory({
    client: LibsqlDialect,
    connection: { filename: file },
    pool: { min: 1, max: 1 },
    useNullAsDefault: true,
    acquireConnectionTimeout: 5_000,
    log: QUIET,
  });
  try {
    const raw = await writerOf(knex);
    await patiently(() => prepareWriter(raw, DRIVER_WAIT_MS));
    await poolOf(knex).releaseConnection(raw);
    const migrations = await patiently(() => migrateSqlite(knex, (sql) => raw.exec(sql), failpoint));
    await writerOf(knex);
    const connection = new LibsqlConnection(raw);
    const reader = file === MEMORY ? connection : new LibsqlConnection(await patiently(() => openReader(file)));
    const close = async (): Promise<void> => {
      if (reader !== connection) reader.close();
      await poolOf(knex).releaseConnection(raw);
      await knex.destroy();
    };
    return {
      dialect: 'sqlite',
      writers: [writer(connection, reader !== connection, onStatement)],
      reader: readerOf(reader, onStatement),
      migrations,
      close,
    };
  } catch (error) {
    await knex.destroy();
    throw opening(error);
  }
}

/** Opens a file as it is, to read in it: nothing is made and nothing migrated. */
export function openSqliteReader(file: string): OpenReader {
  try {
    if (!existsSync(file)) throw new BailingError('BAILING_STORE_UNREACHABLE', { detail: 'There is no such file.' });
    const connection = new LibsqlConnection(openReader(file));
    return { reader: readerOf(connection, undefined), close: () => Promise.resolve(connection.close()) };
  } catch (error) {
    throw opening(error);
  }
}

/** The driver waits inside the process, where it would keep whoever holds the lock from going on; so the waiting is done out here. */
async function patiently<R>(step: () => R | Promise<R>): Promise<R> {
  const until = performance.now() + OPEN_WAIT_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(OPEN_RETRY_MS);
    }
  }
}

function makeFile(file: string): void {
  try {
    // Inputs, metadata and answers are in here: a folder made for it is its owner's alone.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // And so is the file, in whatever folder: the driver would make it readable for everybody, and its log files like it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return usable(file);
    throw opening(error);
  }
}

/**
 * A file that is there is never opened here: closing it would drop every lock this process has on it (POSIX), and another process would take the
 * database for unused and put away the log that a store of this process goes on writing to.
 */
function usable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw opening(error);
  }
}

/** The pool's only connection. It stays with the lane; knex gets it back when the store closes. */
async function writerOf(knex: Knex): Promise<RawLibsql> {
  return await poolOf(knex).acquireConnection();
}

interface RawPool {
  acquireConnection(): Promise<RawLibsql>;
  releaseConnection(raw: RawLibsql): Promise<void>;
}

/** knex types its client as `any`. */
function poolOf(knex: Knex): RawPool {
  return knex.client as RawPool;
}

function openReader(file: string): RawLibsql {
  const raw = openLibsql(file);
  prepareReader(raw, READER_WAIT_MS);
  return raw;
}

/** `apart`: nobody else uses the connection, so the process works on while the disk takes a commit. */
function writer(connection: LibsqlConnection, apart: boolean, onStatement: OnStatement | undefined): WriteConnection {
  const execute = (statement: Prepared, params: readonly Value[]): Reply | Promise<Reply> => {
    if (statement.sqlite === '') return NOTHING;
    onStatement?.(statement.name);
    return apart && statement === commit ? connection.executeApart(statement) : connection.execute(statement, params);
  };
  return { drive: <R>(steps: Steps<R>): Promise<R> => drivePartly(steps, execute) };
}

const NOTHING: Reply = Object.freeze({ rows: [], changes: 0, insertId: 0 });

function readerOf(connection: LibsqlConnection, onStatement: OnStatement | undefined): Reader {
  return {
    read: <P extends readonly Value[], Row>(statement: Statement<P, Row>, params: P) => {
      onStatement?.(statement.name);
      return new Promise<readonly Row[]>((resolve) => {
        resolve(connection.execute(statement, params).rows as readonly Row[]);
      });
    },
  };
}

function opening(error: unknown): unknown {
  if (error instanceof BailingError) return error;
  const { code, path } = error as { readonly code?: unknown; readonly path?: unknown };
  if (isBusy(error)) return new BailingError('BAILING_STORE_BUSY', { detail: 'Another process keeps the file locked.' });
  return new BailingError('BAILING_STORE_UNREACHABLE', {
    detail:
      typeof code === 'string' && code !== '' ? `${code}${typeof path === 'string' ? ` at ${path}` : ''}.` : 'The file cannot be opened.',
  });
}
