import type { Open } from './call-store.js';
import type { NewOutgoing } from './outbox.js';
import type { Holder, Line, Ms } from './words.js';

export type JobStatus = 'queued' | 'running' | 'dispatched' | 'done' | 'error' | 'rejected';

/** A job as it is accepted. `metadata` and `snapshot` are JSON text. */
export interface NewJob {
  readonly id: string;
  readonly requestId: string;
  /** `app_id` of the client, or `admin`. */
  readonly owner: string;
  readonly route: string;
  readonly target: string;
  readonly source: string;
  readonly input: string;
  readonly metadata: string;
  /** `id` of the normalised principal, or null. */
  readonly principalId: string | null;
  readonly sessionId: string;
  readonly isContinue: boolean;
  readonly maxAttempts: number;
  /** The profile it was accepted with (WIRE §2.7); absent: none. */
  readonly profile?: string;
  /** Where its end is told (WIRE §10.2); absent or null: nowhere. */
  readonly callbackUrl?: string | null;
  /** Given: the job is accepted and over at once, with this error and line. */
  readonly refusal?: { readonly error: string; readonly line: Line };
  /** Absent: the job stands alone. */
  readonly thread?: JobThread;
  readonly createdAt: Ms;
}

/** The conversation a new job joins (WIRE §2.6): one per route and scope. */
export interface JobThread {
  readonly scope: string;
  /** The first job's session is everybody's; else each job brings its own. */
  readonly keepsSession: boolean;
  /** A job that finds so many unended ones before it is over at once, with this error and line. */
  readonly maxInFlight: number;
  readonly refusal: { readonly error: string; readonly line: Line };
}

export interface JobRow extends Omit<NewJob, 'thread' | 'refusal'> {
  /** The conversation this job belongs to; absent or null where it stands alone. */
  readonly threadId?: number | null;
  readonly status: JobStatus;
  /** JSON text of the result object, or null. */
  readonly result: string | null;
  readonly error: string | null;
  /** JSON text, or null. */
  readonly usage: string | null;
  readonly attempts: number;
  readonly callsUsed: number;
  readonly updatedAt: Ms;
  /** The set of revisions this job began with (`RevisionStore.keepSet`); null before it was first taken. */
  readonly specSet?: string | null;
}

/** A job as lists show it: without its long texts; `input` is the beginning of it. */
export type JobHead = Omit<JobRow, 'metadata' | 'result' | 'usage'>;

/** Where a page of jobs, newest first, ended. */
export interface JobCursor {
  readonly createdAt: Ms;
  readonly id: string;
}

export interface End {
  readonly status: 'done' | 'error' | 'rejected';
  readonly result: string | null;
  readonly error: string | null;
  readonly usage: string | null;
  readonly lines: readonly Line[];
  /** What must be sent because the job ended; in the commit of the end, and not where the job is queued again instead. */
  readonly outgoing?: readonly NewOutgoing[];
}

export interface Holding {
  readonly job: JobRow;
  readonly claim: string | null;
  readonly executor: string | null;
  readonly leaseUntil: Ms;
  /** Before this time nobody takes it. */
  readonly runAfter: Ms;
  /** When an executor took it last; null where none did. */
  readonly dispatchedAt: Ms | null;
}

/** Who holds a job, and whether a write of it is left behind: all that a call of an executor has to ask before anything else. */
export interface Standing {
  readonly status: JobStatus;
  readonly claim: string | null;
  /** An unresolved write whose outcome nobody will bring any more. */
  readonly orphaned: boolean;
}

export interface JobFilter {
  readonly jobId?: string;
  readonly requestId?: string;
  readonly owner?: string;
  readonly threadId?: number;
  /** `id` of the normalised principal (WIRE §2.4). */
  readonly principalId?: string;
}

export interface JobUsage {
  readonly route: string;
  /** `app_id` of the client, or `admin`. */
  readonly owner: string;
  readonly jobs: number;
  readonly tokens: number;
  readonly costUsd: number;
}

export interface TargetCount {
  readonly target: string;
  readonly status: JobStatus;
  readonly count: number;
  readonly oldestAt: Ms | null;
}

/** A job whose executor showed no sign of life until its lease was over. */
export interface Lapsed {
  readonly by: Holder;
  readonly requestId: string;
  readonly target: string;
  readonly executor: string;
}

/** What one executor holds. */
export interface ExecutorCount {
  /** Name of its token and the id it gives itself: `workers/worker-01`. */
  readonly executor: string;
  readonly count: number;
  /** When it got the first of them; null where none has reached it yet. */
  readonly oldestAt: Ms | null;
}

/** A conversation that several jobs belong to (WIRE §2.6). */
export interface Thread {
  readonly id: number;
  readonly route: string;
  readonly scope: string;
  readonly sessionId: string;
  /** Jobs accepted into it so far. */
  readonly jobs: number;
  readonly createdAt: Ms;
}

export interface AuditRow extends Line {
  readonly seq: number;
}

export interface JobStore {
  /** One commit: the job and its `received` line. `same`: the owner (or an administrator) asked before; `foreign`: somebody else did. Exact under concurrency. */
  accept(
    job: NewJob,
    line: Line,
    admin: boolean,
  ): Promise<{ readonly is: 'new' | 'same'; readonly job: JobRow } | { readonly is: 'foreign' }>;
  /** Claims up to `max` jobs that are queued and due, or running with an expired lease, oldest first; fresh claim each; with their unresolved rows. */
  take(worker: {
    readonly replica: string;
    readonly max: number;
    readonly leaseMs: Ms;
    readonly targets: readonly string[];
    /** Given: the job goes to this executor and its state is `dispatched`, with the time of dispatch noted. Absent: `running`. */
    readonly executor?: string;
    /** Stamped on jobs that have no set yet: what the worker's tools are compiled from. */
    readonly specSet?: string;
  }): Promise<readonly { readonly by: Holder; readonly job: JobRow; readonly recovered: boolean; readonly open: readonly Open[] }[]>;
  /** The job with who holds it now; null for an unknown job. `claim` is null where nobody holds it. */
  holding(id: string): Promise<Holding | null>;
  /** Null for an unknown job. A `dispatching` row counts as orphaned when it had to be sent by `before`. One read by key, without texts. */
  standing(id: string, before: Ms): Promise<Standing | null>;
  /** Jobs whose executor let the lease run out. */
  lapsed(limit: number): Promise<readonly Lapsed[]>;
  /** Such a job waits again, due now. False where a sign of life came meanwhile, or it is another's. One commit. */
  letGo(by: Holder, line: Line): Promise<boolean>;
  /** The executor that holds the job has got it: from now on it may extend its lease. False where it is another's by now. One statement. */
  handedOver(by: Holder): Promise<boolean>;
  /** Extends the leases of what an executor has in its hands, but of nothing dispatched before `notBefore`; answers how many. One statement. */
  extend(executor: string, leaseMs: Ms, notBefore: Ms): Promise<number>;
  /** Answers those still held. */
  renew(holders: readonly Holder[], leaseMs: Ms): Promise<readonly Holder[]>;
  /** Gives a held job back to the queue, due at `runAfter`; `countAttempt` where the work itself failed. */
  putBack(by: Holder, runAfter: Ms, countAttempt: boolean, line: Line): Promise<'queued' | 'lost-lease'>;
  /**
   * One commit: terminal state and its lines, fenced by the claim. `requeued`: a decision came while the job was worked on and its call has
   * not run; the job is queued again with what it has so far. `cancelling`: somebody asked for its cancel, and nothing was changed;
   * `evenIfCancelling` ends it all the same, and the request with it.
   */
  finish(by: Holder, end: End, evenIfCancelling?: boolean): Promise<'finished' | 'requeued' | 'cancelling' | 'lost-lease'>;
  /** One commit: what the user of a held job said, with the words of recordings: what later jobs of the conversation remember of it. */
  keepSaid(by: Holder, said: string): Promise<'kept' | 'lost-lease'>;
  /** One commit: where the loop of a held job stands, replacing what was saved before; fenced by the claim. Gone when the job ends. */
  saveRound(by: Holder, state: string): Promise<'saved' | 'lost-lease'>;
  /** What was saved last of a job that has not ended; null where nothing was. */
  round(job: string): Promise<string | null>;
  /** Claims up to `max` queued executor jobs whose approved calls the hub has to run first, from `headStartMs` before executors may. */
  takeApproved(worker: {
    readonly replica: string;
    readonly max: number;
    readonly leaseMs: Ms;
    readonly targets: readonly string[];
    readonly headStartMs: Ms;
    readonly specSet?: string;
  }): Promise<readonly { readonly by: Holder; readonly job: JobRow; readonly recovered: boolean; readonly open: readonly Open[] }[]>;
  /** One commit: a held job is claimable for executors now; its approved calls have been seen to. */
  handBack(by: Holder, line: Line): Promise<'queued' | 'lost-lease'>;
  /**
   * One commit: a job that ended is queued again. `stays`: it ended in one of `staying`, or, where there are any, a write of it was settled as
   * applied and the journal does not hold it any more; nothing was changed.
   */
  rerun(job: string, headStartMs: Ms, line: Line, staying?: readonly JobStatus[]): Promise<'queued' | 'in-flight' | 'stays' | 'unknown'>;
  /**
   * One commit: a job that has not ended is over, whoever holds it; its unused questions become void. `writing`: a write has no recorded
   * outcome yet, and from now on the job is being cancelled: its calls are refused and its end becomes this one; or `isOneWrite` and that write has
   * succeeded, and nothing was changed. The store adds `prev_status` to the lines.
   */
  cancel(job: string, end: End, isOneWrite: boolean, by: string): Promise<'cancelled' | 'ended' | 'writing' | 'unknown'>;
  /** Who asked for the cancel of a job that has not ended yet; null: nobody. */
  cancelledBy(job: string): Promise<string | null>;
  /** Queued jobs that have been due since before `since`, at most `limit`. */
  waiting(since: Ms, limit: number): Promise<readonly JobRow[]>;
  /** Jobs of these targets, made after `madeAfter`, that have failed since `since`: at most `limit` ids, those that tell an alert left out. */
  failures(of: {
    readonly targets: readonly string[];
    readonly madeAfter: Ms;
    readonly since: Ms;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** One commit: a job is over that nobody has begun with and that was due before `since`. */
  expire(job: string, since: Ms, end: End): Promise<'expired' | 'moved'>;
  get(id: string): Promise<JobRow | null>;
  byRequestId(requestId: string): Promise<JobRow | null>;
  /** The ledger of one job in order of writing, after `afterSeq`, at most `limit` rows. */
  audit(job: string, afterSeq: number, limit: number): Promise<readonly AuditRow[]>;
  /** Newest first, behind a cursor or an offset. */
  list(limit: number, from: { readonly offset: number } | { readonly before: JobCursor }): Promise<readonly JobHead[]>;
  /** Newest first, behind a cursor; every given member must match, at least one is given. */
  find(filter: JobFilter, limit: number, before?: JobCursor): Promise<readonly JobHead[]>;
  /** What the ended jobs of a route or of an owner used, of those made after `since`. */
  spent(
    of: { readonly route: string } | { readonly owner: string },
    since: Ms,
  ): Promise<{ readonly tokens: number; readonly costUsd: number }>;
  /** What ended jobs made after `since` used, by route and owner, the dearest first. */
  usage(since: Ms, limit: number): Promise<readonly JobUsage[]>;
  /** What is not ended, by target. */
  byTarget(): Promise<readonly TargetCount[]>;
  /** What executors hold, by executor. */
  byExecutor(): Promise<readonly ExecutorCount[]>;
  /** Conversations, newest first. */
  threads(before: number, limit: number): Promise<readonly Thread[]>;
  /** The ledger of the hub itself, lines of no job, newest first. */
  hubAudit(beforeSeq: number, limit: number): Promise<readonly AuditRow[]>;
  counts(): Promise<{ readonly running: number; readonly waiting: number }>;
  /** Writes lines that belong to no call; one commit. */
  note(lines: readonly Line[]): Promise<void>;
}
