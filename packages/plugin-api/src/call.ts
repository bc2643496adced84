import type { ToolDefinition } from './tool.js';

/** A point in time or a duration, in milliseconds. */
export type Ms = number;

/** What a gate, a quota or an observer sees of one call. Deeply frozen: nothing rewrites a call. */
export interface GovernedCall {
  readonly job: {
    readonly id: string;
    readonly requestId: string;
    readonly route: string;
    readonly client: string;
    readonly source: string;
  };
  /** The trusted acting user of this source; empty when there is none. Never from a model or an argument. */
  readonly subject: string;
  readonly tool: ToolDefinition;
  /** The owning business system; `ratePerMin` 0 means no limit of its own. */
  readonly provider: { readonly name: string; readonly ratePerMin: number };
  /** Validated arguments, exactly as they will be hashed, journalled and sent. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly argsHash: string;
}

/** A plugin may say no, never yes: verdicts join by strictness, deny > hold > allow. */
export type Verdict =
  | { readonly is: 'allow' }
  | { readonly is: 'hold'; readonly policy: string; readonly reason: string; readonly condition?: Readonly<Record<string, unknown>> }
  | { readonly is: 'deny'; readonly code: string; readonly reason: string };

/** Judges a call without effects: no writing, counting or sending, because `explain` runs it too. A throw or a timeout is a deny. */
export interface Gate {
  judge(call: GovernedCall, signal: AbortSignal): Promise<Verdict> | Verdict;
}

/** A spend that a quota declares; the store takes all of a call's spends in the intend commit, or none. */
export interface Spend {
  readonly bucket: string;
  readonly limit: number;
  readonly windowMs: Ms;
  readonly cost: number;
}

/** Declares spends, never performs them. */
export interface Quota {
  spends(call: GovernedCall): readonly Spend[];
}

/** What is kept of an answer: `text` is what a brain reads, already cut to the provider's budget. */
export interface Recorded {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

declare const minted: unique symbol;
/** The store's single-use leave to send. Only a store can make one, and an invoker takes nothing else. */
export interface Ticket {
  readonly [minted]: true;
  /** The idempotency key; absent for reads. */
  readonly key?: string;
  /** The intend commit's time: the call is signed with it. */
  readonly signAt: Ms;
  /** After this moment nothing may be sent any more. */
  readonly sendBy: Ms;
}

/** What the business answered, whole and within the receive budget. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** Bytes received after decompression. */
  readonly bytes: number;
  /** Where no HTTP server said this: the invoker's own report, whose status is certain and whose text is shown as it is. */
  readonly reported?: true;
}

/**
 * `not-sent`: provably nothing left; `moved` where it was frozen for a way that is another one now, so that it may be frozen and judged once more.
 * `unknown`: it may have arrived.
 */
export type Outcome =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'not-sent'; readonly why: string; readonly moved?: true }
  | { readonly is: 'unknown'; readonly why: string };

/** A call whose bytes are decided: built once, previewed, digested, signed and sent as they are. */
export interface FrozenCall {
  readonly method: string;
  /** The signed target: document path after substitution plus raw query, without the base URL's own prefix. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Lower-case hex SHA-256 over method, target, headers and body. */
  readonly digest: string;
  /** Milliseconds the whole attempt may take, body included. */
  readonly timeoutMs: Ms;
}

export interface CallContext {
  readonly job: string;
  readonly client: string;
  readonly subject: string;
  readonly scope: string;
  /** W3C trace context of the trigger; what is sent goes on in the same trace. Never signed, never part of the frozen bytes. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string };
}

/** Sends frozen bytes for one binding of one provider. */
export interface Invoker<B = unknown> {
  /** Decides the bytes. Throws a BailingError (`BAILING_TARGET_UNSAFE`, …) where arguments cannot be sent safely. */
  freeze(tool: ToolDefinition<B>, args: Readonly<Record<string, unknown>>, context: CallContext): FrozenCall;
  /** Sends once, no retry, no redirect. A throw counts as `unknown`. */
  send(frozen: FrozenCall, ticket: Ticket, context: CallContext, signal: AbortSignal): Promise<Outcome>;
}
