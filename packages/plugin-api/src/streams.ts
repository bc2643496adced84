import type { Ms } from './call.js';

/** What a client may see of a job while it runs (WIRE §11.7). Provisional: the result of the job is what counts. */
export type StreamEvent =
  /** A round begins (`model`), or its tools run. */
  | { readonly is: 'phase'; readonly name: 'model' | 'tool'; readonly round: number }
  /** Text of the round as the model writes it. */
  | { readonly is: 'delta'; readonly text: string; readonly round: number }
  /** What was shown so far does not count any more. */
  | { readonly is: 'reset'; readonly reason: StreamReset; readonly round?: number };

export type StreamReset = 'model_round' | 'tool_call' | 'retry' | 'fallback' | 'protocol_violation';

/** `seq` counts from 1 within a job. `at`: milliseconds since the epoch. */
export interface StreamedEvent {
  readonly seq: number;
  readonly at: Ms;
  readonly event: StreamEvent;
}

/** What a reader may still read after a place. */
export interface StreamWindow {
  readonly events: readonly StreamedEvent[];
  /** Of the newest event; 0 where there is none. */
  readonly latest: number;
  /** Events after the asked place are not kept any more: the reader has to forget what it was shown. */
  readonly gap: boolean;
}

/**
 * Carries what running jobs show to whoever reads along, in this process or between replicas. Transport only: nothing is kept longer than a short
 * replay window, nothing reaches a database. Readers pull, so a slow one costs nothing and finds a gap.
 */
export interface Streams {
  /** Never throws and never waits; an event may be dropped. */
  publish(job: string, event: StreamEvent): void;
  /** What came after `after` (0: from the beginning). */
  read(job: string, after: number): Promise<StreamWindow>;
  /** Resolves when something came after `after`, on abort, or after `maxMs`. */
  wait(job: string, after: number, signal: AbortSignal, maxMs: Ms): Promise<void>;
}
