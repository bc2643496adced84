import type { Ms } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { holdDuty, insertDuty } from '../statements/duties.js';
import { change, Undo, type Unit } from '../lane/unit.js';

/** One commit: this replica holds the duty for a while, or somebody else does. */
export function holdDutyFor(name: string, holder: string, ms: Ms): Unit<boolean> {
  return {
    name: 'hold-duty',
    key: `duty:${name}`,
    *run(tx) {
      if ((yield* change(holdDuty, [holder, tx.now + ms, name, tx.now, holder])) > 0) return true;
      try {
        yield* change(insertDuty, [name, holder, tx.now + ms]);
        return true;
      } catch (error) {
        if (isFault(error, 'duplicate')) return new Undo<boolean>(false);
        throw error;
      }
    },
  };
}
