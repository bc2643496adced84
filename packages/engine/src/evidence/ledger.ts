import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditRow, JobStore, Ms, Stage } from '../ports/index.js';

/** What was counted over all the lines of a job, kept or not. */
export interface Tally {
  readonly events: ReadonlyMap<string, number>;
  readonly stages: ReadonlyMap<Stage, number>;
  readonly total: number;
  readonly errors: number;
  readonly warnings: number;
  readonly firstAt: Ms | null;
  readonly lastAt: Ms | null;
}

/** The ledger of one job, read to its end. */
export interface Ledger {
  /** In order of writing, as many as fit. */
  readonly rows: readonly AuditRow[];
  /** Refusals, failures and ends among the lines that did not fit. */
  readonly telling: readonly AuditRow[];
  readonly tally: Tally;
  /** The `seq` after which lines are left that did not fit; null where all did. */
  readonly next: number | null;
}

const PAGE = 200;
const ROWS_MAX = 5_000;
/** Of details, in UTF-16 units: a few lines with long arguments and answers are as much as many without. */
const CHARS_MAX = 8_388_608;
const TELLING_MAX = 500;
const TELLING = new Set(['tool_blocked', 'rejected', 'finished']);

/**
 * Reads page after page and keeps a bounded part, beginning after `after`; what is counted is counted over everything. The hub does other things between
 * two pages, also where a page comes without waiting.
 */
export async function ledgerOf(job: string, jobs: Pick<JobStore, 'audit'>, after = 0): Promise<Ledger> {
  const counted = new Counting();
  const kept = new Keeping(after);
  for (let seq = 0; ;) {
    const page = await jobs.audit(job, seq, PAGE);
    for (const row of page) {
      counted.count(row);
      kept.keep(row);
    }
    seq = page.at(-1)?.seq ?? seq;
    if (page.length < PAGE) return { rows: kept.rows, telling: kept.telling, tally: counted, next: kept.next };
    await nextTurn();
  }
}

class Keeping {
  readonly rows: AuditRow[] = [];
  readonly telling: AuditRow[] = [];
  next: number | null = null;
  private chars = 0;

  constructor(private readonly after: number) {}

  keep(row: AuditRow): void {
    if (row.seq <= this.after) return;
    const chars = row.detail.length;
    const fits = this.next === null && this.rows.length < ROWS_MAX && (this.rows.length === 0 || this.chars + chars <= CHARS_MAX);
    if (fits) {
      this.chars += chars;
      this.rows.push(row);
      return;
    }
    this.next ??= this.rows.at(-1)?.seq ?? this.after;
    if (this.telling.length < TELLING_MAX && (TELLING.has(row.event) || row.severity === 'error')) this.telling.push(row);
  }
}

class Counting implements Tally {
  readonly events = new Map<string, number>();
  readonly stages = new Map<Stage, number>();
  total = 0;
  errors = 0;
  warnings = 0;
  firstAt: Ms | null = null;
  lastAt: Ms | null = null;

  count({ event, stage, severity, at }: AuditRow): void {
    this.total += 1;
    this.events.set(event, (this.events.get(event) ?? 0) + 1);
    this.stages.set(stage, (this.stages.get(stage) ?? 0) + 1);
    if (severity === 'error') this.errors += 1;
    if (severity === 'warning') this.warnings += 1;
    this.firstAt ??= at;
    this.lastAt = at;
  }
}
