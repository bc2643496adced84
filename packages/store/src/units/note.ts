import type { Line } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import type { Unit } from '../lane/unit.js';

/** One commit of audit lines that change nothing else. */
export function note(lines: readonly Line[]): Unit<void> {
  return {
    name: 'note',
    key: lines[0]?.job ?? '-',
    *run(tx) {
      for (const line of lines) yield* append(tx, line);
    },
  };
}
