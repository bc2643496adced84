/** JSON Schema as data. Compiled once by `@bailing/schema`, never by a plugin. */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;
export type Risk = 'low' | 'medium' | 'high';

/** Where one argument of an HTTP tool goes. Names are those of the wire; the key in `HttpBinding.args` is the argument's name. */
export interface HttpArg {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly name: string;
  /** OpenAPI style. Absent in query: the contract's form (plain arrays comma-joined, WIRE §6.1). */
  readonly style?: 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** A `content`-typed parameter: the value is serialised as JSON text. */
  readonly json?: boolean;
}

/** How a tool of binding kind `http` is sent. The provider's base URL, secret and time limit are not part of it. */
export interface HttpBinding {
  readonly kind: 'http';
  /** Upper case. */
  readonly method: string;
  /** The document's path template, as written (`/orders/{order_no}`); this is what is signed after substitution. */
  readonly path: string;
  readonly args: Readonly<Record<string, HttpArg>>;
  /** Absent: no body for GET/HEAD, else `application/json` with the body arguments as one object. `whole` names the argument that is the entire body. */
  readonly body?: { readonly mediaType: string; readonly whole?: string };
  /** A path prefix of the operation's own server entry, sent before the path; never a host. */
  readonly prefix?: string;
}

/**
 * What a tool source states about one operation: facts only. Risk and side effect are derived by the engine from `acc`
 * and `method`, never by the source (DESIGN §3).
 */
export interface ToolDraft<B = unknown> {
  /** `^[A-Za-z_][A-Za-z0-9_]{0,63}$`, unique in its document. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The `x-agent-capability` declaration as found; the engine reads it with the contract's reader. */
  readonly acc: unknown;
  /** JSON Schema of the arguments: an object schema, `additionalProperties` decided here. */
  readonly input: JsonSchema;
  readonly binding: B;
  /** Description for a model, at most 500 characters (WIRE §4.6 rule 9). */
  readonly says: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** One thing said about one place of a document. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info';
  /** A code of WIRE §4.6 or of the compiler's own list. */
  readonly code: string;
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly suggestion?: string;
}

/** What became of one operation of a document. */
export interface OperationReport {
  readonly pointer: string;
  /** As written, upper case. */
  readonly method: string;
  readonly path: string;
  readonly outcome: 'imported' | 'imported_with_warnings' | 'not_declared' | 'refused';
  readonly tool?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A compiled document: the drafts and the report for every operation. */
export interface SourceReport<B = unknown> {
  readonly drafts: readonly ToolDraft<B>[];
  readonly operations: readonly OperationReport[];
  /** Diagnostics of the document as a whole. An error here means no drafts. */
  readonly document: readonly Diagnostic[];
  /** The dedicated authorisation probe the document declares, if any (WIRE §4.5). */
  readonly probe?: { readonly method: 'GET' | 'POST'; readonly path: string };
}

/** A condition of `approval.when` (WIRE §5). */
export interface ConfirmCondition {
  readonly param: string;
  readonly op: 'exists' | '>' | '>=' | '<' | '<=' | '==' | '!=' | 'in' | 'contains';
  readonly value?: unknown;
  readonly label?: string;
}

/** When an answer of the evidence probe means something: every given member has to hold. */
export interface EvidenceRule {
  readonly status?: number;
  /** JSON pointer into the answer. */
  readonly pointer?: string;
  /** What stands there; absent: anything but null. */
  readonly equals?: string | number | boolean | null;
}

/** `x-bailing-reconcile` of a write: how the hub asks the business whether it happened. Never shown to a model. */
export interface ReconcileHint {
  /** A read-only tool of the same document. */
  readonly operation: string;
  /** Its parameter that carries the idempotency key. */
  readonly key: string;
  readonly applied: EvidenceRule;
  readonly notApplied: EvidenceRule;
}

/** One business capability, judged, compiled and frozen: the hub's only truth about a tool. */
export interface ToolDefinition<B = unknown> {
  readonly name: string;
  readonly provider: string;
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  readonly risk: Risk;
  readonly readonly: boolean;
  readonly idempotent: boolean;
  /** Not read-only and not idempotent: journalled, frozen when unknown, carries an idempotency key (WIRE §4.6 rule 11). */
  readonly sideEffecting: boolean;
  readonly requiresSubject: boolean;
  readonly sensitive: boolean;
  readonly confirmRequired: boolean;
  readonly confirmWhen: readonly ConfirmCondition[];
  readonly confirmPrompt?: string;
  readonly rateLimit?: { readonly count: number; readonly window: '1s' | '1m' | '1h' | '1d' };
  /** Milliseconds; 0 inherits the provider's. */
  readonly timeoutMs: number;
  readonly reconcile?: ReconcileHint;
  readonly input: JsonSchema;
  readonly binding: B;
  /** Security fingerprint (WIRE §4.4): changes when what is allowed changes, not when words change. */
  readonly fingerprint: string;
}
