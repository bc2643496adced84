import type { ApprovalKind } from './approval.js';
import type { ContextProvider } from './context.js';
import type { Gate, GovernedCall, Quota } from './call.js';
import type { ChannelKind } from './channel.js';
import type { InputHandler } from './input.js';
import type { ModelKind } from './model.js';
import { definePoint } from './refs.js';
import type { ToolSourceKind } from './source.js';

/** One audit event as observers see it; redacted and cut already. */
export interface Observation {
  readonly event: string;
  readonly at: number;
  readonly job: string;
  readonly requestId: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly detail: Readonly<Record<string, unknown>>;
  readonly call?: GovernedCall;
}

/** Told of everything, heard in nothing: a throw is logged and dropped. */
export interface Observer {
  observe(observation: Observation): void;
}

/**
 * The extension points of this version. Endpoints are not declared yet:
 * a point is published together with the first plugin that proves its shape.
 */
export const points = Object.freeze({
  /** Kind: provider rows name it. Tools of several sources form a union; one name twice on one route fails closed. */
  toolSource: definePoint<ToolSourceKind>('tool-source/1', 'kind', ['open']),
  /** Strictest: deny > hold > allow; a throw or a timeout is a deny. */
  gate: definePoint<Gate>('gate/1', 'strictest', ['judge']),
  /** All or none: every spend of a call is taken in the intend commit, or none. */
  quota: definePoint<Quota>('quota/1', 'all-or-none', ['spends']),
  /** Kind: credential rows name it. */
  model: definePoint<ModelKind>('model/1', 'kind', ['open']),
  /** Kind: `tools.approval.type` of a route names it. */
  approval: definePoint<ApprovalKind>('approval/1', 'kind', ['open']),
  /** Kind: rows of `channels` name it. */
  channel: definePoint<ChannelKind>('channel/1', 'kind', ['open']),
  /** Ordered: each adds fenced, data-only blocks, in the order of the plugins. */
  context: definePoint<ContextProvider>('context/1', 'ordered', ['blocks']),
  /** Match: by media type; a type that two claim needs the operator's choice. */
  input: definePoint<InputHandler>('input/1', 'match', ['read']),
  /** Tap: all told, none heard. */
  observer: definePoint<Observer>('observer/1', 'tap', ['observe']),
});
