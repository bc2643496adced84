import type { Ms } from '@bailing/engine/ports';
import type { Chain } from '../ledger/chain.js';
import type { Prepared, Statement, Value } from '../statements/statement.js';

/** A statement a unit wants carried out. Units are generators of asks: on SQLite a whole batch runs without a single await. */
export interface Ask {
  readonly statement: Prepared;
  readonly params: readonly Value[];
}

export interface Reply {
  readonly rows: readonly unknown[];
  /** Rows matched by an UPDATE, or rows inserted or deleted. */
  readonly changes: number;
  /** Of the last INSERT into a table with a counting key. */
  readonly insertId: number;
}

/** A generator that asks for statements and ends with `R`. */
export type Steps<R> = Generator<Ask, R, Reply>;

/** What a unit sees of the transaction it runs in. */
export interface Tx {
  /** Read once per batch, inside the open transaction. */
  readonly now: Ms;
  readonly chain: Chain;
  /** What waits for the end of a batch that nobody expects to be undone; null where everything is written at once. */
  readonly hopes: Hopes | null;
}

/** Audit lines, chained already, as the parameters of their statement. */
export type WaitingLine = readonly Value[];
export type SpendRow = readonly [bucket: string, at: Ms, cum: number, cost: number];

/** A sliding window: the running total of its bucket, the time of the latest spend, and the total before the first spend inside it. */
export interface Window {
  readonly total: number;
  readonly at: Ms;
  readonly base: number | null;
}
export type Windows = ReadonlyMap<string, Window>;

export interface Hopes {
  readonly lines: WaitingLine[];
  readonly spends: SpendRow[];
  /** Every bucket the batch will touch, as the units before have left it. */
  readonly windows: Map<string, Window>;
}

/** An outcome that leaves nothing behind: the lane goes back to the unit's savepoint and answers `value`. */
export class Undo<R> {
  constructor(readonly value: R) {}
}

/** One transaction's worth of work. `key` picks the lane: units with one key never run side by side in this process. */
export interface Unit<R> {
  readonly name: string;
  readonly key: string;
  /** Rate buckets this unit will take, with their windows: locked in key order before any unit of the batch runs. */
  readonly hot?: ReadonlyMap<string, Ms>;
  run(tx: Tx): Steps<R | Undo<R>>;
}

export function* change<P extends readonly Value[]>(statement: Statement<P, never>, params: P): Steps<number> {
  return (yield { statement, params }).changes;
}

export function* insert<P extends readonly Value[]>(statement: Statement<P, never>, params: P): Steps<number> {
  return (yield { statement, params }).insertId;
}

export function* rows<P extends readonly Value[], Row>(statement: Statement<P, Row>, params: P): Steps<readonly Row[]> {
  return (yield { statement, params }).rows as readonly Row[];
}
