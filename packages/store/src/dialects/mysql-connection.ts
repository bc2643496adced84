import {
  createConnection,
  createPool,
  type Connection,
  type ConnectionOptions,
  type Pool,
  type QueryError,
  type QueryResult,
  type ResultSetHeader,
} from 'mysql2';
import type { Reply, Steps } from '../lane/unit.js';
import type { Prepared, Statement, Value } from '../statements/statement.js';
import type { OnStatement, Reader, WriteConnection } from './dialect.js';
import { driveAsync } from './drive.js';
import { SqlFault } from './fault.js';
import { mysqlFault } from './mysql-fault.js';

/** A statement that takes longer has a dead connection or a blocked server; the connection is given up. */
const STATEMENT_MS = 15_000;
const CONNECT_MS = 5_000;
/** Shorter than STATEMENT_MS, so that a lock shows as 1205 and not as a dead connection. */
const LOCK_WAIT_S = 5;

export function connectionOptions(uri: string): ConnectionOptions {
  return { uri, charset: 'utf8mb4', timezone: 'Z', connectTimeout: CONNECT_MS, supportBigNumbers: true, enableKeepAlive: true };
}

const SESSION = [
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = ${String(LOCK_WAIT_S)}`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

type Runs = Pick<Connection, 'execute' | 'query'>;

/** One writing connection that reconnects by itself when the last one was lost. */
export class MysqlWriter implements WriteConnection {
  #connection: Connection | null = null;

  constructor(
    private readonly uri: string,
    private readonly onStatement: OnStatement | undefined,
  ) {}

  drive<R>(steps: Steps<R>): Promise<R> {
    return driveAsync(steps, (statement, params) => this.#execute(statement, params));
  }

  close(): void {
    this.#connection?.destroy();
    this.#connection = null;
  }

  async #execute(statement: Prepared, params: readonly Value[]): Promise<Reply> {
    if (statement.mysql === '') return NOTHING;
    if (!this.#connection && statement.name !== 'begin') throw new SqlFault('lost', 'no connection', statement.name);
    const connection = (this.#connection ??= await this.#connect(statement.name));
    this.onStatement?.(statement.name);
    try {
      return await run(connection, statement, params);
    } catch (error) {
      if (error instanceof SqlFault && error.kind === 'lost') this.close();
      throw error;
    }
  }

  async #connect(statement: string): Promise<Connection> {
    const connection = createConnection(connectionOptions(this.uri));
    connection.on('error', () => undefined);
    try {
      await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
      for (const sql of SESSION) await setUp(connection, sql);
      return connection;
    } catch (error) {
      connection.destroy();
      throw mysqlFault(error as QueryError, statement);
    }
  }
}

/** A few connections for reads, each statement by itself. */
export class MysqlReader implements Reader {
  readonly #pool: Pool;

  constructor(
    uri: string,
    private readonly onStatement: OnStatement | undefined,
  ) {
    this.#pool = createPool({ ...connectionOptions(uri), connectionLimit: 4, maxIdle: 4, queueLimit: 10_000 });
    this.#pool.on('connection', (connection) => {
      for (const sql of SESSION) connection.query(sql, () => undefined);
    });
  }

  async read<P extends readonly Value[], Row>(statement: Statement<P, Row>, params: P): Promise<readonly Row[]> {
    this.onStatement?.(statement.name);
    const until = performance.now() + RETRY_MS;
    for (;;) {
      try {
        return (await run(this.#pool, statement, params)).rows as readonly Row[];
      } catch (error) {
        // An idle connection that the server has closed shows only when it is used; a read may be asked again.
        if (!isDropped(error) || performance.now() > until) throw error;
      }
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#pool.end(() => resolve()));
  }
}

const RETRY_MS = 500;
const DROPPED = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE']);

function isDropped(error: unknown): boolean {
  return error instanceof SqlFault && error.kind === 'lost' && DROPPED.has(error.reason);
}

const NOTHING: Reply = Object.freeze({ rows: [], changes: 0, insertId: 0 });

function run(connection: Runs, statement: Prepared, params: readonly Value[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const answer = (error: QueryError | null, result: QueryResult): void => {
      if (error) reject(mysqlFault(error, statement.name));
      else if (Array.isArray(result)) resolve({ rows: result, changes: 0, insertId: 0 });
      else resolve(replyOf(result));
    };
    if (statement.control) connection.query({ sql: statement.mysql, timeout: STATEMENT_MS }, answer);
    else connection.execute({ sql: statement.mysql, values: [...params], timeout: STATEMENT_MS }, answer);
  });
}

function replyOf(header: Pick<ResultSetHeader, 'affectedRows' | 'insertId'>): Reply {
  return { rows: [], changes: header.affectedRows, insertId: header.insertId };
}

function setUp(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(sql, (error) => (error ? reject(error) : resolve())));
}
