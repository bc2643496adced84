import type { Clock, Gate, GovernedCall, Invoker, Log, Ms, Quota } from '@bailing/plugin-api';
import type { Revision } from '../catalog/index.js';
import type { ApprovalStore, CallStore, ConversationStore, Line, Settings, Wakeups } from '../ports/index.js';

export interface Named<T> {
  readonly plugin: string;
  readonly name: string;
  readonly value: T;
}

/** What the exit works with. Everything that can say yes is in here by construction; plugins only appear as gates and quotas. */
export interface CallDeps {
  readonly calls: CallStore;
  readonly approvals: ApprovalStore;
  /** Where messages that were sent are remembered; absent: nowhere. */
  readonly conversations?: Pick<ConversationStore, 'keepOutbound'>;
  readonly settings: () => Settings;
  /** The current revision of a provider's tools. */
  readonly current: (provider: string) => Revision | undefined;
  readonly invoker: (provider: string, binding: unknown) => Invoker | undefined;
  readonly gates: readonly Named<Gate>[];
  readonly quotas: readonly Named<Quota>[];
  /** One gate's time; a gate that takes longer denies. */
  readonly gateTimeoutMs: Ms;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly log: Log;
  /** Tells observers; never throws. */
  readonly observe: (line: Line, call?: GovernedCall) => void;
}
