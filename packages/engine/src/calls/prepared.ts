import type { FrozenCall, GovernedCall, Invoker, Spend } from '@bailing/plugin-api';
import type { Consume, Key, ProviderSettings } from '../ports/index.js';

/** A call that passed every fence: one value that gates judged, the journal records and the wire carries. */
export interface Prepared {
  readonly call: GovernedCall;
  readonly frozen: FrozenCall;
  readonly invoker: Invoker;
  readonly key: Key;
  readonly provider: ProviderSettings;
  readonly spends: readonly Spend[];
  readonly maxCalls: number;
  /** Journalled and frozen when unknown: side-effecting, or held by a gate. */
  readonly journalled: boolean;
  /** The approval this call spends. */
  readonly consume?: Consume;
}
