import type { Holder, JobStore, ReconcileStore, StopStore, Wakeups } from '../ports/index.js';
import { advance, type AdvanceDeps, type Taken } from './advance.js';
import { stampOf } from './stamp.js';

export interface WorkerOptions {
  readonly replica: string;
  /** Jobs advanced at once in this process. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** How long a worker with nothing to do sleeps when nobody wakes it: other replicas' jobs and expired leases are found this often. */
  readonly idleMs: number;
  readonly targets: readonly string[];
}

export interface WorkerDeps extends AdvanceDeps {
  readonly jobs: JobStore;
  readonly stops: StopStore;
  /** Alerts whose outcome is unknown are nobody's to settle. */
  readonly reconcile: Pick<ReconcileStore, 'ofJob' | 'settle'>;
  readonly wakeups: Wakeups;
}

/** What a worker takes and what it does with it. */
export interface Trade {
  readonly topics: readonly string[];
  take(worker: Parameters<JobStore['take']>[0], deps: WorkerDeps): Promise<readonly Taken[]>;
  work(taken: Taken, signal: AbortSignal, deps: WorkerDeps): Promise<void>;
}

/** Jobs of the hub's own model loop. */
const inHub: Trade = { topics: [], take: async (worker, deps) => deps.jobs.take({ ...worker, ...(await stampOf(deps)) }), work: advance };

interface Running {
  readonly by: Holder;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Longer than any job. */
const LONGEST_MS = 2_000_000_000;
/** What was told to stop gets this long to give its job back before the process goes. */
const LETTING_GO_MS = 2_000;

/** Takes jobs under a lease, renews it, and lets go of what it lost. Woken by an acceptance in this process; otherwise looks slowly. */
export class Worker {
  private readonly running = new Map<string, Running>();
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;
  private renewing: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: WorkerOptions,
    private readonly deps: WorkerDeps,
    private readonly trade: Trade = inHub,
  ) {}

  start(): void {
    this.loop = this.run();
    this.renewing = setInterval(() => void this.renew(), Math.max(250, Math.floor(this.options.leaseMs / 3)));
  }

  /** Takes nothing new, waits for running jobs up to `drainMs`, then lets go: their leases expire and another worker goes on. */
  async stop(drainMs: number): Promise<void> {
    this.stopping.abort();
    this.deps.wakeups.notify('worker');
    await this.loop;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([Promise.allSettled([...this.running.values()].map(({ done }) => done)), late]);
    clearTimeout(timer);
    clearInterval(this.renewing);
    const left = [...this.running.values()];
    for (const { abort } of left) abort.abort();
    await Promise.race([
      Promise.allSettled(left.map(({ done }) => done)),
      new Promise((resolve) => setTimeout(resolve, LETTING_GO_MS).unref()),
    ]);
  }

  get active(): number {
    return this.running.size;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Listening starts before looking, so that a wake-up between look and sleep is not lost.
      const waking = this.listen();
      const taken = await this.take();
      for (const one of taken) this.begin(one);
      if (taken.length === 0 || this.running.size >= this.options.concurrency) await waking.woken;
      waking.cancel();
    }
  }

  private async take(): Promise<readonly Taken[]> {
    const { replica, concurrency, leaseMs, targets } = this.options;
    const max = concurrency - this.running.size;
    if (max <= 0 || targets.length === 0) return [];
    try {
      if (await this.deps.stops.isSet('hub')) return [];
      return await this.trade.take({ replica, max, leaseMs, targets }, this.deps);
    } catch (error) {
      this.deps.log.error('jobs cannot be taken', { error: String(error) });
      return [];
    }
  }

  private begin(taken: Taken): void {
    const abort = new AbortController();
    const over = new AbortController();
    void this.deps.wakeups.wait(`cancel:${taken.job.id}`, over.signal, LONGEST_MS).then(async () => {
      if (!over.signal.aborted) await this.renew();
    });
    const done = this.trade
      .work(taken, abort.signal, this.deps)
      .catch((error: unknown) => {
        this.deps.log.error('a job could not be finished; its lease will expire', { job: taken.job.id, error: String(error) });
      })
      .finally(() => {
        over.abort();
        this.running.delete(taken.by.claim);
        this.deps.wakeups.notify('worker');
        this.deps.wakeups.notify(`job:${taken.job.id}`);
      });
    this.running.set(taken.by.claim, { by: taken.by, abort, done });
    this.deps.wakeups.notify(`job:${taken.job.id}`);
  }

  private listen(): { readonly woken: Promise<void>; readonly cancel: () => void } {
    const cancelled = new AbortController();
    const signal = AbortSignal.any([cancelled.signal, this.stopping.signal]);
    const topics = ['worker', ...this.trade.topics, ...this.options.targets.map((target) => `jobs:${target}`)];
    const woken = this.deps.wakeups.wait(topics, signal, this.options.idleMs);
    return { woken, cancel: () => cancelled.abort() };
  }

  /** What is not held any more is told to stop; an attempt already dispatched is still settled by the exit. */
  private async renew(): Promise<void> {
    const held = [...this.running.values()];
    if (held.length === 0) return;
    try {
      const kept = new Set(
        (
          await this.deps.jobs.renew(
            held.map(({ by }) => by),
            this.options.leaseMs,
          )
        ).map(({ claim }) => claim),
      );
      for (const { by, abort } of held) if (!kept.has(by.claim)) abort.abort();
    } catch (error) {
      this.deps.log.warn('leases could not be renewed', { error: String(error) });
    }
  }
}
