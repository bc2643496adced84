import type { Holder, Line, Ms, Recorded, Spend, Ticket } from './words.js';

/** Identity of one write: `idem` is WIRE §7.1's idempotency key, unique on (job, tool, argsHash). */
export interface Key {
  readonly job: string;
  readonly tool: string;
  readonly argsHash: string;
  readonly idem: string;
}

/** `released`: settled as not applied; the same call may be dispatched once more under the same key. */
export type JournalState = 'dispatching' | 'response_recorded' | 'completed' | 'uncertain' | 'evidence_degraded' | 'released';
export type UnresolvedState = Exclude<JournalState, 'completed' | 'released'>;

/** One unresolved journal row. In flight: `dispatching` and `sendBy` still to come; else orphaned. */
export interface Open {
  readonly key: Key;
  readonly state: UnresolvedState;
  readonly scope: string;
  readonly subject: string;
  readonly owner: string;
  readonly sendBy: Ms;
  readonly reason: string;
}

/** Refusals of an intend commit: nothing was written, nothing spent. */
export type Refused =
  | { readonly is: 'lost-lease' }
  | { readonly is: 'stopped'; readonly what: string }
  /** The last two dispatched calls of this tool in this job both failed (WIRE §6.4). */
  | { readonly is: 'twice-failed' }
  | { readonly is: 'budget'; readonly used: number; readonly max: number }
  | { readonly is: 'rate'; readonly bucket: string; readonly retryInMs: Ms }
  | { readonly is: 'approval-gone'; readonly why: 'used' | 'expired' | 'void' }
  | { readonly is: 'frozen'; readonly row: Open };

export interface Intent {
  readonly by: Holder;
  readonly tool: string;
  readonly maxCalls: number;
  readonly spends: readonly Spend[];
  /** Given: not one of the calls of its job, which are neither looked at nor counted (a message). */
  readonly uncounted?: true;
  /** Stop flags this call answers to, e.g. `hub`, `client:crm`, `route:refunds`, `provider:orders`, `tool:orders/refund`. */
  readonly stops: readonly string[];
  readonly timeoutMs: Ms;
  /** `tool_call`; its `at` is replaced by the commit's time, which is also the ticket's `signAt`. */
  readonly line: Line;
}

/** The approval a call spends, in the intend commit and nowhere else. It pays with the budget unit its question reserved. */
export interface Consume {
  readonly approval: number;
  readonly fingerprint: string;
}

export interface WriteIntent extends Intent {
  readonly consume?: Consume;
  readonly key: Key;
  readonly scope: string;
  readonly subject: string;
  /** Canonical JSON of the full arguments. */
  readonly args: string;
  /** Digest of the frozen request. */
  readonly digest: string;
  readonly provider: string;
  readonly fingerprint: string;
}

/** What was already recorded under this key. */
export interface Replay {
  readonly is: 'replay';
  readonly was: Recorded;
}

export interface CallStore {
  /** One commit: lease, stops, failure streak, budget, spends, audit line. A read may go while a write of the job is in flight, not after one became unknown. */
  intendRead(intent: Intent): Promise<{ readonly is: 'go'; readonly ticket: Ticket } | Refused>;
  /**
   * One commit: lease, stops, failure streak, budget, spends, journal `dispatching`, audit line; all or nothing.
   * `in-flight`: the identical write is on its way, wait for its outcome. Recorded 429 and 503 may be dispatched again
   * under the same key (WIRE §8.1): then the row goes back to `dispatching`.
   */
  intendWrite(
    intent: WriteIntent,
  ): Promise<{ readonly is: 'go'; readonly ticket: Ticket } | Replay | { readonly is: 'in-flight'; readonly row: Open } | Refused>;
  /** The line rides the next commit of this store; `close()` drains; failures are counted in `health()`. */
  settleRead(ticket: Ticket, failed: boolean, line: Line): void;
  /**
   * One commit: `response_recorded` with the answer · savepoint · audit `tool_result` · `completed`. If the audit fails: back to
   * the savepoint and `evidence_degraded` in the same commit, the answer kept. `moved`: the row was not `dispatching` any more.
   */
  settleWrite(ticket: Ticket, recorded: Recorded, line: Line): Promise<'completed' | 'evidence_degraded' | 'moved'>;
  /** One commit: row `uncertain` with the reason, audit line; the job is frozen by the row itself. */
  unknown(ticket: Ticket, reason: string, line: Line): Promise<'uncertain' | 'moved'>;
  /** One commit: the row is withdrawn because provably nothing was sent; audit line. The same call may be proposed again. */
  withdraw(ticket: Ticket, line: Line): Promise<'withdrawn' | 'moved'>;
  /** All unresolved rows of a job, oldest first. */
  unresolved(job: string): Promise<readonly Open[]>;
  /** The recorded outcome of one write, or null while there is none. */
  recorded(key: Key): Promise<Recorded | null>;
  /** Outcomes of the writes of a job that are known to have succeeded, oldest first; at most 100. */
  carriedOut(job: string): Promise<readonly Recorded[]>;
  /** Audit line of a refused call, in a commit of its own. */
  refused(line: Line): Promise<void>;
  /**
   * Whether the last two dispatched calls of a tool in a job both failed. Outcomes are counted by `settleRead`, `settleWrite`
   * (`failed`) and `unknown`; refusals do not count, a success resets (WIRE §6.4).
   */
  twiceFailed(job: string, tool: string): Promise<boolean>;
}
