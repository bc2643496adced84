import type { DecisionOutcome, Door, SettleOutcome, SettleWord, Verdict } from '@bailing/engine';
import type { Approval, ApprovalStatus, LetterCursor, Outgoing, Unresolved } from '@bailing/engine/ports';
import type { AdminCaller } from './hub-api.js';

/** The credential of a decision (WIRE §9.3): a bearer token, or a signature over the raw body. */
export interface DecisionCredential {
  readonly token: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: Uint8Array;
}

/** Where people meet frozen calls, unknown writes and undelivered messages. Refusals are thrown as BailingError. */
export interface DeskApi {
  /**
   * Who brings this decision, for an approval that is theirs to decide. An unknown approval and a foreign one are refused alike, before anybody
   * learns whether it exists.
   * @throws BailingError 401 for no valid credential, 403 for an executor, 404 for a caller it is not there for
   */
  admit(id: string, credential: DecisionCredential): Promise<{ readonly approval: Approval; readonly door: Door }>;
  decide(approval: Approval, verdict: Verdict, door: Door): Promise<DecisionOutcome>;
  approvals(filter: { readonly status?: ApprovalStatus; readonly before?: number }, limit: number): Promise<readonly Approval[]>;
  approval(id: number): Promise<Approval | null>;
  /** An ended job runs again; `stays`: it was one act, and is not done a second time. */
  rerun(job: string, by: AdminCaller): Promise<'queued' | 'in-flight' | 'stays' | 'unknown'>;
  unresolved(after: number, limit: number): Promise<readonly Unresolved[]>;
  unresolvedRow(id: number): Promise<Unresolved | null>;
  settle(row: Unresolved, word: SettleWord): Promise<SettleOutcome>;
  deadLetters(all: boolean, limit: number, before?: LetterCursor): Promise<readonly Outgoing[]>;
  deadLetter(id: number): Promise<Outgoing | null>;
  /** One more attempt, now. Null: it is not dead. */
  resend(id: number, by: AdminCaller): Promise<{ readonly ok: boolean; readonly error?: string } | null>;
  resolve(id: number, by: AdminCaller): Promise<'resolved' | 'not-dead'>;
}
