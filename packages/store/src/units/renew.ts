import type { Holder, Ms } from '@bailing/engine/ports';
import { renewLeases, stillHeld } from '../statements/jobs-write.js';
import { padded } from '../statements/statement.js';
import { change, rows, type Unit } from '../lane/unit.js';

/** Renews up to 64 leases in one statement and answers who still holds. */
export function renew(holders: readonly Holder[], leaseMs: Ms): Unit<readonly Holder[]> {
  return {
    name: 'renew',
    key: 'renew',
    *run(tx) {
      const pairs = padded(holders).flatMap(({ job, claim }) => [job, claim]);
      const renewed = yield* change(renewLeases.of(holders.length), [tx.now + leaseMs, tx.now, ...pairs]);
      if (renewed === holders.length) return holders;
      const ids = padded(holders.map(({ job }) => job));
      const claims = new Map((yield* rows(stillHeld.of(ids.length), ids)).map(({ id, claim }) => [id, claim]));
      return holders.filter(({ job, claim }) => claims.get(job) === claim);
    },
  };
}
