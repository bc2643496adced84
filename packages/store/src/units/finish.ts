import type { End, Holder } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { endJob, endJobTexts } from '../statements/jobs-write.js';
import { change, Undo, type Unit } from '../lane/unit.js';

/** One commit: the terminal state of a job and its lines, fenced by its claim. */
export function finish(by: Holder, end: End): Unit<'finished' | 'lost-lease'> {
  return {
    name: 'finish',
    key: by.job,
    *run(tx) {
      const moved = yield* change(endJob, [end.status, tx.now, by.job, by.claim]);
      if (moved === 0) return new Undo<'finished' | 'lost-lease'>('lost-lease');
      yield* change(endJobTexts, [end.result, end.error, end.usage, by.job]);
      for (const line of end.lines) yield* append(tx, line);
      return 'finished';
    },
  };
}
