import { cancelFlag } from '@bailing/contract';
import type { End, Holder } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { endJob, endJobTexts } from '../statements/jobs-write.js';
import { forgetRound } from '../statements/rounds.js';
import { clearStop, stopIsSet } from '../statements/stops.js';
import { change, rows, Undo, type Unit } from '../lane/unit.js';
import { putOutgoing } from './outbox-put.js';
import { endOfMarked } from './rerun.js';

type Finished = 'finished' | 'requeued' | 'cancelling' | 'lost-lease';

/**
 * One commit: the terminal state of a job and its lines, fenced by its claim. A job that a decision marked may be queued again instead.
 * `cancelling`: nothing was changed, because somebody asked for its cancel; with `evenIfCancelling` that request is over with the job.
 */
export function finish(by: Holder, end: End, evenIfCancelling: boolean): Unit<Finished> {
  return {
    name: 'finish',
    key: by.job,
    *run(tx) {
      const flag = cancelFlag(by.job);
      if (evenIfCancelling) yield* change(clearStop, [flag]);
      const moved = yield* change(endJob, [end.status, tx.now, by.job, by.claim, flag]);
      if (moved === 0 && (yield* rows(stopIsSet, [flag])).length > 0) return new Undo<Finished>('cancelling');
      const ended = moved > 0 ? 'finished' : yield* endOfMarked(tx, by, end);
      if (ended === null) return new Undo<Finished>('lost-lease');
      yield* change(endJobTexts, [end.result, end.error, end.usage, by.job]);
      yield* change(forgetRound, [by.job]);
      if (ended === 'finished') for (const one of end.outgoing ?? []) yield* putOutgoing(tx, one);
      for (const line of end.lines) yield* append(tx, line);
      return ended;
    },
  };
}
