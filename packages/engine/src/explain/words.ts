import type { Risk } from '@bailing/plugin-api';

/** What somebody wants explained. Nothing of it needs to exist as a job; `metadata` is what the trigger would send. */
export interface ExplainQuestion {
  readonly route: string;
  /** `app_id` of the asking client; absent: an administrator's job. */
  readonly client?: string;
  /** The acting user; put where each source of the route looks for it, unless `metadata` says something there already. */
  readonly subject?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tool?: string;
  /** Text is parsed as strictly as a proposal of a brain. */
  readonly arguments?: string | { readonly value: unknown };
}

/** One thing that decides, with the setting it comes from and what to do about it. */
export interface Cause {
  readonly code: string;
  readonly says: string;
  /** Path into the configuration, or `METHOD /path` of a provider's document with the member that decides. */
  readonly setting: string;
  readonly fix: string;
}

export interface VisibleTool {
  readonly name: string;
  readonly provider: string;
  readonly scope: string;
  readonly risk: Risk;
  readonly side_effecting: boolean;
  readonly sensitive: boolean;
  readonly approval: 'always' | 'for_some_arguments' | 'by_declaration_never';
}

export interface HiddenTool {
  readonly name: string;
  readonly provider: string;
  readonly scope: string;
  readonly because: readonly Cause[];
}

/** An operation of a document that became no tool. */
export interface RefusedOperation {
  readonly provider: string;
  readonly operation: string;
  readonly because: readonly Cause[];
}

/** Lists are cut at `LISTED_MAX`; the counts are not. */
export interface ExplainedTools {
  readonly visible: readonly VisibleTool[];
  readonly hidden: readonly HiddenTool[];
  readonly refused: readonly RefusedOperation[];
  readonly counts: { readonly visible: number; readonly hidden: number; readonly refused: number };
}

export const LISTED_MAX = 500;

export type StepName = 'scope' | 'stops' | 'arguments' | 'subject' | 'schema' | 'bytes' | 'gates' | 'quotas';

/** One fence or stage, in the order of the exit. `not_asked`: an earlier one leaves nothing to ask it. */
export interface Step {
  readonly step: StepName;
  readonly is: 'pass' | 'hold' | 'refuse' | 'not_asked';
  /** The word that would stand in the ledger. */
  readonly reason?: string;
  readonly causes: readonly Cause[];
}

export interface ExplainedGate {
  readonly gate: string;
  readonly verdict: 'allow' | 'hold' | 'deny';
  readonly policy?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly setting: string;
}

/** One spend as a quota declares it, and what the window holds now. */
export interface ExplainedSpend {
  readonly bucket: string;
  readonly limit: number;
  readonly window_ms: number;
  readonly cost: number;
  readonly used: number;
  readonly left: number;
  readonly setting: string;
}

/** What would go on the wire; what only exists at the moment of sending stands as a word in angle brackets, secrets as `[masked]`. */
export interface ExplainedRequest {
  readonly method: string;
  readonly url: string;
  /** What is signed (WIRE §6.1). */
  readonly signed_target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** `base64` where the body is not text. */
  readonly body_encoding: 'utf8' | 'base64';
  readonly body_bytes: number;
  readonly string_to_sign: string;
  readonly digest: string;
  readonly timeout_ms: number;
}

export interface ExplainedCall {
  readonly tool: string;
  readonly would: 'be_sent' | 'be_held_for_approval' | 'be_refused';
  readonly args_hash?: string;
  readonly steps: readonly Step[];
  readonly gates: readonly ExplainedGate[];
  readonly approval?: { readonly type: string; readonly expires_after_ms: number | null; readonly holds: readonly string[] };
  readonly spends: readonly ExplainedSpend[];
  readonly request?: ExplainedRequest;
  /** What only a running job knows, so that nobody reads more into the answer than it says. */
  readonly depends_on_the_job: readonly string[];
}

export interface Explanation {
  readonly route: string;
  readonly client: string | null;
  readonly subjects: readonly { readonly provider: string; readonly field: string; readonly subject: string }[];
  /** What keeps every job or call of this route from going on at the moment. */
  readonly stops: readonly Cause[];
  readonly tools: ExplainedTools;
  readonly call?: ExplainedCall;
}
