import type { Line, Ms, Unresolved } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { beginProbe, keepEvidence, postponeProbe, unresolvedById } from '../statements/reconcile.js';
import { change, rows, Undo, type Unit } from '../lane/unit.js';

/** A probe that is over asks no more. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** One commit: takes one probe of a row and says when the next is due. The time it answers signs the question; null: somebody else took it. */
export function takeProbe({ id, attempt, probes, key }: Unresolved, nextAt: Ms | null, line: Line): Unit<Ms | null> {
  return {
    name: 'begin-probe',
    key: key.job,
    *run(tx) {
      if ((yield* change(beginProbe, [nextAt ?? NEVER, id, attempt, probes])) === 0) return new Undo<Ms | null>(null);
      yield* append(tx, line, tx.now);
      return tx.now;
    },
  };
}

/** Looks again later. */
export function postpone({ id, attempt, probes, key }: Unresolved, until: Ms): Unit<void> {
  return {
    name: 'postpone-probe',
    key: key.job,
    *run() {
      yield* change(postponeProbe, [until, id, attempt, probes]);
    },
  };
}

/** One commit: what a probe found is kept with the row. */
export function endProbe({ id, attempt, key }: Unresolved, evidence: string, line: Line): Unit<void> {
  return {
    name: 'end-probe',
    key: key.job,
    *run(tx) {
      yield* change(keepEvidence, [evidence, tx.now, id, attempt]);
      yield* append(tx, line);
    },
  };
}

/** One commit: a remark on a row that stays as it is. */
export function noteUnresolved(id: number, line: Line): Unit<boolean> {
  return {
    name: 'note-unresolved',
    key: line.job,
    *run(tx) {
      const [row] = yield* rows(unresolvedById, [id]);
      if (!row || row.state === 'completed' || row.state === 'released') return new Undo<boolean>(false);
      yield* append(tx, line);
      return true;
    },
  };
}
