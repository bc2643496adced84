import type { Line, Ms } from './words.js';

/** Something the hub must still send. `dedupe` is stable: the same thing is never put twice. */
export interface NewOutgoing {
  readonly dedupe: string;
  /** Which sender takes it. */
  readonly kind: string;
  /** What it is about, such as the id of an approval. */
  readonly ref: string;
  /** JSON text: where it goes, as the configuration said when it was put. */
  readonly target: string;
  /** The exact body, or null where the sender composes it before the first attempt. */
  readonly body: string | null;
  readonly job: string;
  readonly requestId: string;
  /** `app_id` whose token signs it; empty for the server token. */
  readonly signAs: string;
}

export type OutgoingState = 'waiting' | 'sent' | 'dead' | 'resolved';

export interface Outgoing extends NewOutgoing {
  readonly id: number;
  readonly state: OutgoingState;
  /** Attempts begun so far, this one included. Fences every further step. */
  readonly attempt: number;
  readonly nextAt: Ms;
  readonly error: string | null;
  readonly createdAt: Ms;
  readonly updatedAt: Ms;
}

/** Where a page of dead letters ended. */
export interface LetterCursor {
  readonly at: Ms;
  readonly id: number;
}

export type AttemptEnd =
  | { readonly is: 'sent' }
  | { readonly is: 'retry'; readonly at: Ms; readonly error: string }
  | { readonly is: 'dead'; readonly error: string }
  | { readonly is: 'resolved'; readonly error: string };

/** What the hub must still send (WIRE §10.1): at least once, under stable ids, over restarts. */
export interface Outbox {
  /** Takes what is due under a lease, oldest first; each take is one attempt. */
  take(max: number, leaseMs: Ms): Promise<readonly Outgoing[]>;
  /** Keeps the composed body before the first byte leaves, so that every attempt sends the same. */
  keepBody(id: number, attempt: number, body: string): Promise<'kept' | 'moved'>;
  /** One commit: how an attempt ended, with its audit lines. */
  done(id: number, attempt: number, end: AttemptEnd, lines: readonly Line[]): Promise<'done' | 'moved'>;
  /** Puts things, each once; one commit. */
  put(outgoing: readonly NewOutgoing[]): Promise<void>;
  get(id: number): Promise<Outgoing | null>;
  /** Dead letters by the time they died (`nextAt`), newest first, behind a cursor; with `all` the resolved ones too. */
  dead(all: boolean, limit: number, before?: LetterCursor): Promise<readonly Outgoing[]>;
  /** Dead letters of one job, newest first. */
  deadOf(job: string, limit: number): Promise<readonly Outgoing[]>;
  /** Takes a dead letter for one more attempt under a lease; null where it is not dead. */
  retake(id: number, leaseMs: Ms): Promise<Outgoing | null>;
  /** One commit: a dead letter is put aside by a person. */
  resolve(id: number, line: Line): Promise<'resolved' | 'not-dead'>;
}
