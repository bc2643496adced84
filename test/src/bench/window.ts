// One measured window: a number of calls through one party, and what every process used meanwhile.
import type { Counters } from './parties/hub.js';
import type { Fired, Order } from './parties/load.js';
import type { Party } from './parties/start.js';
import { databaseServerCpuMs } from './machine.js';
import type { Door, Operation } from './traffic.js';

/** The way a call takes: straight to the business, through the proxy, or through a hub. */
export interface Way {
  readonly name: string;
  readonly url: string;
  /** Processes whose CPU is told, by the name it is told under; the load generator and the business come by themselves. */
  readonly between: readonly Party[];
  /** Hub with counters, where there is one. */
  readonly hub?: Party;
  readonly databaseServer?: boolean;
  doors(calls: number): Promise<readonly Door[]>;
  /** Tidies up after a window. */
  after?(): Promise<void>;
}

export interface Window {
  readonly callsPerSecond: number;
  readonly latencies: readonly number[];
  readonly calls: number;
  /** CPU seconds by process. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly counters: Counters | null;
}

interface Effects {
  readonly reads: number;
  readonly writes: number;
  readonly refused: number;
  readonly distinct: number;
}

/** The processes that take part in every window, and the numbering that keeps arguments apart. */
export class Range {
  private serial = 1;

  constructor(
    private readonly load: Party,
    private readonly business: Party,
  ) {}

  /** @throws Error when an answer was not a success, or the business counted other effects than were asked for */
  async measure(way: Way, operation: Operation, concurrent: number, calls: number): Promise<Window> {
    const doors = await way.doors(calls);
    const order: Order = { url: way.url, operation, concurrent, calls, first: this.serial, doors };
    this.serial += calls;
    await this.business.ask<Effects>('effects');
    const before = await this.look(way);
    const fired = await this.load.ask<Fired>('fire', order);
    const after = await this.look(way);
    this.check(way, order, fired, await this.business.ask<Effects>('effects'));
    await way.after?.();
    const cpuSeconds = Object.fromEntries(
      Object.entries(after.cpu).map(([name, ms]) => [name, (ms - (before.cpu[name] ?? 0)) / 1000] as const),
    );
    return {
      callsPerSecond: calls / fired.seconds,
      latencies: fired.latencies,
      calls,
      cpuSeconds,
      counters: after.counters && before.counters && difference(after.counters, before.counters),
    };
  }

  private async look(way: Way): Promise<{ cpu: Readonly<Record<string, number>>; counters: Counters | null }> {
    const parties = [this.load, this.business, ...way.between];
    const used = await Promise.all(parties.map(async (party) => [party.name, (await party.usage()).cpuMs] as const));
    const server = way.databaseServer ? databaseServerCpuMs() : null;
    const counters = way.hub ? await way.hub.ask<Counters>('counters') : null;
    return { cpu: Object.fromEntries(server === null ? used : [...used, ['database server', server] as const]), counters };
  }

  private check(way: Way, { operation, calls }: Order, fired: Fired, effects: Effects): void {
    const what = `${String(calls)} ${operation}s by ${way.name}`;
    if (fired.failed > 0) throw new Error(`${String(fired.failed)} of ${what} failed; the first answer was: ${fired.sample ?? ''}`);
    const counted = operation === 'read' ? effects.reads : effects.writes;
    const once = operation === 'read' || effects.distinct === calls;
    if (counted === calls && once && effects.refused === 0) return;
    throw new Error(`${what}: the business counted ${JSON.stringify(effects)}, so calls were lost, doubled or badly signed.`);
  }
}

function difference(after: Counters, before: Counters): Counters {
  const { statements, commits, units } = before;
  return { statements: after.statements - statements, commits: after.commits - commits, units: after.units - units };
}
