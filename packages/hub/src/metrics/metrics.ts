import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallDeps } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { MetricsApi } from '@bailing/http';
import { BailingError, type Clock, type Log } from '@bailing/plugin-api';
import type { HubResource } from '@bailing/resources';
import { Counter, Registry, type OpenMetricsContentType } from 'prom-client';
import { APP } from '../version.js';
import { Counters } from './counters.js';
import { Gauges } from './gauges.js';

export interface MetricsOptions {
  readonly hub: HubResource;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Metrics of this process: counted as things happen, the rest read when somebody scrapes. */
export interface Metrics {
  readonly counters: Counters;
  readonly api: MetricsApi;
}

/** Null where the configuration has none. @throws BailingError BAILING_CONFIG_INVALID for a token that is used elsewhere */
export function openMetrics(options: MetricsOptions, closing: (() => Promise<unknown>)[]): Metrics | null {
  const { metrics, token } = options.hub;
  if (!metrics) return null;
  if (metrics.token === token)
    throw new BailingError('BAILING_CONFIG_INVALID', { at: 'hub.metrics.token', detail: 'It must not be the server token.' });
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const counters = new Counters(registry);
  const scraper = new Scraper(registry, options, metrics.scrape_timeout_ms);
  closing.push(() => Promise.resolve(scraper.close()));
  const expected = digest(metrics.token);
  return {
    counters,
    api: {
      admits: (given) => given !== null && timingSafeEqual(digest(given), expected),
      read: async () => ({ type: registry.contentType, text: await scraper.read() }),
    },
  };
}

/** The exit's own dependencies, with what passes counted. */
export function metered(calls: CallDeps, metrics: Metrics | null): CallDeps {
  if (!metrics) return calls;
  const { counters } = metrics;
  return {
    ...calls,
    observe: (line, call) => {
      counters.count(line);
      calls.observe(line, call);
    },
    invoker: (provider, binding) => {
      const invoker = calls.invoker(provider, binding);
      return invoker && counters.timing(invoker);
    },
  };
}

class Scraper {
  private readonly gauges: Gauges;
  private readonly incomplete;
  private scraping: Promise<string> | undefined;

  constructor(
    private readonly registry: Registry<OpenMetricsContentType>,
    private readonly options: MetricsOptions,
    private readonly timeoutMs: number,
  ) {
    this.gauges = new Gauges(registry);
    const help = 'Scrapes for which the database did not answer in time.';
    this.incomplete = new Counter({ name: 'bailing_scrapes_incomplete_total', help, registers: [registry] });
  }

  /** Scrapes at the same moment share one answer. */
  read(): Promise<string> {
    return (this.scraping ??= this.scrape().finally(() => (this.scraping = undefined)));
  }

  close(): void {
    this.gauges.close();
  }

  private async scrape(): Promise<string> {
    const { store, clock, log } = this.options;
    this.gauges.process(APP.version);
    const read = Promise.all([store.census(), store.health(), store.stops.isSet('hub')]);
    read.catch((error: unknown) => log.warn('the database did not answer a scrape', { error: String(error) }));
    const got = await Promise.race([read, sleep(this.timeoutMs, null, { ref: false })]).catch(() => null);
    if (got) {
      const [census, health, paused] = got;
      this.gauges.store(census, clock.now());
      this.gauges.health(health, paused);
    } else {
      this.incomplete.inc();
      this.gauges.silent();
    }
    return this.registry.metrics();
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
