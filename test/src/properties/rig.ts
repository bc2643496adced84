import { randomUUID } from 'node:crypto';
import { call, Catalogue, makeRevision, type CallDeps, type CallResult, type Seat } from '@bailing/engine';
import type { Holder, Line, Settings, Store } from '@bailing/engine/ports';
import { createKernel, discover } from '@bailing/kernel';
import { gateRiskPlugin } from '@bailing/gate-risk';
import { points, type FrozenCall, type Gate, type Invoker, type Log, type Outcome } from '@bailing/plugin-api';
import { quotaRatePlugin } from '@bailing/quota-rate';
import { createSchemaCheck } from '@bailing/schema';
import { openStore } from '@bailing/store';
import type { FreshDatabase } from '@bailing/store/testing';
import type { Fate, ToolName } from './reference.js';
import { reportOf, TIMEOUT_MS, type Spec } from './shop-tools.js';

export type ReplicaName = 'a' | 'b';
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
export const LEASE_MS = 600_000;
const START = 1_764_500_000_000;
const schema = createSchemaCheck();
/** Stop flags that the calls of the rig answer to. */
export const FLAGS = ['hub', 'client:crm', 'route:orders', 'provider:shop'] as const;

/** The gates and quotas that always run, as the kernel hands them out. */
export async function governors(): Promise<Pick<CallDeps, 'gates' | 'quotas'>> {
  const { plugins } = await discover([gateRiskPlugin, quotaRatePlugin], { cwd: '.' });
  const kernel = createKernel({ plugins, services: [], log: SILENT });
  await kernel.init();
  return { gates: kernel.contributions(points.gate), quotas: kernel.contributions(points.quota) };
}

interface Replica {
  store: Store;
  deps: CallDeps;
}

/** The real exit on the real store, twice on one database, with a business that does what it is told and a clock that only tests move. */
export class Rig {
  readonly clock = { now: START };
  readonly sent = new Map<string, number>();
  fate: Fate = { is: 'answer', status: 200 };
  maxCalls = 10;
  seat!: Seat;
  private readonly replicas = new Map<ReplicaName, Replica>();
  private readonly opened: Store[] = [];
  private readonly catalogue = new Catalogue();
  private spec: Spec = { pay: 'plain', look: 'plain' };
  private serial = 0;
  /** Calls under way, and those of them that wait for the outcome of another. */
  private active = 0;
  private waiting = 0;
  private reached: (() => void) | undefined;

  constructor(
    private readonly database: FreshDatabase,
    private readonly governed: Pick<CallDeps, 'gates' | 'quotas'>,
    private readonly extra: readonly Gate[] = [],
  ) {}

  /** Begins a story on the same database: a later time, a new job, nothing stopped. */
  async begin(spec: Spec): Promise<void> {
    for (const store of this.opened.splice(0)) if (!this.inUse(store)) await store.close();
    for (const name of ['a', 'b'] as const) {
      if (this.replicas.has(name)) this.opened.push(this.replica(name).store);
      else await this.restart(name);
    }
    for (const flag of FLAGS) await this.store('a').stops.clear(flag);
    this.clock.now += 3_600_000;
    this.maxCalls = 10;
    this.declare(spec);
    await this.newJob();
  }

  private inUse(store: Store): boolean {
    return [...this.replicas.values()].some((replica) => replica.store === store);
  }

  /** A process that is gone without a word, and the next one under another name. */
  async restart(name: ReplicaName): Promise<void> {
    const replica = `${name}${String((this.serial += 1))}`;
    const store = await openStore({ url: this.database.url, replica, now: () => this.clock.now, lanes: 1 });
    this.opened.push(store);
    this.replicas.set(name, { store, deps: this.depsOf(store) });
  }

  declare(spec: Spec): void {
    this.spec = spec;
    this.catalogue.install('shop', makeRevision('shop', JSON.stringify(spec), reportOf(spec), schema));
  }

  async newJob(): Promise<void> {
    const id = randomUUID();
    const { store } = this.replica('a');
    const job = {
      id,
      requestId: `r:${id}`,
      owner: 'crm',
      route: 'orders',
      target: id,
      source: 'crm',
      input: '',
      metadata: '{}',
      principalId: null,
    };
    await store.jobs.accept(
      { ...job, sessionId: id, isContinue: false, maxAttempts: 1, createdAt: this.clock.now },
      this.line('received', id),
      false,
    );
    this.sent.clear();
    const subjects = new Map([['shop', 'u-ada']]);
    const route = this.settings().route('orders');
    if (!route) throw new Error('the rig has no route');
    this.seat = {
      by: await this.take('a', id),
      job: { id, requestId: job.requestId, route: 'orders', client: 'crm', source: 'crm', metadata: {} },
      view: this.catalogue.view(route, this.settings(), subjects),
      subjects,
      signal: new AbortController().signal,
    };
  }

  /** Somebody takes the job once nobody holds it any more. */
  async retake(name: ReplicaName): Promise<boolean> {
    const by = await this.take(name, this.seat.job.id).catch(() => null);
    if (by) this.seat = { ...this.seat, by };
    return by !== null;
  }

  private async take(name: ReplicaName, id: string): Promise<Holder> {
    const { store } = this.replica(name);
    const [taken] = await store.jobs.take({ replica: name, max: 1, leaseMs: LEASE_MS, targets: [id] });
    if (!taken) throw new Error('the job was not taken');
    return taken.by;
  }

  /** One call through one replica; null where its process is gone before it could answer. */
  async call(name: ReplicaName, tool: ToolName, amount: number): Promise<CallResult | null> {
    const { deps } = this.replica(name);
    const gone = new Promise<null>((resolve) => (this.reached = () => resolve(null)));
    this.active += 1;
    const result = await Promise.race([call(this.seat, { tool, arguments: { value: { amount } } }, deps), gone]);
    this.active -= 1;
    if (result === null) await this.restart(name);
    else await this.flush(name);
    return result;
  }

  /** What rides with the next commit is written down, so that the other replica sees it. */
  private flush(name: ReplicaName): Promise<void> {
    return this.replica(name).store.calls.refused(this.line('flush', this.seat.job.id));
  }

  store(name: ReplicaName): Store {
    return this.replica(name).store;
  }

  line(event: string, job: string): Line {
    return { event, at: this.clock.now, job, requestId: '-', stage: 'tool', severity: 'info', title: event, summary: '', detail: '{}' };
  }

  async end(): Promise<void> {
    for (const store of this.opened) await store.close();
    await this.database.drop();
  }

  private replica(name: ReplicaName): Replica {
    const found = this.replicas.get(name);
    if (!found) throw new Error('the rig was not started');
    return found;
  }

  private depsOf(store: Store): CallDeps {
    const extra = this.extra.map((value, index) => ({ plugin: 'test', name: String(index), value }));
    return {
      calls: store.calls,
      approvals: store.approvals,
      settings: () => this.settings(),
      current: (provider) => this.catalogue.current(provider),
      invoker: () => this.invoker,
      gates: [...this.governed.gates, ...extra],
      quotas: this.governed.quotas,
      gateTimeoutMs: 1_000,
      clock: this.clock2,
      wakeups: { notify: () => undefined, wait: () => this.wait() },
      log: SILENT,
      observe: () => undefined,
    };
  }

  private readonly clock2 = { now: () => this.clock.now };

  /** Time passes only where everybody waits: for somebody who is gone. */
  private async wait(): Promise<void> {
    this.waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (this.active === this.waiting) this.clock.now += 200;
    this.waiting -= 1;
  }

  private readonly invoker: Invoker = {
    freeze: (tool, args) => frozen(tool.name as ToolName, args),
    send: async (call_) => this.send(call_),
  };

  private async send({ target }: FrozenCall): Promise<Outcome> {
    const { fate } = this;
    if (fate.is === 'not-sent') return { is: 'not-sent', why: 'nobody listens' };
    this.sent.set(target, (this.sent.get(target) ?? 0) + 1);
    if (fate.is === 'crash') {
      this.reached?.();
      return new Promise(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (fate.is === 'unknown') return { is: 'unknown', why: 'no answer' };
    return { is: 'answered', answer: { status: fate.status, contentType: 'text/plain', body: target, bytes: target.length } };
  }

  private settings(): Settings {
    const route = {
      ...{ route_key: 'orders', name: 'orders', enabled: true, target: 'llm', target_config: {}, profile: '', session_policy: 'new' },
      tools: { sources: [{ provider: 'shop', allow: ['*'] }], max_calls: this.maxCalls },
    } as const;
    const client = { app_id: 'crm', name: 'crm', enabled: true, allowed_routes: ['*'], rate_limit_per_min: 0 };
    const provider = {
      ...{ name: 'shop', enabled: true, log_payload: true, timeout_ms: TIMEOUT_MS, rate_limit_per_min: 0, result_max_bytes: 8_192 },
      reconcile: { enabled: false },
    };
    const settings = {
      rev: this.serial,
      route: () => route,
      routes: () => [route],
      client: () => client,
      provider: () => provider,
      target: () => undefined,
    };
    return settings as unknown as Settings;
  }
}

function frozen(tool: ToolName, args: Readonly<Record<string, unknown>>): FrozenCall {
  const target = `${tool} ${String(args['amount'])}`;
  return { method: 'POST', target, headers: [], body: new Uint8Array(), digest: 'd'.repeat(64), timeoutMs: TIMEOUT_MS };
}
