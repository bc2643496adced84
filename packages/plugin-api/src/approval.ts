import type { JsonSchema } from './tool.js';

/** Where a route's questions go (WIRE §18 `route.tools.approval`), as an adapter sees it. */
export interface ApprovalTarget {
  /** Which adapter kind takes it. */
  readonly type: string;
  readonly url?: string;
}

/** A frozen call as an approver has to see it: the whole arguments, and in `intent.request` exactly what will be sent (WIRE §9.2). */
export interface ApprovalRequest {
  readonly approvalId: number;
  readonly jobId: string;
  readonly requestId: string;
  /** The route's name for people. */
  readonly route: string;
  readonly subject: string;
  readonly provider: string;
  readonly tool: string;
  readonly scope: string;
  readonly risk: string;
  readonly policy: string;
  readonly reason: string;
  readonly method: string;
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly argsHash: string;
  readonly summary: string;
  /** Relative to the origin of the hub. */
  readonly decisionPath: string;
  readonly intent: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A composed message. Its body is kept and every attempt sends the same bytes. */
export interface ApprovalMessage {
  readonly url: string;
  /** JSON text. */
  readonly body: string;
  /** Whose token signs it; for the `webhooks` service. */
  readonly signAs: string;
}

/** How one attempt ended. `final`: another attempt cannot help. */
export type ApprovalSent =
  | { readonly is: 'sent'; readonly status?: number }
  | { readonly is: 'failed'; readonly final: boolean; readonly status?: number; readonly error: string };

/** Passes a question on to whoever decides. Who may decide, and in how many steps, is the business's matter. */
export interface ApprovalAdapter {
  /** Composes the body, once per question, before the first attempt; null where there is nobody to tell. Pure. */
  compose(request: ApprovalRequest): string | null;
  /** One attempt. Retries, leases and dead letters are the host's. A throw counts as failed, not final. */
  send(message: ApprovalMessage, signal: AbortSignal): Promise<ApprovalSent>;
  /** The audit event of an attempt; `approval_notify` where absent. */
  readonly event?: string;
}

/** One kind of approval adapter: routes name it as `tools.approval.type`. */
export interface ApprovalKind {
  /** Members of the target this kind needs, as JSON Schema. */
  readonly row: JsonSchema;
  open(target: ApprovalTarget): ApprovalAdapter;
}
