import { BailingError } from '@bailing/plugin-api';
import knexFactory from 'knex';
import { createConnection } from 'mysql2';
import type { Failpoint } from '../lane/batch.js';
import { migrateMysql } from '../migrations/run.js';
import type { Database, MigrationState, OnStatement, OpenReader } from './dialect.js';
import { connectionOptions, MysqlReader, MysqlWriter } from './mysql-connection.js';
import { mysqlFault } from './mysql-fault.js';
import { QUIET } from './quiet.js';

/** Opens and migrates a MySQL 8 or MariaDB 10.6+ database: `lanes` writing connections, a few for reads. */
export async function openMysql(
  uri: string,
  lanes: number,
  onStatement: OnStatement | undefined,
  failpoint?: Failpoint,
): Promise<Database> {
  const migrations = await migrated(uri, failpoint);
  const writers = Array.from({ length: lanes }, () => new MysqlWriter(uri, onStatement));
  const reader = new MysqlReader(uri, onStatement);
  const close = async (): Promise<void> => {
    for (const writer of writers) writer.close();
    await reader.close();
  };
  return { dialect: 'mysql', writers, reader, migrations, close };
}

/** Opens a database as it is, to read in it: nothing is migrated. */
export async function openMysqlReader(uri: string): Promise<OpenReader> {
  await reachable(uri);
  const reader = new MysqlReader(uri, undefined);
  return { reader, close: () => reader.close() };
}

/** knex connects for the migrations alone; one connection, because GET_LOCK belongs to its connection. */
async function migrated(uri: string, failpoint: Failpoint | undefined): Promise<MigrationState> {
  await reachable(uri);
  const knex = knexFactory({
    client: 'mysql2',
    connection: connectionOptions(uri) as object,
    pool: { min: 0, max: 1 },
    acquireConnectionTimeout: 10_000,
    log: QUIET,
  });
  try {
    return await migrateMysql(knex, failpoint);
  } catch (error) {
    throw error instanceof BailingError ? error : unreachable(error);
  } finally {
    await knex.destroy();
  }
}

/** Asked first, because a pool keeps trying where a person wants to know what is wrong. */
async function reachable(uri: string): Promise<void> {
  const connection = createConnection(connectionOptions(uri));
  connection.on('error', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  } catch (error) {
    throw unreachable(error);
  } finally {
    connection.destroy();
  }
}

function unreachable(error: unknown): BailingError {
  const { reason } = mysqlFault(error as { code?: string; errno?: number }, 'connect');
  return new BailingError('BAILING_STORE_UNREACHABLE', { detail: `${reason}.` });
}
