import type { Open } from './call-store.js';
import type { Line, Ms, Recorded, Ticket } from './words.js';

/** One unresolved row with everything a person compares with the records of the business (seed §9.6). */
export interface Unresolved extends Open {
  readonly id: number;
  readonly attempt: number;
  readonly requestId: string;
  readonly provider: string;
  readonly args: string;
  readonly digest: string;
  /** The time the attempt was signed with. */
  readonly attemptedAt: Ms;
  readonly createdAt: Ms;
  readonly updatedAt: Ms;
  /** What the evidence probe found so far, as JSON text. */
  readonly evidence: string | null;
  readonly probes: number;
}

export interface Settlement {
  readonly id: number;
  readonly attempt: number;
  readonly job: string;
  readonly verdict: 'applied' | 'not_applied';
  readonly by: string;
  readonly evidence: string;
  /** What a repeated call is answered with, where the row holds no answer of its own. */
  readonly answer: Recorded;
  /** Queue the job again where it has ended and nothing else of it is unresolved. */
  readonly rerun: boolean;
  /** What a job that has ended in error ends with instead: it is not queued again, and its outcome is known now. */
  readonly endsWith?: string;
  readonly line: Line;
  readonly rerunLine: Line;
  readonly headStartMs: Ms;
}

export type Settled =
  | { readonly is: 'settled' | 'again'; readonly rerun: boolean }
  | { readonly is: 'conflict'; readonly verdict: 'applied' | 'not_applied'; readonly by: string }
  | { readonly is: 'in-flight' }
  | { readonly is: 'too-early'; readonly after: Ms }
  | { readonly is: 'unknown' };

export interface ReconcileStore {
  /** Oldest first, after an id. */
  list(after: number, limit: number): Promise<readonly Unresolved[]>;
  /** One row, settled or not, so that a verdict given twice is answered as such. */
  get(id: number): Promise<Unresolved | null>;
  /** All of one job, oldest first. */
  ofJob(job: string): Promise<readonly Unresolved[]>;
  /**
   * One commit: the verdict, by whom and why. `applied`: the row is completed. `not_applied`: the row is released for one fresh dispatch under the
   * same key, and an approval it had spent is unspent again; refused while a late send could still be accepted by the business. The same
   * verdict on the same attempt twice is `again`.
   */
  settle(settlement: Settlement): Promise<Settled>;
  /** One commit: notes on a row nobody could settle; answers whether it is still unresolved. */
  note(id: number, line: Line): Promise<boolean>;
  /** Rows whose outcome nobody will bring any more and that are due for the probe, oldest first. */
  dueForProbe(now: Ms, limit: number): Promise<readonly Unresolved[]>;
  /** Looks at a row again later; no probe is taken. */
  postpone(row: Unresolved, until: Ms): Promise<void>;
  /** One commit: takes one probe of a row, says when the next is due, and mints the leave to ask. Null where somebody else took it. */
  beginProbe(row: Unresolved, nextAt: Ms | null, timeoutMs: Ms, line: Line): Promise<Ticket | null>;
  /** One commit: what a probe found; its line. */
  endProbe(ticket: Ticket, row: Unresolved, evidence: string, line: Line): Promise<void>;
}
