import type { Ms } from '@bailing/plugin-api';

export type { Ms, Recorded, Spend, Ticket } from '@bailing/plugin-api';

/** A string that names one kind of thing; the brand is never read at run time. */
export type Id<B extends string> = string & { readonly _?: B };

export type Stage =
  'launch' | 'context' | 'execution' | 'tool' | 'approval' | 'delivery' | 'summary' | 'recovery' | 'channel' | 'config' | 'system';
export type Severity = 'info' | 'warning' | 'error';

/** One audit line (WIRE §15.1), redacted and cut to its byte budget before it gets here. */
export interface Line {
  readonly event: string;
  readonly at: Ms;
  /** The job's id, or `-`. */
  readonly job: string;
  readonly requestId: string;
  readonly stage: Stage;
  readonly severity: Severity;
  readonly title: string;
  readonly summary: string;
  /** JSON text of one object. */
  readonly detail: string;
}

/** Who holds a job: the claim is a fencing token, re-read in every commit. */
export interface Holder {
  readonly job: string;
  readonly claim: string;
  readonly replica: string;
}
