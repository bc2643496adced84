import type { Holder } from '@bailing/engine/ports';
import { saveRound as statement } from '../statements/rounds.js';
import { change, Undo, type Unit } from '../lane/unit.js';

/** One commit: where the loop of a held job stands, fenced by its claim. */
export function saveRound(by: Holder, state: string): Unit<'saved' | 'lost-lease'> {
  return {
    name: 'save-round',
    key: by.job,
    *run(tx) {
      const written = yield* change(statement, [by.job, state, tx.now, by.job, by.claim]);
      return written > 0 ? 'saved' : new Undo<'saved' | 'lost-lease'>('lost-lease');
    },
  };
}
