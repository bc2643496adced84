import type { Holder, Line } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { letGoOfJob } from '../statements/jobs-write.js';
import { change, Undo, type Unit } from '../lane/unit.js';

/** One commit: a job whose executor let its lease run out waits again. False where it showed a sign of life after all, or it is another's. */
export function letGo({ job, claim }: Holder, line: Line): Unit<boolean> {
  return {
    name: 'let-go',
    key: job,
    *run(tx) {
      if ((yield* change(letGoOfJob, [tx.now, tx.now, job, claim, tx.now])) === 0) return new Undo(false);
      yield* append(tx, line);
      return true;
    },
  };
}
