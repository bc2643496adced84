import type { Line } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { addFailure, clearFailures } from '../statements/failures.js';
import { change, type Unit } from '../lane/unit.js';
import type { Intended } from '../ticket.js';

/** Rides with another commit: the `tool_result` line of a read and what it means for the tool's failure streak. */
export function settleRead({ job, tool }: Intended, failed: boolean, clears: () => boolean, line: Line): Unit<void> {
  return {
    name: 'settle-read',
    key: job,
    *run(tx) {
      yield* append(tx, line);
      if (failed) yield* change(addFailure, [job, tool]);
      else if (clears()) yield* change(clearFailures, [job, tool]);
    },
  };
}
