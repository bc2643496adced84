import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { BailingError } from '@bailing/plugin-api';
import type { WriteConnection } from '../dialects/dialect.js';
import { isFault, SqlFault, toBailingError } from '../dialects/fault.js';
import { type BatchContext, type Ending, NeedsCare, runBatch } from './batch.js';
import type { Unit } from './unit.js';

/** Told after every commit: which units it carried. */
export type OnCommit = (units: readonly string[]) => void;

interface Entry {
  readonly unit: Unit<unknown>;
  /** Nobody waits for it: it goes with the next commit, or by itself a little later. */
  readonly rides: boolean;
  readonly done: (ending: Ending) => void;
}

export interface LaneOptions {
  readonly connection: WriteConnection;
  readonly context: BatchContext;
  readonly onCommit: OnCommit | undefined;
  /** Told of what a batch failed by in the end. */
  readonly onFault?: (error: unknown) => void;
  /** Whether units are put in key order, so that lanes and replicas meet hot rows in one order. */
  readonly inKeyOrder: boolean;
}

/** Units per transaction: more would make the first of them wait for the last. */
const BATCH_MAX = 64;
/** How long something that rides waits for a commit to go with. */
const RIDE_MS = 200;
/** Riders that make a commit of their own before their time. */
const RIDERS_SOON = 256;
/** Riders kept while the database does not take them; what comes then is refused and counted by its owner. */
const RIDERS_MAX = 20_000;
/** Waiting units kept; beyond it a caller is told that the store is busy. */
const WAITING_MAX = 20_000;
/** How long a batch is tried again while others hold its locks. */
const PATIENCE_MS = 5_000;
/** A connection lost before COMMIT did nothing: the batch runs again on a new one, this often. */
const RECONNECTS = 2;
/** Batches run with savepoints after one that needed them. */
const CAREFUL_BATCHES = 20;

/** One writing worker: gathers units that come in together and commits them as one transaction. */
export class Lane {
  readonly #options: LaneOptions;
  #queue: Entry[] = [];
  #riders = 0;
  #running = false;
  #wakeUp: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];
  /** Batches still to be run carefully: a refusal rarely comes alone. */
  #careful = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Runs a unit in the next transaction. Rejects with an error of the catalogue; only this unit's own work is gone then. */
  submit<R>(unit: Unit<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length - this.#riders >= WAITING_MAX) {
        reject(new BailingError('BAILING_STORE_BUSY', { detail: 'Too many units wait for a commit.' }));
        return;
      }
      const done = (ending: Ending): void => {
        if (ending.ok) resolve(ending.value as R);
        else reject(toBailingError(ending.error));
      };
      this.#queue.push({ unit, rides: false, done });
      this.#wake();
    });
  }

  /** Lets a unit ride along with the next commit. Answers whether it was written, never rejects. */
  ride(unit: Unit<void>, soon: boolean): Promise<boolean> {
    if (this.#riders >= RIDERS_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#riders += 1;
      this.#queue.push({ unit, rides: true, done: (ending) => resolve(ending.ok) });
      if (soon || this.#riders >= RIDERS_SOON) this.#wake();
      else this.#timer ??= setTimeout(() => this.#wake(), RIDE_MS).unref();
    });
  }

  /** Resolves when everything submitted so far has ended, riders included. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0 || this.#running) {
      this.#wake();
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /** Batches begin after the current turn of the event loop, so that whatever arrives in one turn shares one commit. */
  #wake(): void {
    if (this.#running || this.#wakeUp) return;
    this.#wakeUp = setImmediate(() => {
      this.#wakeUp = undefined;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#running = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#queue.length > 0) {
      await this.#runAll(this.#nextBatch());
      if (this.#queue.length > 0) await nextTurn();
    }
    this.#running = false;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  #nextBatch(): readonly Entry[] {
    const batch = this.#queue.splice(0, BATCH_MAX);
    for (const entry of batch) if (entry.rides) this.#riders -= 1;
    if (!this.#options.inKeyOrder || batch.length === 1) return batch;
    return batch.sort((a, b) => (a.unit.key < b.unit.key ? -1 : a.unit.key > b.unit.key ? 1 : 0));
  }

  /** The whole batch again while it meets locks, then unit by unit, so that one that cannot succeed does not hold back the others. */
  async #runAll(batch: readonly Entry[]): Promise<void> {
    const fault = await this.#try(batch);
    if (fault === null) return;
    if (fault.splittable && batch.length > 1) {
      for (const entry of batch) await this.#runAll([entry]);
      return;
    }
    this.#options.onFault?.(fault.error);
    for (const entry of batch) entry.done({ ok: false, error: fault.error });
  }

  async #try(batch: readonly Entry[]): Promise<{ readonly error: unknown; readonly splittable: boolean } | null> {
    const { connection, context, onCommit, onFault } = this.#options;
    const units = batch.map((entry) => entry.unit);
    const deadline = performance.now() + PATIENCE_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const manner = this.#careful > 0 ? 'careful' : 'hopeful';
        const endings = await connection.drive(runBatch(context, units, manner));
        if (this.#careful > 0) this.#careful -= 1;
        onCommit?.(units.map((unit) => unit.name));
        endings.forEach((ending, index) => {
          if (!ending.ok) onFault?.(ending.error);
          batch[index]?.done(ending);
        });
        return null;
      } catch (error) {
        if (error instanceof NeedsCare) {
          this.#careful = CAREFUL_BATCHES;
          continue;
        }
        const unclear = context.committing && !isFault(error, 'busy');
        if (unclear) context.chain.abandon();
        if (unclear || !this.#worthTrying(error, attempt, deadline)) {
          return { error, splittable: !unclear && inside(error) };
        }
        await sleep(pause(attempt));
      }
    }
  }

  #worthTrying(error: unknown, attempt: number, deadline: number): boolean {
    if (isFault(error, 'busy')) return performance.now() < deadline;
    return isFault(error, 'lost') && attempt <= RECONNECTS;
  }
}

/** Whether the fault came from the work itself; one at BEGIN would only come again for every unit. */
function inside(error: unknown): boolean {
  return !(error instanceof SqlFault) || (error.statement !== 'begin' && error.kind !== 'lost');
}

function pause(attempt: number): number {
  return Math.min(2 ** attempt, 200) * (0.5 + Math.random() / 2);
}
