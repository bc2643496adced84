import type { ErrorCode, Recorded } from '@bailing/plugin-api';
import type { Key, Open, UnresolvedState } from '../ports/index.js';

/** WIRE §3.4: what is known of an unresolved write. */
export interface ToolExecution {
  readonly state: UnresolvedState;
  readonly tool: string;
  readonly scope: string;
  readonly idempotency_key: string;
  readonly reason: string;
  readonly message: string;
}

export type Governance =
  | { readonly state: 'reconciliation_required'; readonly execution: ToolExecution }
  | { readonly state: 'execution_journal_unavailable' }
  | { readonly state: 'approval_pending'; readonly approvalId: number; readonly tool: string; readonly summary: string };

/** What a brain gets back. `text` is prose for a model; programs read the other members. */
export interface CallResult {
  readonly ok: boolean;
  readonly text: string;
  /** The business's HTTP status, 429 for a rate limit, else 0. */
  readonly status: number;
  /** Absent on success and on answers of the business itself. */
  readonly code?: ErrorCode;
  /** Whether bytes may have left for the business in this call. */
  readonly sent: boolean;
  /** When a rate limit has room again. */
  readonly retryInMs?: number;
  readonly governance?: Governance;
  /** Of a message that was sent to one person: the conversation it stands in. */
  readonly threadId?: number;
}

const RECONCILE =
  'The outcome of this write is not known. It was not repeated and must not be; compare the idempotency key with the records of the business.';

export function execution(row: { key: Key; scope: string; state: UnresolvedState; reason: string }): ToolExecution {
  return { state: row.state, tool: row.key.tool, scope: row.scope, idempotency_key: row.key.idem, reason: row.reason, message: RECONCILE };
}

export function executionOf(row: Open): ToolExecution {
  return execution({ key: row.key, scope: row.scope, state: row.state, reason: row.reason });
}

/** The reconciliation answer: structured from the first time on. */
export function reconcile(what: ToolExecution, sent: boolean, code: ErrorCode = 'BAILING_CALL_UNKNOWN'): CallResult {
  const text = `${what.tool}: ${RECONCILE} (state ${what.state}, reason ${what.reason}, idempotency key ${what.idempotency_key})`;
  return { ok: false, text, status: 0, code, sent, governance: { state: 'reconciliation_required', execution: what } };
}

const SETTLED = 'Settled as applied by ';

/** What a write that was settled as applied is answered with from then on. */
export function settledAnswer(by: string, evidence: string): Recorded {
  return { ok: true, status: 200, text: `${SETTLED}${by}: ${evidence}` };
}

/** Whether an answer of the journal is a person's or the probe's word and not the business's. */
export function isSettled({ sent, code, status, text }: CallResult): boolean {
  return !sent && code === undefined && status === 200 && text.startsWith(SETTLED);
}
