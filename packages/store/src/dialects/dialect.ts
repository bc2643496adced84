import type { Steps } from '../lane/unit.js';
import type { Statement, Value } from '../statements/statement.js';

export type DialectName = 'sqlite' | 'mysql';

/** One connection that carries out transactions, one generator at a time. */
export interface WriteConnection {
  /** Runs a generator to its end; faults of its statements are thrown into it as SqlFault. */
  drive<R>(steps: Steps<R>): R | Promise<R>;
}

/** Reads outside any transaction; each sees what is committed when it runs. */
export interface Reader {
  read<P extends readonly Value[], Row>(statement: Statement<P, Row>, params: P): Promise<readonly Row[]>;
}

export interface MigrationState {
  readonly applied: number;
  readonly total: number;
  readonly latest: string;
}

/** An opened and migrated database. */
export interface Database {
  readonly dialect: DialectName;
  readonly writers: readonly WriteConnection[];
  readonly reader: Reader;
  readonly migrations: MigrationState;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Called with the name of every statement carried out, control statements included. */
export type OnStatement = (name: string) => void;

/** A database that is only looked at. */
export interface OpenReader {
  readonly reader: Reader;
  close(): Promise<void>;
}
