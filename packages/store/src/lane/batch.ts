import type { Ms } from '@bailing/engine/ports';
import { breaksBatch } from '../dialects/fault.js';
import type { Chain } from '../ledger/chain.js';
import { begin, commit, releaseSavepoint, rollback, rollbackToSavepoint, savepoint } from '../statements/control.js';
import { change, type Reply, type Steps, type Tx, Undo, type Unit } from './unit.js';

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
 * One transaction around all units of a batch, each behind its own savepoint (a lone unit needs none). A unit that fails or wants to be
 * undone takes only its own work with it. Throws a SqlFault when the whole transaction has to be run again.
 */
export function* runBatch(context: BatchContext, units: readonly Unit<unknown>[]): Steps<readonly Ending[]> {
  const before = context.chain.head;
  context.committing = false;
  hit(context, units, 'before-begin');
  yield* change(begin, []);
  try {
    hit(context, units, 'after-begin');
    yield* lockBuckets(context, units);
    return units.length === 1 ? yield* runLone(context, units) : yield* runSide(context, units);
  } catch (error) {
    context.chain.head = before;
    yield* tryRollback();
    throw error;
  }
}

function* runLone(context: BatchContext, units: readonly Unit<unknown>[]): Steps<readonly Ending[]> {
  const before = context.chain.head;
  const ending = yield* runUnit(context, units[0] as Unit<unknown>);
  if (!ending.ok || ending.value instanceof Undo) {
    context.chain.head = before;
    yield* change(rollback, []);
    return [shown(ending)];
  }
  yield* commitAll(context, units);
  return [ending];
}

function* runSide(context: BatchContext, units: readonly Unit<unknown>[]): Steps<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const unit of units) {
    const before = context.chain.head;
    yield* change(savepoint, []);
    const ending = yield* runUnit(context, unit);
    if (!ending.ok || ending.value instanceof Undo) {
      context.chain.head = before;
      yield* change(rollbackToSavepoint, []);
    }
    yield* change(releaseSavepoint, []);
    endings.push(shown(ending));
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

function* runUnit(context: BatchContext, unit: Unit<unknown>): Steps<Ending> {
  const tx: Tx = { now: context.now(), chain: context.chain };
  const steps = unit.run(tx);
  try {
    const value = context.failpoint ? yield* watched(unit.name, steps, context.failpoint) : yield* steps;
    return { ok: true, value };
  } catch (error) {
    if (breaksBatch(error)) throw error;
    return { ok: false, error };
  }
}

/** Calls the failpoint after every statement of a unit. */
function* watched<R>(unit: string, steps: Steps<R>, failpoint: Failpoint): Steps<R> {
  let step = steps.next();
  while (step.done !== true) {
    let reply: Reply;
    try {
      reply = yield step.value;
      failpoint(`${unit}:after-${step.value.statement.name}`);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(reply);
  }
  return step.value;
}

function* lockBuckets(context: BatchContext, units: readonly Unit<unknown>[]): Steps<void> {
  if (!context.lockHot) return;
  const hot = new Set(units.flatMap((unit) => unit.hot ?? []));
  if (hot.size > 0) yield* context.lockHot([...hot].sort());
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

function shown(ending: Ending): Ending {
  return ending.ok && ending.value instanceof Undo ? { ok: true, value: ending.value.value as unknown } : ending;
}
