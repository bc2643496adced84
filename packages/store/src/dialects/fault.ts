import { BailingError } from '@bailing/plugin-api';

/**
 * What went wrong, as far as a transaction cares. `duplicate`: a unique key, the statement alone was undone. `busy`: deadlock or lock,
 * run the transaction again. `lost`: the connection or the transaction is gone. `refused`: this statement failed, the rest stands.
 */
export type FaultKind = 'duplicate' | 'busy' | 'lost' | 'refused';

/** A driver error without its values: neither SQL text nor data reaches a log from here. */
export class SqlFault extends Error {
  constructor(
    readonly kind: FaultKind,
    /** The driver's code and number. */
    readonly reason: string,
    readonly statement: string,
  ) {
    super(`${statement}: ${reason}`);
    this.name = 'SqlFault';
  }

  /** Whether the whole transaction has to go, not only the unit. */
  get breaksBatch(): boolean {
    return this.kind === 'busy' || this.kind === 'lost';
  }
}

export function isFault(error: unknown, kind: FaultKind): boolean {
  return error instanceof SqlFault && error.kind === kind;
}

export function breaksBatch(error: unknown): boolean {
  return error instanceof SqlFault && error.breaksBatch;
}

/** SQLite, the disk of MySQL, a full table: nothing can be written until somebody makes room. */
const FULL = /^SQLITE_FULL\b|\((?:1021|1114|3675)\)$/;

export function isFull(error: unknown): boolean {
  return error instanceof SqlFault && FULL.test(error.reason);
}

/** The catalogue's error for what a caller gets to see. Errors that are not the database's pass through. */
export function toBailingError(error: unknown): Error {
  if (!(error instanceof SqlFault))
    return error instanceof Error ? error : new Error('Something that is no error was thrown.', { cause: error });
  const detail = `Statement ${error.statement}: ${error.reason}.`;
  if (isFull(error)) return new BailingError('BAILING_STORE_FULL', { detail });
  if (error.kind === 'busy') return new BailingError('BAILING_STORE_BUSY', { detail });
  if (error.kind === 'lost') return new BailingError('BAILING_STORE_UNREACHABLE', { detail });
  return new BailingError('BAILING_STORE_FAILED', { detail });
}
