import type { Key } from './call-store.js';
import type { NewOutgoing } from './outbox.js';
import type { Holder, Line, Ms } from './words.js';

/** The frozen question (WIRE §9.1): the full arguments in the order they will be sent, never cut. */
export interface Question {
  readonly by: Holder;
  readonly key: Key;
  readonly requestId: string;
  readonly provider: string;
  readonly scope: string;
  readonly risk: string;
  readonly policy: string;
  readonly reason: string;
  readonly method: string;
  /** The document's path. */
  readonly path: string;
  readonly summary: string;
  readonly args: string;
  /** JSON text: the whole intent as an approver will see it. */
  readonly frozen: string;
  readonly subject: string;
  /** Security fingerprint of the tool when the question was asked. */
  readonly fingerprint: string;
  readonly expiresAt?: Ms;
  readonly line: Line;
  /** Calls of the job that may be used or reserved at once; a question reserves one. Absent: nothing is counted. */
  readonly maxCalls?: number;
  /** What tells the approver; its `ref` becomes the id of the question. */
  readonly notify?: NewOutgoing;
  /** An approval this question takes the place of, because a new hold arose; it becomes void in the same commit. */
  readonly supersedes?: { readonly id: number; readonly line: Line };
}

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'void';

/** A stored question, as the trace shows it. */
export interface ApprovalRow {
  readonly id: number;
  readonly job: string;
  readonly tool: string;
  readonly scope: string;
  readonly provider: string;
  readonly risk: string;
  readonly policy: string;
  readonly reason: string;
  readonly summary: string;
  readonly args: string;
  readonly argsHash: string;
  readonly subject: string;
  readonly status: ApprovalStatus;
  readonly createdAt: Ms;
}

/** A stored question with everything that is known of it. */
export interface Approval extends ApprovalRow {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly idem: string;
  /** JSON text of the intent, without its `approval_id`. */
  readonly frozen: string;
  readonly fingerprint: string;
  readonly decisionId: string | null;
  readonly decidedBy: string | null;
  readonly comment: string | null;
  readonly decidedAt: Ms | null;
  /** When its call was dispatched: the time of the intend commit. */
  readonly usedAt: Ms | null;
  readonly expiresAt: Ms | null;
  /** Why it became void, in one word. */
  readonly voidReason: string | null;
}

export interface Decision {
  readonly id: number;
  readonly job: string;
  readonly decisionId: string;
  readonly verdict: 'approved' | 'denied';
  readonly approver: string;
  readonly comment: string;
  readonly line: Line;
  /** Written where the decision requeues the job; the store adds `prev_status`. */
  readonly rerunLine: Line;
  /** A requeued job becomes claimable for executors this much later, so that the hub runs the approved call first. */
  readonly headStartMs: Ms;
}

/**
 * `now`: the job was queued again. `at-finish`: it is being worked on and will be queued again when that ends, if the approved call was not
 * run by then. `none`: nothing to rerun.
 */
export type Decided =
  | { readonly is: 'decided'; readonly rerun: 'now' | 'at-finish' | 'none' }
  | { readonly is: 'again' }
  | { readonly is: 'conflict'; readonly status: ApprovalStatus; readonly decisionId: string | null }
  | { readonly is: 'decision-id-used'; readonly approval: number }
  | { readonly is: 'expired' }
  | { readonly is: 'void' }
  | { readonly is: 'unknown' };

/** One approval that ends without a decision, with its audit line. */
export interface Ending {
  readonly id: number;
  readonly job: string;
  readonly line: Line;
}

export interface ApprovalStore {
  /**
   * One commit: the row, its notification, one unit of the call budget reserved, and its audit line, fenced by the holder. One open question
   * per (job, tool, argsHash).
   */
  open(
    question: Question,
  ): Promise<
    | { readonly is: 'opened' | 'already-open' | 'denied-before'; readonly id: number }
    | { readonly is: 'lost-lease' }
    | { readonly is: 'budget'; readonly used: number; readonly max: number }
  >;
  ofJob(job: string): Promise<readonly Approval[]>;
  get(id: number): Promise<Approval | null>;
  /** Newest first; `before` is an id to go on from. */
  list(filter: { readonly status?: ApprovalStatus; readonly before?: number }, limit: number): Promise<readonly Approval[]>;
  /** Approved and unspent, in the order they were asked. */
  unspent(job: string): Promise<readonly Approval[]>;
  /** One commit: the decision, its line, the requeue or the mark for it; a denial gives the reserved call back. */
  decide(decision: Decision): Promise<Decided>;
  /** Pending or unspent approvals whose stored time has passed, oldest first. */
  due(before: Ms, limit: number): Promise<readonly Approval[]>;
  /** Pending or unspent approvals after an id, for whoever looks for voided ones. */
  openAfter(id: number, limit: number): Promise<readonly Approval[]>;
  /** One commit: those still open become `expired`; answers how many. At most 100 at once. */
  expire(endings: readonly Ending[]): Promise<number>;
  /** One commit: those still open become `void` under this reason; answers how many. At most 100 at once. */
  voidOpen(endings: readonly Ending[], reason: string): Promise<number>;
}
