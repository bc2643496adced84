import type { End, Holder } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { endJob, endJobTexts } from '../statements/jobs-write.js';
import { forgetRound } from '../statements/rounds.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import { putOutgoing } from './outbox-put.js';
import { endOfMarked } from './rerun.js';

type Finished = 'finished' | 'requeued' | 'lost-lease';

/** One commit: the terminal state of a job and its lines, fenced by its claim. A job that a decision marked may be queued again instead. */
export function finish(by: Holder, end: End): Unit<Finished> {
  return {
    name: 'finish',
    key: by.job,
    *run(tx) {
      const moved = yield* change(endJob, [end.status, tx.now, by.job, by.claim]);
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
