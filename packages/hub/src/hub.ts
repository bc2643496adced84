import { randomUUID } from 'node:crypto';
import { Catalogue, createWakeups, executor, Worker, type CallDeps, type InputDeps, type WorkerDeps } from '@bailing/engine';
import type { Settings, Store, Wakeups } from '@bailing/engine/ports';
import { createHttpServer, type ExecutorApi, type HttpServer, type HubApi } from '@bailing/http';
import type { Kernel, KernelTree } from '@bailing/kernel';
import { points, services, type Clock, type Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import { createSchemaCheck } from '@bailing/schema';
import { openStore } from '@bailing/store';
import { hubApi, type ApiDeps } from './api.js';
import { authenticator, checkServerToken } from './authenticate.js';
import { bootstrapAdmin } from './admins/bootstrap.js';
import { bootKernel } from './boot-kernel.js';
import { Brains } from './brains.js';
import type { Channels } from './channels.js';
import { closeInTurn } from './closing.js';
import { debugInvoker } from './debug-invoke.js';
import { executorApi } from './executors.js';
import { openExits, type Exits } from './exits.js';
import { followApi } from './follow.js';
import { secretBlanker } from './config-secrets.js';
import type { Hub, HubOptions } from './hub-options.js';
import type { LiveConfig } from './live/live-config.js';
import { createLive, openAdmins, openObjects } from './live/open-live.js';
import { prepareConfig } from './live/prepare.js';
import { createLog } from './log.js';
import { metered, openMetrics } from './metrics/metrics.js';
import { operateApi } from './operate.js';
import { tellObservers } from './observers.js';
import { openInputs } from './inputs.js';
import { LiveHosts } from './private-hosts.js';
import { secondShift, type SecondShift, type SecondShiftOptions } from './second-shift.js';
import { refuseRestartChanges, toSettings } from './settings.js';
import { callbackSecret } from './webhooks.js';

/** Makes a hub for embedding. Nothing runs before `start`. */
export function createHub(options: HubOptions): Hub {
  return new ComposedHub(options);
}

class ComposedHub implements Hub {
  readonly log: Log;
  readonly clock: Clock;
  private readonly env;
  private readonly replica = randomUUID();
  private readonly wakeups: Wakeups = createWakeups();
  private readonly catalogue = new Catalogue();
  private readonly schema = createSchemaCheck();
  private readonly hosts: LiveHosts;
  private settings: Settings;
  private authenticate: HubApi['authenticate'];
  /** The configuration as it is now, file and database together. */
  private config: BailingConfig;
  private live: LiveConfig | undefined;
  /** Says texts of others without the secrets of the configuration. */
  private blank: (text: string) => string = () => '[secret]';
  private readonly closing: (() => Promise<unknown>)[] = [];
  private kernel: Kernel | undefined;
  private inputs: InputDeps | undefined;
  private stopped: Promise<void> | undefined;
  private atWork: () => number = () => 0;

  constructor(private readonly options: HubOptions) {
    this.log = options.log ?? createLog(options.config.hub.log_level);
    this.clock = options.clock ?? { now: () => Date.now() };
    this.env = options.env ?? process.env;
    this.settings = toSettings(options.config, 1);
    this.authenticate = authenticator(options.config);
    this.config = options.config;
    this.hosts = new LiveHosts(this.env);
    this.hosts.follow(options.config);
  }

  async start(): Promise<{ url: string; port: number }> {
    try {
      return await this.boot();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.closeAll());
  }

  reconfigure(config: BailingConfig): void {
    refuseRestartChanges(this.options.config, config);
    this.live?.reread(config);
  }

  private swapped(config: BailingConfig, channels?: Channels): void {
    this.hosts.follow(config, channels?.configs());
    this.settings = toSettings(config, this.settings.rev + 1);
    this.authenticate = authenticator(config);
    this.config = config;
    this.log.info('configuration swapped', { rev: this.settings.rev });
  }

  async plugins(): Promise<KernelTree> {
    if (!this.kernel) throw new Error('the hub was not started');
    return this.kernel.tree();
  }

  private async boot(): Promise<{ url: string; port: number }> {
    const { hub } = this.options.config;
    checkServerToken(hub);
    const store = await this.openStore();
    const live = await this.openLive(store);
    const kernel = (this.kernel = await this.bootKernel(store));
    const calls = this.callDeps(store, kernel);
    const brains = new Brains(kernel.contributions(points.model), this.env, this.log);
    brains.prepare(this.config.credentials).swap();
    const { model, credential } = brains;
    const inputs = openInputs(this.config, kernel.contributions(points.input), credential, this);
    this.closing.push(() => inputs.close());
    this.inputs = inputs.deps;
    const { tools, invoker, channels } = this.openExits(store, kernel);
    this.blank = secretBlanker(() => this.config, channels.settingsSchema);
    const metrics = openMetrics({ hub, store, clock: this.clock, log: this.log }, this.closing);
    const withInvoker = metered({ ...calls, invoker }, metrics);
    await tools.providers.load();
    const streams = kernel.service(services.streams);
    const worker = new Worker(
      { replica: this.replica, concurrency: hub.concurrency, leaseMs: hub.lease_ms, idleMs: 1_000, targets: ['llm'] },
      { ...this.base(store), calls: withInvoker, catalogue: this.catalogue, model, displayTimeZone: hub.display_tz, streams },
    );
    const removed: SecondShiftOptions['removed'] = (what, rows) => metrics?.counters.removed(what, rows);
    const shift = this.secondShift(store, kernel, withInvoker, model, { removed, lookAgain: () => live.look() });
    worker.start();
    this.atWork = () => worker.active;
    this.closing.push(() => worker.stop(hub.shutdown_drain_ms));
    shift.start();
    this.closing.push(() => shift.stop());
    tools.duty.start();
    this.closing.push(() => tools.duty.stop());
    const follow = followApi(streams, this.wakeups, () => this.settings);
    const { providers } = tools;
    const asked = { providers, store, catalogue: this.catalogue, calls: withInvoker };
    const toolProviders = { ...tools.api, debugInvoke: debugInvoker({ ...asked, replica: this.replica }) };
    const now = { config: () => this.config, named: brains.byName, presence: this.presenceOf(store) };
    const operate = operateApi({ ...asked, ...now, auditDays: hub.audit_retention_days });
    live.start((config) => prepareConfig(config, { kernel, brains, providers, channels, swapped: (next) => this.swapped(next, channels) }));
    this.closing.push(() => live.stop());
    const objects = openObjects(live, store, this.clock, tools, channels);
    const admins = openAdmins(live, objects, store, this.clock);
    await bootstrapAdmin(live, objects, this.env);
    const more = { operate, follow, objects, admins, ...(metrics && { metrics: metrics.api }) };
    return this.listen(store, withInvoker, { desk: shift.desk, toolProviders, ...more });
  }

  private async openLive(store: Store): Promise<LiveConfig> {
    const { log, clock, env } = this;
    const { config: file, cwd, duties } = this.options;
    const live = createLive({ file, store, cwd: cwd ?? process.cwd(), env, log, clock, pollMs: duties?.pollMs });
    this.live = live;
    this.swapped(await live.open());
    return live;
  }

  private base(store: Store) {
    const { jobs, stops, rates, conversations, reconcile } = store;
    const contexts = this.kernel?.contributions(points.context) ?? [];
    const { inputs, clock, wakeups, log } = this;
    const parts = { jobs, stops, rates, conversations, reconcile, contexts };
    const { live } = this;
    const informed = { settings: () => this.settings, ...(live && { lookAgain: () => live.look() }) };
    return { ...parts, ...(inputs && { inputs }), ...informed, clock, wakeups, log };
  }

  private async openStore(): Promise<Store> {
    const store = await openStore({
      url: this.options.config.hub.database,
      replica: this.replica,
      clock: this.clock,
      ...this.options.store,
    });
    this.closing.push(() => store.close());
    return store;
  }

  private async bootKernel(store: Store): Promise<Kernel> {
    const { builtins, cwd, plugins } = this.options;
    const { config, env, log, clock, wakeups, schema, hosts } = this;
    return bootKernel({
      ...{ config, env, log, clock, wakeups, schema, hosts, store, builtins },
      plugins: plugins ?? [],
      cwd: cwd ?? process.cwd(),
      secretOf: callbackSecret(() => this.config),
      closing: (close) => void this.closing.push(close),
    });
  }

  private openExits(store: Store, kernel: Kernel): Exits {
    const { clock, log, catalogue, schema } = this;
    const { config, hosts } = this;
    const all = { store, clock, log, catalogue, schema, config, kernel, hosts, settings: () => this.settings, ...this.options.duties };
    const exits = openExits(all, this.closing);
    hosts.follow(config, exits.channels.configs());
    return exits;
  }

  private callDeps(store: Store, kernel: Kernel): Omit<CallDeps, 'invoker'> {
    return {
      calls: store.calls,
      approvals: store.approvals,
      conversations: store.conversations,
      settings: () => this.settings,
      current: (provider) => this.catalogue.current(provider),
      gates: kernel.contributions(points.gate),
      quotas: kernel.contributions(points.quota),
      gateTimeoutMs: this.options.config.hub.gate_timeout_ms,
      clock: this.clock,
      wakeups: this.wakeups,
      log: this.log,
      observe: tellObservers(kernel.contributions(points.observer), this.log),
    };
  }

  private secondShift(
    store: Store,
    kernel: Kernel,
    calls: CallDeps,
    model: WorkerDeps['model'],
    told: Pick<SecondShiftOptions, 'removed' | 'lookAgain'>,
  ): SecondShift {
    const { config, hosts } = this;
    const targets = () => this.config.targets.map(({ name }) => name);
    const presence = this.presenceOf(store);
    const worker = { ...this.base(store), calls, catalogue: this.catalogue, model, displayTimeZone: config.hub.display_tz };
    const kinds = kernel.contributions(points.approval);
    const authenticate: HubApi['authenticate'] = (token) => this.authenticate(token);
    const secretOf = callbackSecret(() => this.config);
    const { catalogue, replica, options } = this;
    const every = {
      alertEveryMs: options.duties?.tickMs,
      lapseEveryMs: options.duties?.tickMs,
      retentionEveryMs: options.duties?.retentionMs,
    };
    const all = { config, store, calls, catalogue, kinds, worker, hosts, targets, authenticate, secretOf, replica, presence };
    return secondShift({ ...all, ...every, ...told, blank: this.blank, alertRules: () => this.config.alert_rules });
  }

  private async listen(
    store: Store,
    calls: CallDeps,
    apis: Pick<ApiDeps, 'toolProviders' | 'objects' | 'admins' | 'operate' | 'metrics' | 'desk' | 'follow'>,
  ): Promise<{ url: string; port: number }> {
    const { hub } = this.options.config;
    const server: HttpServer = createHttpServer({
      hub: hubApi({
        ...this.base(store),
        ...this.executors(store, calls),
        catalogue: this.catalogue,
        store,
        observe: calls.observe,
        timeoutOf: (channel) => this.config.channels.find(({ name }) => name === channel)?.timeout_ms ?? 60_000,
        ...apis,
        authenticate: (token) => this.authenticate(token),
        env: this.env,
      }),
      log: this.log,
      host: hub.host,
      port: hub.port,
      jsonMaxBytes: hub.json_body_max_bytes,
      drainMs: hub.shutdown_drain_ms,
    });
    this.closing.push(() => server.stop());
    const { url, port } = await server.start();
    this.log.info('the hub listens', { url });
    return { url, port };
  }

  private presenceOf(store: Store): executor.Presence {
    return new executor.Presence(store.records('hub.executors'), this.clock, this.log);
  }

  private executors(store: Store, calls: CallDeps): { readonly executors?: ExecutorApi } {
    const serverToken = this.options.config.hub.token ?? '';
    if (serverToken === '') return {};
    const seated = new executor.SeatedJobs();
    const presence = this.presenceOf(store);
    return {
      executors: executorApi({
        ...this.base(store),
        calls,
        catalogue: this.catalogue,
        replica: this.replica,
        serverToken,
        ...{ seated, presence, blank: this.blank },
      }),
    };
  }

  private async closeAll(): Promise<void> {
    this.log.info(`draining ${String(this.atWork())} jobs`);
    await closeInTurn(this.closing, this.log);
  }
}
