import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log, Records } from '@bailing/plugin-api';
import { Duty } from '../duty.js';
import type { DutyStore, Ms, Pruned, RetentionStore } from '../ports/index.js';

/** Completed journal rows are kept for three days (WIRE §8.3) and looked through every hour, the ledger every six (WIRE §2.9). */
export const JOURNAL_KEEP_MS = 3 * 86_400_000;
export const JOURNAL_EVERY_MS = 3_600_000;
export const AUDIT_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

/** What goes; the words of the metric and of the log. */
export type Removable = 'journal' | 'failures' | 'outbox' | 'ledger';

export interface RetentionDeps {
  readonly retention: RetentionStore;
  readonly duties: DutyStore;
  /** Where rounds stand; all replicas read it. */
  readonly records: Records;
  /** 0 keeps the ledger for ever. */
  readonly auditDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly removed: (what: Removable, rows: number) => void;
}

/** The last whole round of each kind. */
export interface Standing {
  readonly journal?: { readonly at: Ms; readonly removed: number };
  /** `broken`: chains with a line that is not what its hash says, at most ten. */
  readonly ledger?: { readonly at: Ms; readonly removed: number; readonly broken: readonly string[] };
}

const DUTY = 'retention';
const KEY = 'standing';
const DUTY_MS = 180_000;
const BROKEN_MAX = 10;
/** Between two batches; longer where a batch took long, so that nine tenths of the time belong to others. */
const PAUSE_MS = 50;
const PAUSE_FACTOR = 9;

/** @returns what was written down last; nothing where no round has ended yet */
export async function standingOf(records: Pick<Records, 'get'>): Promise<Standing> {
  const kept = await records.get(KEY);
  return kept === null ? {} : (JSON.parse(kept.value) as Standing);
}

/**
 * Removes what nobody needs any more, beside everything else: one replica at a time, in small batches with pauses. A round that a stop, a crash or a
 * fault breaks off is begun again by whoever looks next; what was removed by then was removed rightly.
 */
export class Retention extends Duty {
  constructor(
    private readonly deps: RetentionDeps,
    everyMs = 60_000,
  ) {
    super({ ...deps, name: DUTY, everyMs, holdMs: DUTY_MS, failed: 'old rows could not be removed' });
  }

  /** Does the rounds that are due. */
  async pass(): Promise<void> {
    const { clock, auditDays } = this.deps;
    const standing = await standingOf(this.deps.records);
    if (isDue(standing.journal, JOURNAL_EVERY_MS, clock.now())) await this.journal();
    if (auditDays > 0 && isDue(standing.ledger, AUDIT_EVERY_MS, clock.now())) await this.ledger(auditDays);
  }

  private async journal(): Promise<void> {
    const { retention, clock } = this.deps;
    const at = clock.now();
    const before = at - JOURNAL_KEEP_MS;
    let removed = 0;
    const parts = [
      ['journal', retention.journal(before)],
      ['failures', retention.failures(before)],
      ['outbox', retention.sent(before)],
    ] as const;
    for (const [what, steps] of parts) {
      const ended = await this.remove(what, steps);
      if (!ended) return;
      removed += ended.removed;
    }
    await this.note({ journal: { at, removed } });
  }

  private async ledger(days: number): Promise<void> {
    const at = this.deps.clock.now();
    const ended = await this.remove('ledger', this.deps.retention.ledger(at - days * DAY_MS));
    if (ended) await this.note({ ledger: { at, ...ended } });
  }

  /** Null where it was not brought to its end. */
  private async remove(
    what: Removable,
    steps: AsyncIterable<Pruned>,
  ): Promise<{ readonly removed: number; readonly broken: readonly string[] } | null> {
    const broken: string[] = [];
    let removed = 0;
    let began = performance.now();
    for await (const step of steps) {
      removed += step.removed;
      if (step.removed > 0) this.deps.removed(what, step.removed);
      if (step.broken !== undefined && broken.length < BROKEN_MAX) broken.push(step.broken);
      const pause = Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_FACTOR);
      await sleep(pause, undefined, { signal: this.stopping }).catch(() => undefined);
      if (this.stopping.aborted || !(await this.deps.duties.hold(DUTY, DUTY_MS))) return null;
      began = performance.now();
    }
    if (removed > 0) this.deps.log.info('old rows removed', { what, rows: removed });
    if (broken.length > 0) this.deps.log.warn('lines of the ledger that do not verify were not removed', { chains: broken });
    return { removed, broken };
  }

  private async note(done: Standing): Promise<void> {
    await this.deps.records.put(KEY, JSON.stringify({ ...(await standingOf(this.deps.records)), ...done }));
  }
}

/** A time that is still to come was written by a clock that ran ahead. */
function isDue(last: { readonly at: Ms } | undefined, every: Ms, now: Ms): boolean {
  return last === undefined || now - last.at >= every || last.at > now;
}
