import { ensureBucket, lockBuckets } from '../statements/buckets.js';
import { LIST_MAX, padded } from '../statements/statement.js';
import { change, rows, type Steps } from './unit.js';

/** Locks rate buckets in key order before any unit of the batch runs: whoever takes several takes them in the same order. */
export function* lockInOrder(buckets: readonly string[]): Steps<void> {
  for (let from = 0; from < buckets.length; from += LIST_MAX) {
    const some = buckets.slice(from, from + LIST_MAX);
    const locked = yield* rows(lockBuckets.of(some.length), padded(some));
    if (locked.length === some.length) continue;
    const there = new Set(locked.map((row) => row.bucket));
    for (const bucket of some) if (!there.has(bucket)) yield* change(ensureBucket, [bucket]);
  }
}
