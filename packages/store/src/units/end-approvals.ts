import type { Ending } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { endApproval } from '../statements/approval-moves.js';
import { lockJob } from '../statements/jobs-rerun.js';
import { giveBackReserved } from '../statements/take-budget.js';
import { change, rows, type Unit } from '../lane/unit.js';

/** One commit for some approvals that end without a decision: state, line, and the reserved unit given back. Answers how many moved. */
export function endApprovals(endings: readonly Ending[], status: 'expired' | 'void', reason: string | null): Unit<number> {
  // Jobs in one order, so that two sweeps never wait for each other in a ring.
  const inOrder = [...endings].sort((a, b) => (a.job < b.job ? -1 : a.job > b.job ? 1 : a.id - b.id));
  return {
    name: status === 'expired' ? 'expire-approvals' : 'void-approvals',
    key: inOrder[0]?.job ?? '-',
    *run(tx) {
      let moved = 0;
      for (const { id, job, line } of inOrder) {
        yield* rows(lockJob, [job]);
        if ((yield* change(endApproval, [status, reason, id])) === 0) continue;
        yield* change(giveBackReserved, [job]);
        yield* append(tx, line);
        moved += 1;
      }
      return moved;
    },
  };
}
