import type { Records, SpecProbe } from '@bailing/plugin-api';
import type { Ms, Spend } from './words.js';
import type { ApprovalStore } from './approval-store.js';
import type { CallStore } from './call-store.js';
import type { ConversationStore } from './conversation-store.js';
import type { JobStore } from './job-store.js';
import type { ObjectStore } from './object-store.js';
import type { Outbox } from './outbox.js';
import type { ReconcileStore } from './reconcile-store.js';
import type { RetentionStore } from './retention-store.js';
import type { RevisionStore } from './revision-store.js';

/** The cached document of one provider and what was last observed of it. */
export interface SpecRow {
  readonly provider: string;
  /** Hash over the row members that make the cache valid (source, URL, policy, secret). */
  readonly origin: string;
  readonly document: string | null;
  readonly refreshedAt: Ms | null;
  readonly probe: SpecProbe | null;
}

export interface SpecStore {
  get(provider: string): Promise<SpecRow | null>;
  /** Replaces the document (`document` not null) or keeps it and only notes the probe (`document` null). */
  put(row: SpecRow): Promise<void>;
}

export interface StopFlag {
  /** `hub`, `client:…`, `route:…`, `provider:…`, `tool:provider/name` or `channel:…`. */
  readonly what: string;
  readonly by: string;
  readonly since: Ms;
}

/** Stop flags: presence stops. Read inside every intend commit. */
export interface StopStore {
  /** Setting one that is set changes nothing. */
  set(what: string, by: string): Promise<void>;
  /** Clearing one that is not set changes nothing; answers whether it was set. */
  clear(what: string): Promise<boolean>;
  /** All that are set, oldest first, at most `limit`. */
  list(limit: number): Promise<readonly StopFlag[]>;
  isSet(what: string): Promise<boolean>;
}

/** Sliding-window buckets shared by all replicas. */
export interface RateStore {
  /** Takes every spend or none. */
  take(
    spends: readonly Spend[],
  ): Promise<{ readonly is: 'taken' } | { readonly is: 'rate'; readonly bucket: string; readonly retryInMs: Ms }>;
  /** What each window holds now, in the order asked. Takes nothing and locks nothing. */
  look(spends: readonly Spend[]): Promise<readonly number[]>;
}

/** Work that one replica does for all: held for a while, by name. */
export interface DutyStore {
  /** True where this replica holds the duty for the next `ms`, also when it held it already. */
  hold(name: string, ms: Ms): Promise<boolean>;
}

export interface StoreHealth {
  readonly dialect: 'sqlite' | 'mysql';
  readonly database: 'ok' | 'failed';
  /** Why it failed: it does not answer, or has no room left. */
  readonly reason?: 'unreachable' | 'full';
  readonly migrations: { readonly status: 'ok' | 'pending'; readonly pending: number; readonly latest: string; readonly total: number };
  readonly auditFailures: number;
  readonly lastAuditFailureAt: Ms | null;
}

/** What there is at the moment; each count ends at ten thousand. */
export interface Census {
  readonly queued: { readonly count: number; readonly oldestAt: Ms | null };
  /** Jobs somebody works on; `expired`: nobody renews them any more. */
  readonly held: { readonly count: number; readonly expired: number };
  /** Journal rows whose outcome is open, by state. */
  readonly unresolved: readonly { readonly state: string; readonly count: number; readonly oldestAt: Ms | null }[];
  readonly approvals: { readonly pending: number; readonly oldestAt: Ms | null };
  /** `nextAt`: when the earliest waiting message is due. */
  readonly outbox: { readonly waiting: number; readonly nextAt: Ms | null; readonly dead: number };
}

/** Everything the hub keeps. */
export interface Store {
  readonly calls: CallStore;
  readonly approvals: ApprovalStore;
  readonly jobs: JobStore;
  readonly conversations: ConversationStore;
  readonly specs: SpecStore;
  readonly revisions: RevisionStore;
  readonly stops: StopStore;
  readonly rates: RateStore;
  readonly outbox: Outbox;
  readonly reconcile: ReconcileStore;
  readonly duties: DutyStore;
  readonly retention: RetentionStore;
  readonly objects: ObjectStore;
  /** Records of one plugin. */
  records(plugin: string): Records;
  health(): Promise<StoreHealth>;
  /** Bounded counts for metrics and diagnostics. */
  census(): Promise<Census>;
  /** Drains what rides along, then closes. */
  close(): Promise<void>;
}
