import type { Outgoing } from '../ports/index.js';

/** How one attempt ended. `moot`: there is nothing to send any more. `event` names the audit line. */
export type SendEnd = { readonly event: string } & (
  | { readonly is: 'sent'; readonly status?: number; readonly url?: string; readonly about?: Readonly<Record<string, unknown>> }
  | {
      readonly is: 'retry' | 'final';
      readonly error: string;
      readonly status?: number;
      readonly url?: string;
      readonly about?: Readonly<Record<string, unknown>>;
    }
  | { readonly is: 'moot'; readonly reason: string }
);

/** Sends one kind of outgoing thing. */
export interface OutboxSender {
  /** The event of an attempt that threw. */
  readonly event: string;
  /** Composes the body before the first attempt. */
  compose(row: Outgoing): Promise<{ readonly is: 'body'; readonly body: string; readonly event: string } | SendEnd>;
  /** One attempt with exactly these bytes. */
  send(row: Outgoing & { readonly body: string }, signal: AbortSignal): Promise<SendEnd>;
}
