import { cancelFlag } from '@bailing/contract';
import type { End, Ms } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { endWaiting } from '../statements/jobs-waiting.js';
import { endJobTexts } from '../statements/jobs-write.js';
import { forgetRound } from '../statements/rounds.js';
import { clearStop } from '../statements/stops.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import { putOutgoing } from './outbox-put.js';

/** One commit: a job is over that nobody has begun with, and that was due before `since`. `moved`: somebody has it now, or it waits anew. */
export function expire(job: string, since: Ms, end: End): Unit<'expired' | 'moved'> {
  return {
    name: 'expire-job',
    key: job,
    *run(tx) {
      if ((yield* change(endWaiting, [end.status, tx.now, job, since])) === 0) return new Undo<'expired' | 'moved'>('moved');
      yield* change(endJobTexts, [end.result, end.error, end.usage, job]);
      yield* change(clearStop, [cancelFlag(job)]);
      yield* change(forgetRound, [job]);
      for (const one of end.outgoing ?? []) yield* putOutgoing(tx, one);
      for (const line of end.lines) yield* append(tx, line);
      return 'expired';
    },
  };
}
