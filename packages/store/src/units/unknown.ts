import type { Line } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { fit } from '../ledger/hash.js';
import { columnLimits } from '../migrations/migration.js';
import { addFailure } from '../statements/failures.js';
import { markUncertain } from '../statements/journal-moves.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import type { Intended } from '../ticket.js';

/** One commit: the row becomes `uncertain` with its reason, which freezes the job; the audit line says so. */
export function markUnknown(
  intended: Intended & { readonly row: NonNullable<Intended['row']> },
  reason: string,
  line: Line,
): Unit<'uncertain' | 'moved'> {
  const { job, tool, row } = intended;
  return {
    name: 'unknown',
    key: job,
    *run(tx) {
      const moved = yield* change(markUncertain, [fit(reason, columnLimits.reason), tx.now, row.id, row.attempt]);
      if (moved === 0) return new Undo<'uncertain' | 'moved'>('moved');
      yield* append(tx, line);
      yield* change(addFailure, [job, tool]);
      return 'uncertain';
    },
  };
}
