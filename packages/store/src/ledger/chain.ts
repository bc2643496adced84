import { GENESIS } from './hash.js';

/** Where a chain stands; copied before a unit runs and put back when it is undone. */
export interface Head {
  /** The number of the chain's row among the writers; 0 until the chain has begun. */
  readonly writer: number;
  readonly seq: number;
  readonly prev: string;
}

const UNBEGUN: Head = Object.freeze({ writer: 0, seq: 0, prev: GENESIS });

/**
 * The ledger chain of one lane. There is one per writing lane, because two transactions that run side by side cannot extend the same
 * chain without waiting for each other. Begun by its first line; begun anew when nobody knows whether its last commit arrived.
 */
export class Chain {
  #generation = 1;
  head: Head = UNBEGUN;

  constructor(readonly base: string) {}

  get name(): string {
    return this.#generation === 1 ? this.base : `${this.base}.${String(this.#generation)}`;
  }

  get begun(): boolean {
    return this.head.writer !== 0;
  }

  /** Leaves the chain as it is in the database and starts another. */
  abandon(): void {
    this.#generation += 1;
    this.head = UNBEGUN;
  }
}
