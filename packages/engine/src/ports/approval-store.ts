import type { Key } from './call-store.js';
import type { Holder, Line, Ms } from './words.js';

/** The frozen question (WIRE §9.1): full canonical arguments, never cut. */
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
}

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
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'void';
  readonly createdAt: Ms;
}

export interface ApprovalStore {
  /** One commit: the row and its audit line, fenced by the holder. One open question per (job, tool, argsHash). */
  open(
    question: Question,
  ): Promise<{ readonly is: 'opened' | 'already-open' | 'denied-before'; readonly id: number } | { readonly is: 'lost-lease' }>;
  ofJob(job: string): Promise<readonly ApprovalRow[]>;
}
