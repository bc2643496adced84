import type { Holder } from '@bailing/engine/ports';
import { markHandedOver } from '../statements/jobs-write.js';
import { change, type Unit } from '../lane/unit.js';

/** One statement: whoever holds the job has it in its hands. Answers false where another claim holds it, or it is over. */
export function handedOver({ job, claim }: Holder): Unit<boolean> {
  return {
    name: 'handed-over',
    key: 'renew',
    *run(tx) {
      return (yield* change(markHandedOver, [tx.now, tx.now, job, claim])) === 1;
    },
  };
}
