import type { Line, Recorded } from '@bailing/engine/ports';
import { breaksBatch } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { lineSavepoint, rollbackToLine } from '../statements/control.js';
import { addFailure, clearFailures } from '../statements/failures.js';
import { recordAnswer } from '../statements/journal-moves.js';
import { change, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import type { Intended } from '../ticket.js';

type WithRow = Intended & { readonly row: NonNullable<Intended['row']> };

export type WriteSettled = 'completed' | 'evidence_degraded' | 'moved';

/**
 * One commit: savepoint · audit `tool_result` · the answer with the state it ends in. The line goes first, so that the row is written once
 * with the right state: `completed`, or after a failed line `evidence_degraded` with the answer kept.
 */
export function settleWrite(intended: WithRow, recorded: Recorded, clears: () => boolean, line: Line): Unit<WriteSettled> {
  const { job, tool, row } = intended;
  return {
    name: 'settle-write',
    key: job,
    *run(tx) {
      const state = (yield* tryAppend(tx, line)) ? 'completed' : 'evidence_degraded';
      const { ok, status, text } = recorded;
      const moved = yield* change(recordAnswer, [state, ok ? 1 : 0, status, text, tx.now, tx.now, row.id, row.attempt]);
      if (moved === 0) return new Undo<WriteSettled>('moved');
      if (!ok) yield* change(addFailure, [job, tool]);
      else if (clears()) yield* change(clearFailures, [job, tool]);
      return state;
    },
  };
}

function* tryAppend(tx: Tx, line: Line): Steps<boolean> {
  if (tx.hopes) {
    // A hopeful batch writes its lines at the end; if that fails, all of it runs again with the savepoint below.
    yield* append(tx, line);
    return true;
  }
  const before = tx.chain.head;
  yield* change(lineSavepoint, []);
  try {
    yield* append(tx, line);
    return true;
  } catch (error) {
    if (breaksBatch(error)) throw error;
    tx.chain.head = before;
    yield* change(rollbackToLine, []);
    return false;
  }
}
