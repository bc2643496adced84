import type { Ms } from '@bailing/engine/ports';
import { checkpoint } from '../ledger/append.js';
import { dropIdleBucket } from '../statements/buckets.js';
import { pruneRecords } from '../statements/records.js';
import { PRUNED_MAX, pruneSpends } from '../statements/spends.js';
import { change, type Unit } from '../lane/unit.js';

/** Removes spends that left the window of their bucket, a bounded number; answers whether there may be more. */
export function pruneBucket(bucket: string, windowMs: Ms): Unit<boolean> {
  return {
    name: 'prune-spends',
    key: bucket,
    hot: new Map([[bucket, windowMs]]),
    *run(tx) {
      const pruned = yield* change(pruneSpends, [bucket, tx.now - windowMs]);
      yield* change(dropIdleBucket, [bucket, bucket]);
      return pruned >= PRUNED_MAX;
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
