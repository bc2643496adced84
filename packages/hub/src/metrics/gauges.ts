import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { Census, Ms, StoreHealth } from '@bailing/engine/ports';
import { Gauge, type OpenMetricsContentType, type Registry } from 'prom-client';

const QUANTILES = { 0.5: 50, 0.99: 99, 1: 100 } as const;
const OF_THE_PROCESS = new Set(['bailing_build_info', 'bailing_resident_memory_bytes', 'bailing_event_loop_delay_seconds']);
const STATES = ['dispatching', 'response_recorded', 'uncertain', 'evidence_degraded'];

/** What there is, read at the scrape. */
export class Gauges {
  private readonly delay: IntervalHistogram;
  private readonly made = new Map<string, Gauge>();

  constructor(private readonly registry: Registry<OpenMetricsContentType>) {
    this.delay = monitorEventLoopDelay({ resolution: 20 });
    this.delay.enable();
  }

  store(census: Census, now: Ms): void {
    this.set('bailing_jobs_queued', 'Jobs that wait for a worker.', census.queued.count);
    this.set('bailing_jobs_queued_oldest_age_seconds', 'Age of the oldest of them.', age(census.queued.oldestAt, now));
    this.set('bailing_jobs_leased', 'Jobs somebody works on.', census.held.count);
    this.set('bailing_leases_expired', 'Jobs whose worker stopped renewing.', census.held.expired);
    const counts = new Map(census.unresolved.map(({ state, count }) => [state, count]));
    for (const state of STATES)
      this.set('bailing_journal_unresolved', 'Journal rows without a known outcome, by state.', counts.get(state) ?? 0, { state });
    const oldest = census.unresolved.map(({ oldestAt }) => oldestAt ?? now);
    this.set('bailing_journal_unresolved_oldest_age_seconds', 'Age of the oldest of them.', age(Math.min(now, ...oldest), now));
    this.set('bailing_approvals_pending', 'Calls that wait for a decision.', census.approvals.pending);
    this.set('bailing_approvals_pending_oldest_age_seconds', 'Age of the oldest of them.', age(census.approvals.oldestAt, now));
    this.set('bailing_outbox_waiting', 'Messages that are still to be sent.', census.outbox.waiting);
    this.set('bailing_outbox_overdue_seconds', 'How long the earliest of them is overdue.', age(census.outbox.nextAt, now));
    this.set('bailing_outbox_dead', 'Messages that were given up.', census.outbox.dead);
  }

  health(health: StoreHealth, paused: boolean): void {
    this.set('bailing_database_up', 'Whether the database answers.', health.database === 'ok' ? 1 : 0);
    this.set('bailing_audit_write_failures', 'Audit lines of this process that could not be written.', health.auditFailures);
    this.set('bailing_paused', 'Whether an operator paused the hub.', paused ? 1 : 0);
  }

  /** Nobody knows: what was read before is not told as if it were now. */
  silent(): void {
    for (const name of [...this.made.keys()].filter((one) => !OF_THE_PROCESS.has(one))) {
      this.registry.removeSingleMetric(name);
      this.made.delete(name);
    }
    this.set('bailing_database_up', 'Whether the database answers.', 0);
  }

  process(version: string): void {
    this.set('bailing_build_info', 'Version of this hub.', 1, { version });
    this.set('bailing_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss());
    for (const [quantile, percent] of Object.entries(QUANTILES)) {
      const seconds = this.delay.count === 0 ? 0 : this.delay.percentile(percent) / 1e9;
      this.set('bailing_event_loop_delay_seconds', 'Delay of the event loop since the last scrape.', seconds, { quantile });
    }
    this.delay.reset();
  }

  close(): void {
    this.delay.disable();
  }

  private set(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): void {
    let gauge = this.made.get(name);
    if (!gauge) {
      gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.registry] });
      this.made.set(name, gauge);
    }
    gauge.set(labels, value);
  }
}

/** Seconds since a moment; 0 where there is none or it is still to come. */
function age(at: Ms | null, now: Ms): number {
  return at === null ? 0 : Math.max(0, (now - at) / 1_000);
}
