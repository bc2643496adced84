import { clearStop, setStop } from '../statements/stops.js';
import { change, type Unit } from '../lane/unit.js';

/** One commit: from the next intend commit on, calls that answer to this flag are refused. */
export function setStopFlag(what: string, by: string): Unit<void> {
  return {
    name: 'set-stop',
    key: what,
    *run(tx) {
      yield* change(setStop, [what, by, tx.now]);
    },
  };
}

/** Answers whether it was set. */
export function clearStopFlag(what: string): Unit<boolean> {
  return {
    name: 'clear-stop',
    key: what,
    *run() {
      return (yield* change(clearStop, [what])) > 0;
    },
  };
}
