import type { Ms } from './words.js';

/** One batch that was looked through. */
export interface Pruned {
  /** Rows that went. */
  readonly removed: number;
  /** A chain of the ledger with a line that is not what its hash says: that line and what follows it stay. */
  readonly broken?: string;
}

/**
 * Removes what nobody needs any more (WIRE §2.9, §8.3). Each goes batch by batch, a hundred rows or so to a commit and nothing open in between: whoever
 * iterates sets the pace and may stop after any of them. Two processes at once do no harm.
 */
export interface RetentionStore {
  /**
   * Completed rows of the execution journal, last touched by `before`, of jobs that were over by then and of which nothing is unknown, waits for a
   * decision or is still to be sent.
   */
  journal(before: Ms): AsyncIterable<Pruned>;
  /** Failure streaks of such jobs. */
  failures(before: Ms): AsyncIterable<Pruned>;
  /** Messages that were sent by `before`. */
  sent(before: Ms): AsyncIterable<Pruned>;
  /** Lines of the ledger up to `before`, from the beginning of each chain; not those since the oldest job that is not over was accepted. */
  ledger(before: Ms): AsyncIterable<Pruned>;
}
