import {
  alertChannelSender,
  alertSender,
  AlertWatch,
  approvalSender,
  CHANNEL_SEND,
  channelDeadSender,
  channelDeliverySender,
  debugCalls,
  DEBUG_INVOKE,
  ApprovalSweeper,
  callbackSender,
  deliverySender,
  Dispatcher,
  executor,
  executorDeadSender,
  executorDeliverySender,
  Prober,
  LapsedLeases,
  QueueExpiry,
  Retention,
  Worker,
  type CallDeps,
  type Catalogue,
  type RetentionDeps,
  type WorkerDeps,
} from '@bailing/engine';
import type { AlertRule, Store } from '@bailing/engine/ports';
import type { DeskApi, HubApi } from '@bailing/http';
import { BailingError, type ApprovalKind } from '@bailing/plugin-api';
import type { Contributed } from '@bailing/kernel';
import type { HostRules } from '@bailing/outbound';
import type { BailingConfig } from '@bailing/resources';
import { informedMessages } from './informed-messages.js';
import { openPoster } from './job-ends.js';
import { desk } from './desk.js';

export interface SecondShiftOptions {
  readonly config: BailingConfig;
  readonly store: Store;
  readonly calls: CallDeps;
  readonly catalogue: Catalogue;
  readonly kinds: readonly Contributed<ApprovalKind>[];
  readonly worker: WorkerDeps;
  readonly replica: string;
  /** Which executors came, and when. */
  readonly presence: executor.Presence;
  readonly alertRules: () => readonly AlertRule[];
  /** How often leases of executors are looked through; the default suits a hub. */
  readonly lapseEveryMs?: number | undefined;
  /** How often the ledger is looked through for alerts; the default suits a hub. */
  readonly alertEveryMs?: number | undefined;
  /** Told of rows that retention removed. */
  readonly removed: RetentionDeps['removed'];
  /** How often it is looked whether a round of retention is due; the default suits a hub. */
  readonly retentionEveryMs?: number | undefined;
  readonly authenticate: HubApi['authenticate'];
  readonly secretOf: (owner: string) => string;
  /** Says texts of others without the secrets of the configuration. */
  readonly blank: (text: string) => string;
  /** Hosts that the configuration names. */
  readonly hosts: HostRules;
  /** Targets of executors, as they are now. */
  readonly targets: () => readonly string[];
  /** Reads what other hubs wrote into the configuration, now. */
  readonly lookAgain: () => Promise<void>;
}

const SENDS_AT_ONCE = 8;
/** How often a hub without a channel looks for messages that nobody here was asked for. */
const NO_CHANNEL_IDLE_MS = 10_000;
/** Operators try calls one by one. */
const DEBUGS_AT_ONCE = 4;
/** Debug calls are asked for in this process and wake it; what another process left behind can wait. */
const DEBUG_IDLE_MS = 30_000;
/** Where rounds of retention are written down. */
export const RETENTION_RECORDS = 'hub.retention';

/** Everything that goes on beside the jobs: questions are told, expire and become void; approved calls of executor jobs run; unknowns are asked about. */
export interface SecondShift {
  readonly desk: DeskApi;
  start(): void;
  stop(): Promise<void>;
}

/** @throws BailingError BAILING_CONFIG_INVALID where a route names an approval kind that no plugin brings */
export function secondShift(options: SecondShiftOptions): SecondShift {
  const { config, store, calls, catalogue, worker, replica, secretOf, authenticate } = options;
  refuseUnknownApprovals(config, options.kinds);
  const kinds = new Map(options.kinds.map(({ name, value }) => [name, value]));
  const { clock, log, settings, wakeups, observe } = calls;
  const current = (provider: string) => catalogue.current(provider);
  const callerHosts = config.hub.allow_private_hosts;
  const poster = openPoster({ operatorHosts: options.hosts, callerHosts, secretOf, clock });
  const ends = { jobs: store.jobs, approvals: store.approvals, calls: store.calls, settings, post: poster.post };
  const sends = { jobs: store.jobs, calls: store.calls, settings, clock, wakeups, lookAgain: options.lookAgain };
  const dispatcher = new Dispatcher({
    ...{ outbox: store.outbox, clock, wakeups, log, observe, blank: options.blank },
    senders: new Map([
      ['approval', approvalSender({ approvals: store.approvals, kinds })],
      ['callback', callbackSender(ends)],
      ['delivery', deliverySender(ends)],
      ['delivery_channel', channelDeliverySender(sends)],
      ['channel_dead', channelDeadSender(sends)],
      ['delivery_executor', executorDeliverySender(sends)],
      ['executor_dead', executorDeadSender(sends)],
      ['alert', alertSender(ends)],
      ['alert_channel', alertChannelSender(sends)],
    ]),
  });
  const sweeper = new ApprovalSweeper({ ...store, revisions: () => catalogue.all(), clock, log, observe });
  const settle = { reconcile: store.reconcile, jobs: store.jobs, settings, clock, wakeups, observe };
  const prober = new Prober({ ...settle, duties: store.duties, current, invoker: calls.invoker, log });
  const expiry = new QueueExpiry({
    ...{ jobs: store.jobs, stops: store.stops, duties: store.duties, calls, settings, clock, log, lookAgain: options.lookAgain },
    afterMs: config.hub.queue_expiry_ms,
  });
  const lapsed = new LapsedLeases({ ...store, clock, wakeups, log, observe }, options.lapseEveryMs);
  const alerts = new AlertWatch(
    {
      ...{ jobs: store.jobs, outbox: store.outbox, stops: store.stops, duties: store.duties, clock, wakeups, log },
      records: store.records('hub.alerts'),
      rules: options.alertRules,
      presence: options.presence,
      targets: () => ['llm', CHANNEL_SEND, ...options.targets()],
    },
    options.alertEveryMs,
  );
  const retention = new Retention(
    {
      ...{ retention: store.retention, duties: store.duties, clock, log, removed: options.removed },
      records: store.records(RETENTION_RECORDS),
      auditDays: config.hub.audit_retention_days,
    },
    options.retentionEveryMs,
  );
  const first = new Worker(
    {
      replica,
      concurrency: config.hub.concurrency,
      leaseMs: config.hub.lease_ms,
      idleMs: 1_000,
      get targets() {
        return options.targets();
      },
    },
    worker,
    executor.approvedFirst,
  );
  const hold = { replica, leaseMs: config.hub.lease_ms, idleMs: 1_000 };
  // Messages mostly wait for somebody else's answer, so a few go at once beside the jobs.
  const posting = new Worker(
    {
      ...{ ...hold, concurrency: SENDS_AT_ONCE, targets: [CHANNEL_SEND] },
      // Without a channel nothing is to be sent; one may come while the hub runs, and a message whose channel went has to end.
      get idleMs() {
        return settings().channels().length > 0 ? hold.idleMs : NO_CHANNEL_IDLE_MS;
      },
    },
    worker,
    informedMessages({ settings, log, lookAgain: options.lookAgain }),
  );
  const trying = new Worker({ ...hold, idleMs: DEBUG_IDLE_MS, concurrency: DEBUGS_AT_ONCE, targets: [DEBUG_INVOKE] }, worker, debugCalls);
  const records = store.records('hub.decision-signatures');
  const running = [dispatcher, sweeper, prober, expiry, lapsed, alerts, retention];
  return {
    desk: desk({
      store,
      dispatcher,
      settle,
      admit: { approvals: store.approvals, jobs: store.jobs, authenticate, secretOf, records, clock },
      decide: { approvals: store.approvals, jobs: store.jobs, settings, current, clock, wakeups, observe },
    }),
    start: () => {
      for (const one of running) one.start();
      first.start();
      trying.start();
      posting.start();
    },
    stop: async () => {
      await Promise.all([
        ...running.map((one) => one.stop()),
        ...[first, posting, trying].map((one) => one.stop(config.hub.shutdown_drain_ms)),
      ]);
      await poster.close();
    },
  };
}

/** The approval kind a route names must be there before anything is held. @throws BailingError BAILING_CONFIG_INVALID */
export function refuseUnknownApprovals(config: Pick<BailingConfig, 'routes'>, kinds: readonly Contributed<ApprovalKind>[]): void {
  const named = new Set(kinds.map(({ name }) => name));
  for (const { route_key: key, tools } of config.routes) {
    const type = tools?.approval?.type ?? 'console';
    if (tools?.approval && !named.has(type))
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `routes ${key}, tools.approval.type`,
        detail: `No plugin brings the approval kind ${JSON.stringify(type)}; there are ${[...named].sort().join(', ')}.`,
      });
  }
}
