import type { Ms } from '@bailing/engine/ports';
import { checkpoint } from '../ledger/append.js';
import { pruneRecords } from '../statements/records.js';
import { pruneSpends } from '../statements/spends.js';
import { change, type Unit } from '../lane/unit.js';

/** Removes spends that left the window of their bucket; bounded per commit. */
export function pruneBucket(bucket: string, windowMs: Ms): Unit<void> {
  return {
    name: 'prune-spends',
    key: bucket,
    hot: new Map([[bucket, windowMs]]),
    *run(tx) {
      yield* change(pruneSpends, [bucket, tx.now - windowMs]);
    },
  };
}

export function pruneExpiredRecords(): Unit<void> {
  return {
    name: 'prune-records',
    key: 'prune-records',
    *run(tx) {
      yield* change(pruneRecords, [tx.now]);
    },
  };
}

/** The last line of a chain: names what the other chains have reached. */
export function closeChain(lane: number): Unit<void> {
  return {
    name: 'close-chain',
    key: `close:${String(lane)}`,
    *run(tx) {
      if (tx.chain.begun) yield* checkpoint(tx, 'close');
    },
  };
}
