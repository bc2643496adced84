import type { RevisionStore } from '@bailing/engine/ports';
import type { Clock, Log } from '@bailing/plugin-api';
import type { Providers } from './providers.js';

export interface SpecDutyOptions {
  readonly providers: Providers;
  readonly revisions: Pick<RevisionStore, 'revs' | 'attempt' | 'collect'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How often this replica looks for what others published: one small read. Default 2 s. */
  readonly watchMs?: number;
  /** How often it looks whether a refresh is due (WIRE §4.4). Default 60 s. */
  readonly tickMs?: number;
}

const MINUTE_MS = 60_000;
/** How often a provider without any document is asked for one. */
const FIRST_EVERY_MS = 15_000;
const COLLECT_EVERY_MS = 3_600_000;
/** What was stamped or published within a day stays, whatever jobs say: clocks and replicas are given time. */
const KEEP_MS = 86_400_000;
/** Replicas do not come all at once: a refresh is due up to this much of its interval later. */
const JITTER = 0.1;

/**
 * Keeps documents fresh beside the jobs: notices what another replica published by a counter in the store, refreshes what is due (of all replicas
 * the one that moves the row does), and removes revisions that nothing needs.
 */
export class SpecDuty {
  private readonly seen = new Map<string, number>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly late = Math.random() * JITTER;
  private collectedAt: number;
  private working: Promise<unknown> = Promise.resolve();
  private readonly busy = { watch: false, tick: false, first: false };

  constructor(private readonly options: SpecDutyOptions) {
    this.collectedAt = options.clock.now();
  }

  start(): void {
    const { watchMs = 2_000, tickMs = MINUTE_MS } = this.options;
    this.timers.push(setInterval(() => this.once('first', () => this.first()), FIRST_EVERY_MS));
    this.timers.push(setInterval(() => this.once('watch', () => this.watch()), watchMs));
    this.timers.push(setInterval(() => this.once('tick', () => this.tick()), tickMs));
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.working;
  }

  private once(what: 'watch' | 'tick' | 'first', work: () => Promise<void>): void {
    if (this.busy[what]) return;
    this.busy[what] = true;
    const done = work()
      .catch((error: unknown) => this.options.log.warn('tool documents could not be looked after', { what, error: String(error) }))
      .finally(() => (this.busy[what] = false));
    this.working = Promise.all([this.working, done]);
  }

  /** What others published, froze or accepted reaches this replica within moments. */
  async watch(): Promise<void> {
    const { providers, revisions } = this.options;
    for (const [provider, rev] of await revisions.revs()) {
      if (this.seen.get(provider) === rev) continue;
      await providers.sync(provider);
      this.seen.set(provider, rev);
    }
  }

  /** A business that came up after the hub: its document is asked for until there is one, whatever its refresh interval. */
  async first(): Promise<void> {
    const { providers } = this.options;
    for (const { resource } of providers.all()) {
      if (!resource.enabled || resource.spec_source !== 'url' || providers.hasTools(resource.name)) continue;
      const result = await providers.refresh(resource.name, 'auto');
      if (result.ok) await providers.probe(resource.name);
    }
  }

  /** Refreshes what is due, one after another; a provider another replica took is left to it. */
  async tick(): Promise<void> {
    const { providers, revisions, clock, log } = this.options;
    for (const { resource } of providers.all()) {
      const every = resource.auto_refresh_min * MINUTE_MS;
      if (!resource.enabled || resource.spec_source !== 'url' || every === 0) continue;
      if (!(await revisions.attempt(resource.name, clock.now() - every * (1 + this.late)))) continue;
      const result = await providers.refresh(resource.name, 'auto');
      if (result.ok) await providers.probe(resource.name);
    }
    if (clock.now() - this.collectedAt < COLLECT_EVERY_MS) return;
    this.collectedAt = clock.now();
    const gone = await revisions.collect(clock.now() - KEEP_MS);
    if (gone.sets + gone.texts > 0) log.info('old revisions removed', gone);
  }
}
