import type { Holder } from '@bailing/engine/ports';
import { keepSaid as statement } from '../statements/job-said.js';
import { change, type Unit } from '../lane/unit.js';

/** One commit: what the user of a held job said, recordings written down; fenced by its claim. Written again it is replaced. */
export function keepSaid(by: Holder, said: string): Unit<'kept' | 'lost-lease'> {
  return {
    name: 'keep-said',
    key: by.job,
    *run(tx) {
      return (yield* change(statement, [by.job, said, tx.now, by.job, by.claim])) > 0 ? 'kept' : 'lost-lease';
    },
  };
}
