import type { Ms } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append, begun } from '../ledger/append.js';
import { type Cut, cutLine } from '../ledger/cuts.js';
import { advanceCut, cutOf, type CutRow, cutsToldIn, dropLines, insertCut, retellCut } from '../statements/retention.js';
import { chunks, padded } from '../statements/statement.js';
import { change, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';

/** Where a chain is going to be cut; `writer` is its name, `id` its number. */
export interface PlannedCut extends Cut {
  readonly id: number;
}

/**
 * One commit, before any line goes: where each chain is cut, as a line of the ledger and as the row that finds it. What another process has cut as
 * far already is left out. Answers how many chains were told.
 */
export function tellCuts(planned: readonly PlannedCut[], before: Ms): Unit<number> {
  return {
    name: 'tell-cuts',
    key: 'retention',
    *run(tx) {
      yield* begun(tx);
      const told = place(tx);
      const cuts: PlannedCut[] = [];
      for (const cut of planned) if (yield* advanced(cut, told)) cuts.push(cut);
      if (cuts.length === 0) return new Undo(0);
      yield* append(tx, cutLine(cuts, before, tx.now));
      return cuts.length;
    },
  };
}

/** One commit: cuts told by lines that are about to go are told again, some at a time; answers how many. */
export function retellCuts(writer: number, upTo: number, max: number): Unit<number> {
  return {
    name: 'retell-cuts',
    key: 'retention',
    *run(tx) {
      yield* begun(tx);
      const told = place(tx);
      const again: Cut[] = [];
      for (const cut of yield* rows(cutsToldIn, [writer, upTo, max])) {
        const { name, seq, hash } = cut;
        const moved = yield* change(retellCut, [told.writer, told.seq, cut.writer, seq, cut.told_writer, cut.told_seq]);
        if (moved > 0) again.push({ writer: name, seq, hash, lines: 0 });
      }
      if (again.length === 0) return new Undo(0);
      yield* append(tx, cutLine(again, null, tx.now));
      return again.length;
    },
  };
}

/** One commit: lines of one chain go, from its beginning, as far as the ledger tells that it is cut; none that tells a cut itself. */
export function pruneLedger(writer: number, found: readonly { readonly id: number; readonly seq: number }[]): Unit<number> {
  const last = found.at(-1)?.seq ?? 0;
  return {
    name: 'prune-ledger',
    key: 'retention',
    *run() {
      const [cut]: readonly (CutRow | undefined)[] = yield* rows(cutOf, [writer]);
      if (!cut || cut.seq < last || (yield* rows(cutsToldIn, [writer, last, 1])).length > 0) return new Undo(0);
      let gone = 0;
      for (const some of chunks(found))
        gone += yield* change(dropLines.of(some.length), [...padded(some.map(({ id }) => id)), writer, cut.seq]);
      return gone;
    },
  };
}

interface Place {
  readonly writer: number;
  readonly seq: number;
}

/** Where the next line of this chain will stand. */
function place(tx: Tx): Place {
  const { writer, seq } = tx.chain.head;
  return { writer, seq: seq + 1 };
}

function* advanced({ id, seq, hash }: PlannedCut, told: Place): Steps<boolean> {
  if ((yield* change(advanceCut, [seq, hash, told.writer, told.seq, id, seq])) > 0) return true;
  if ((yield* rows(cutOf, [id])).length > 0) return false;
  try {
    yield* change(insertCut, [id, seq, hash, told.writer, told.seq]);
    return true;
  } catch (error) {
    if (isFault(error, 'duplicate')) return false;
    throw error;
  }
}
