import type { Line, Ms } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { clearJobError, requeueEnded } from '../statements/jobs-rerun.js';
import { change, type Steps, type Tx } from '../lane/unit.js';

/** Queues a job again whose row is locked and that nobody holds. `headStartMs`: executors may have it that much later. */
export function* requeue(tx: Tx, job: string, prevStatus: string, headStartMs: Ms, line: Line): Steps<boolean> {
  if ((yield* change(requeueEnded, [tx.now + headStartMs, tx.now, job])) === 0) return false;
  yield* change(clearJobError, [job]);
  yield* append(tx, withPrevious(line, prevStatus));
  return true;
}

/** The line was made before anybody knew what the job was doing. */
export function withPrevious(line: Line, status: string): Line {
  return { ...line, detail: JSON.stringify({ ...(JSON.parse(line.detail) as object), prev_status: status }) };
}
