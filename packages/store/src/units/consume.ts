import type { Consume, Refused, WriteIntent } from '@bailing/engine/ports';
import { approvalState, spendApproval } from '../statements/approval-moves.js';
import { freeReserved, takeReserved } from '../statements/take-budget.js';
import { change, rows, type Steps, type Tx } from '../lane/unit.js';
import { takeSpends } from './take-spends.js';

/**
 * What an approved call pays in its intend commit: lease, the reserved unit, the spends, and last the approval itself, which fits only the exact
 * call it froze. Refused: the unit undoes itself, and nothing is spent.
 */
export function* consume(tx: Tx, intent: WriteIntent, { approval, fingerprint }: Consume): Steps<Refused | null> {
  const { by, key, spends } = intent;
  const paid = yield* change(intent.uncounted ? freeReserved : takeReserved, [by.job, by.claim, tx.now]);
  if (paid === 0) return { is: 'lost-lease' };
  const refused = yield* takeSpends(tx, spends);
  if (refused) return refused;
  const spent = yield* change(spendApproval, [tx.now, approval, key.job, key.tool, key.argsHash, fingerprint, tx.now]);
  return spent > 0 ? null : yield* whyGone(tx, approval);
}

function* whyGone(tx: Tx, approval: number): Steps<Refused> {
  const [is] = yield* rows(approvalState, [approval]);
  if (is && is.used_at !== null) return { is: 'approval-gone', why: 'used' };
  const late = is?.status === 'expired' || (is?.status === 'approved' && is.expires_at !== null && is.expires_at <= tx.now);
  return { is: 'approval-gone', why: late ? 'expired' : 'void' };
}
