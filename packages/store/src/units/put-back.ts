import type { Holder, Line, Ms } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { requeueJob } from '../statements/jobs-write.js';
import { change, Undo, type Unit } from '../lane/unit.js';

/** One commit: a held job goes back to the queue, fenced by its claim. */
export function putBack(by: Holder, runAfter: Ms, countAttempt: boolean, line: Line): Unit<'queued' | 'lost-lease'> {
  return {
    name: 'put-back',
    key: by.job,
    *run(tx) {
      const moved = yield* change(requeueJob, [runAfter, countAttempt ? 1 : 0, tx.now, by.job, by.claim]);
      if (moved === 0) return new Undo<'queued' | 'lost-lease'>('lost-lease');
      yield* append(tx, line);
      return 'queued';
    },
  };
}
