import type { Ms } from '@bailing/engine/ports';
import { breaksBatch } from '../dialects/fault.js';
import { flushLines } from '../ledger/append.js';
import { insertAll, lookAt } from '../units/take-spends.js';
import type { Chain } from '../ledger/chain.js';
import { begin, commit, releaseSavepoint, rollback, rollbackToSavepoint, savepoint } from '../statements/control.js';
import { change, type Hopes, type Reply, type Steps, type Tx, Undo, type Unit } from './unit.js';

export type Failpoint = (name: string) => void;

/** How one unit of a batch ended. Told to its caller only after the commit. */
export type Ending = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

export interface BatchContext {
  readonly chain: Chain;
  readonly now: () => Ms;
  readonly failpoint: Failpoint | undefined;
  /** Locks rate buckets in key order; nothing to do with a single writer. */
  readonly lockHot: ((buckets: readonly string[]) => Steps<void>) | undefined;
  /** Set while COMMIT is on its way: a fault then leaves the outcome unknown. */
  committing: boolean;
}

/**
 * `careful`: a savepoint before every unit, so that one that fails takes only its own work along. `hopeful`: no savepoints, and all audit
 * lines in few statements at the end; where a unit would have needed its savepoint the transaction is rolled back and run carefully.
 */
export type Manner = 'careful' | 'hopeful';

/** A hopeful batch met a unit that has to be undone. */
export class NeedsCare extends Error {}

/** One transaction around all units of a batch. Throws a SqlFault when the whole transaction has to be run again, NeedsCare when carefully. */
export function* runBatch(context: BatchContext, units: readonly Unit<unknown>[], manner: Manner): Steps<readonly Ending[]> {
  const before = context.chain.head;
  context.committing = false;
  hit(context, units, 'before-begin');
  yield* change(begin, []);
  try {
    hit(context, units, 'after-begin');
    const hot = hotOf(units);
    if (context.lockHot && hot.size > 0) yield* context.lockHot([...hot.keys()].sort());
    const tx: Tx = { now: context.now(), chain: context.chain, hopes: null };
    const [only] = units;
    if (units.length === 1 && only) return yield* runLone(context, tx, only);
    if (manner === 'careful') return yield* runCarefully(context, tx, units);
    const hopes: Hopes = { lines: [], spends: [], windows: yield* lookAt(tx.now, hot) };
    return yield* runHopefully(context, { ...tx, hopes }, units, hopes);
  } catch (error) {
    context.chain.head = before;
    yield* tryRollback();
    throw error;
  }
}

/** The transaction is the unit's own: what undoes the unit undoes all of it. */
function* runLone(context: BatchContext, tx: Tx, unit: Unit<unknown>): Steps<readonly Ending[]> {
  const before = context.chain.head;
  const { ending } = yield* runUnit(context, tx, unit);
  if (!keeps(ending)) {
    context.chain.head = before;
    yield* change(rollback, []);
    return [shown(ending)];
  }
  yield* commitAll(context, [unit]);
  return [ending];
}

function* runCarefully(context: BatchContext, tx: Tx, units: readonly Unit<unknown>[]): Steps<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const unit of units) {
    const before = context.chain.head;
    yield* change(savepoint, []);
    const { ending } = yield* runUnit(context, tx, unit);
    if (!keeps(ending)) {
      context.chain.head = before;
      yield* change(rollbackToSavepoint, []);
    }
    yield* change(releaseSavepoint, []);
    endings.push(shown(ending));
  }
  yield* commitAll(context, units);
  return endings;
}

function* runHopefully(context: BatchContext, tx: Tx, units: readonly Unit<unknown>[], hopes: Hopes): Steps<readonly Ending[]> {
  const { lines, spends } = hopes;
  const endings: Ending[] = [];
  for (const unit of units) {
    const before = { head: context.chain.head, lines: lines.length, spends: spends.length };
    const { ending, changed } = yield* runUnit(context, tx, unit);
    const paid = spends.length > before.spends;
    if (!ending.ok || ((changed || paid) && !keeps(ending))) throw new NeedsCare();
    if (!keeps(ending)) {
      context.chain.head = before.head;
      lines.length = before.lines;
    }
    endings.push(shown(ending));
  }
  try {
    yield* insertAll(spends);
    context.failpoint?.('batch:after-insert-spends');
    yield* flushLines(lines);
    context.failpoint?.('batch:after-insert-lines');
  } catch (error) {
    throw breaksBatch(error) ? error : new NeedsCare();
  }
  yield* commitAll(context, units);
  return endings;
}

function* commitAll(context: BatchContext, units: readonly Unit<unknown>[]): Steps<void> {
  hit(context, units, 'before-commit');
  context.committing = true;
  yield* change(commit, []);
  context.committing = false;
  hit(context, units, 'after-commit');
}

interface Ran {
  readonly ending: Ending;
  /** Whether any statement of the unit changed a row. */
  readonly changed: boolean;
}

/** Runs a unit statement by statement, and calls the failpoint after each. */
function* runUnit({ failpoint }: BatchContext, tx: Tx, unit: Unit<unknown>): Steps<Ran> {
  let changed = false;
  try {
    const steps = unit.run(tx);
    let step = steps.next();
    while (step.done !== true) {
      let reply: Reply;
      try {
        reply = yield step.value;
        failpoint?.(`${unit.name}:after-${step.value.statement.name}`);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      changed ||= reply.changes > 0;
      step = steps.next(reply);
    }
    return { ending: { ok: true, value: step.value }, changed };
  } catch (error) {
    if (breaksBatch(error)) throw error;
    return { ending: { ok: false, error }, changed };
  }
}

function hotOf(units: readonly Unit<unknown>[]): ReadonlyMap<string, Ms> {
  return new Map(units.flatMap((unit) => (unit.hot ? [...unit.hot] : [])));
}

function* tryRollback(): Steps<void> {
  try {
    yield* change(rollback, []);
  } catch {
    // A connection that is gone has rolled back already.
  }
}

function hit(context: BatchContext, units: readonly Unit<unknown>[], place: string): void {
  if (!context.failpoint) return;
  for (const unit of units) context.failpoint(`${unit.name}:${place}`);
}

function keeps(ending: Ending): boolean {
  return ending.ok && !(ending.value instanceof Undo);
}

function shown(ending: Ending): Ending {
  return ending.ok && ending.value instanceof Undo ? { ok: true, value: ending.value.value as unknown } : ending;
}
