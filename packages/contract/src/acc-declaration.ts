export type AccRisk = 'low' | 'medium' | 'high';
export type AccOp = 'exists' | '>' | '>=' | '<' | '<=' | '==' | '!=' | 'in' | 'contains';
export type AccWindow = '1s' | '1m' | '1h' | '1d';
export type AccSideEffect = 'none' | 'read' | 'write' | 'notify' | 'external';

/** One condition of `approval.when` (WIRE §5). `value` is absent for `exists`. */
export interface AccCondition {
  readonly param: string;
  readonly op: AccOp;
  readonly value?: unknown;
  readonly label?: string;
}

/** Words for the model; they never affect a gate. */
export interface AccGuidance {
  readonly whenToUse?: string;
  readonly returns?: string;
  readonly examples: readonly unknown[];
  readonly context: readonly string[];
}

/** A valid ACC v1 declaration with the defaults of WIRE §5 applied for its HTTP method. */
export interface AccDeclaration {
  readonly version: 1;
  readonly scope: string;
  readonly risk: AccRisk;
  /** Whether the document named the level itself; an explicit level always wins over the default. */
  readonly riskDeclared: boolean;
  readonly subjectRequired: boolean;
  /** GET, or declared (WIRE §4.6 rule 11). */
  readonly readonly: boolean;
  /** GET, or declared. */
  readonly idempotent: boolean;
  /** Neither read-only nor idempotent. */
  readonly sideEffecting: boolean;
  readonly confirmRequired: boolean;
  readonly confirmWhen: readonly AccCondition[];
  readonly confirmPrompt?: string;
  /** Milliseconds; 0 inherits the provider's. */
  readonly timeoutMs: number;
  readonly rateLimit?: { readonly count: number; readonly window: AccWindow };
  readonly sensitive: boolean;
  readonly outcome?: { readonly result: string; readonly sideEffect: AccSideEffect };
  readonly guidance: AccGuidance;
}

/** One thing wrong with a declaration. `pointer` is a JSON pointer relative to the declaration (`/approval/when/0/op`). */
export interface AccProblem {
  readonly severity: 'error' | 'warning';
  /** A code of WIRE §4.6, or `invalid_guidance`. */
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
  readonly suggestion: string;
}

export interface AccReading {
  /** Whether the declaration switches the operation on: an object whose `enabled` is literally `true`. */
  readonly enabled: boolean;
  /** Absent (null) when it is not enabled or when any problem is an error: a malformed declaration is never exposed. */
  readonly acc: AccDeclaration | null;
  readonly problems: readonly AccProblem[];
}

/** Limits of WIRE §5. Lengths count Unicode code points, as JSON Schema does. */
export const ACC_LIMITS = Object.freeze({
  scope: 191,
  conditions: 20,
  conditionParam: 191,
  conditionLabel: 120,
  prompt: 200,
  timeoutMs: 600_000,
  outcomeResult: 300,
  guidanceText: 500,
  examples: 5,
  context: 50,
  contextEntry: 100,
});
