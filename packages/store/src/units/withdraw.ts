import type { Line } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { unspendApproval } from '../statements/approval-moves.js';
import { reserveAgain, reserveAnew } from '../statements/take-budget.js';
import { withdrawIntent, withdrawRepeat } from '../statements/journal-moves.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import type { Intended } from '../ticket.js';

/** One commit: provably nothing was sent, so the row is taken back (a read has none) and an approval is unspent again; the audit line says so. */
export function withdraw({ job, row, approval, uncounted }: Intended, line: Line): Unit<'withdrawn' | 'moved'> {
  return {
    name: 'withdraw',
    key: job,
    *run(tx) {
      if (row) {
        const { id, attempt } = row;
        const moved = attempt === 1 ? yield* change(withdrawIntent, [id]) : yield* change(withdrawRepeat, [tx.now, id, attempt]);
        if (moved === 0) return new Undo<'withdrawn' | 'moved'>('moved');
      }
      if (approval !== undefined) {
        yield* change(uncounted ? reserveAnew : reserveAgain, [job]);
        yield* change(unspendApproval, [approval]);
      }
      yield* append(tx, line);
      return 'withdrawn';
    },
  };
}
