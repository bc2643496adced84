import type { Ms } from '@bailing/engine/ports';
import { extendLeases } from '../statements/jobs-write.js';
import { change, type Unit } from '../lane/unit.js';

/** One statement: what an executor holds stays its own, except what it was given before `notBefore`. Answers how many. */
export function extend(executor: string, leaseMs: Ms, notBefore: Ms): Unit<number> {
  return {
    name: 'extend',
    key: 'renew',
    run: (tx) => change(extendLeases, [tx.now + leaseMs, tx.now, executor, notBefore]),
  };
}
