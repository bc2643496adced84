export type ParamType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
export type ParamPlace = 'query' | 'path' | 'header' | 'body';
export type JsonSchema = Readonly<Record<string, unknown>>;
export type RiskLevel = 'low' | 'medium' | 'high';

export interface ParamOptions {
  /** `string` unless stated. */
  readonly type?: ParamType | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** `path` when `{name}` is in the path, else `query` for GET and `body` for the rest. */
  readonly in?: ParamPlace | undefined;
  readonly enum?: readonly unknown[] | undefined;
  /** Schema of the items of an array. */
  readonly items?: JsonSchema | undefined;
  readonly default?: unknown;
  /** A whole JSON Schema, instead of type, enum, items and default. */
  readonly schema?: JsonSchema | undefined;
}

export interface Param extends ParamOptions {
  readonly name: string;
}

export interface ConfirmWhen {
  readonly param: string;
  readonly op: 'exists' | '>' | '>=' | '<' | '<=' | '==' | '!=' | 'in' | 'contains';
  readonly value?: unknown;
  readonly label?: string;
}

export interface RateLimit {
  readonly count: number;
  readonly window: '1s' | '1m' | '1h' | '1d';
}

export interface ToolOptions {
  /** Operation id; a slug of method and path unless stated. */
  readonly name?: string | undefined;
  /** POST unless stated. */
  readonly method?: string | undefined;
  /** Path of the document, with `{name}` for path parameters. Printable ASCII. */
  readonly path: string;
  /** Dotted capability such as `order.refund`. */
  readonly scope: string;
  /** For the model. The first sentence (up to `。`) must say enough on its own. */
  readonly description: string;
  readonly params?: readonly Param[] | undefined;
  readonly risk?: RiskLevel | undefined;
  /** Every call asks a person first. */
  readonly confirm?: boolean | undefined;
  /** Calls that match one of these ask a person first. */
  readonly confirmWhen?: readonly ConfirmWhen[] | undefined;
  readonly confirmPrompt?: string | undefined;
  readonly requiresSubject?: boolean | undefined;
  /** Values stay out of the hub's audit. */
  readonly sensitive?: boolean | undefined;
  readonly readonly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  /** `30/min`, `600/hour`, `10/s`, `1000/day`, or the parsed form. */
  readonly rateLimit?: string | RateLimit | undefined;
  readonly timeoutMs?: number | undefined;
  readonly outcome?: { readonly result: string; readonly sideEffect: 'none' | 'read' | 'write' | 'notify' | 'external' } | undefined;
  readonly whenToUse?: string | undefined;
  readonly returns?: string | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly context?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly deprecated?: boolean | undefined;
}

/** A tool whose name, method and parameter places are settled. */
export interface Tool extends ToolOptions {
  readonly name: string;
  readonly method: string;
  readonly params: readonly (Param & { readonly in: ParamPlace })[];
}

export interface SpecOptions {
  readonly title: string;
  readonly version: string;
  readonly tools: readonly ToolOptions[];
  /** Announce the authorization probe; `true` for the defaults. */
  readonly authzProbe?: boolean | { readonly path?: string; readonly method?: 'GET' | 'POST' } | undefined;
}

export type SpecErrorCode =
  | 'invalid_name'
  | 'reserved_name'
  | 'invalid_method'
  | 'invalid_path'
  | 'missing_scope'
  | 'missing_description'
  | 'invalid_risk'
  | 'invalid_rate_limit'
  | 'invalid_timeout'
  | 'invalid_param'
  | 'duplicate_param'
  | 'path_param_mismatch'
  | 'duplicate_name'
  | 'duplicate_operation';

/** A tool that cannot be declared; the message names the tool and says what to do. */
export class SpecError extends Error {
  readonly code: SpecErrorCode;
  readonly tool: string;
  constructor(code: SpecErrorCode, tool: string, says: string) {
    super(`Tool "${tool}": ${says}`);
    this.name = 'SpecError';
    this.code = code;
    this.tool = tool;
  }
}
