// Several ways of the same call, measured in turns: whatever else the machine does meets all of them alike.
import { median, merged, percentile, short } from './statistics.js';
import type { Operation } from './traffic.js';
import type { Range, Way, Window } from './window.js';

export interface Effort {
  /** Length of one window, seconds, about. */
  readonly seconds: number;
  readonly rounds: number;
  /** Calls of each kind before anything is measured. */
  readonly warm: number;
}

export interface Row {
  readonly operation: Operation;
  readonly concurrent: number;
  readonly way: string;
  /** Median over the rounds. */
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds over all rounds, by process. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** The same per 1,000 calls. */
  readonly cpuSecondsPer1000: Readonly<Record<string, number>>;
  readonly statementsPerCall: number | null;
  /** Transactions per call; calls that meet share them, so it falls below `unitsPerCall` under load. */
  readonly commitsPerCall: number | null;
  readonly unitsPerCall: number | null;
  /** How many times as many calls each other way did, by its name: the median of the rounds' ratios. */
  readonly slowerThan: Readonly<Record<string, number>>;
  /** CPU per call of the process in between (hub or proxy), divided by that of each other way's. Less moved by what else the machine does. */
  readonly cpuTimes: Readonly<Record<string, number>>;
}

const MOST_CALLS = 40_000;

/** Longest warm-up of one way and kind; a busy machine gets there with fewer calls. */
const WARM_MS = 6_000;
const WARM_STEP = 1_000;

/** Some thousand calls of both kinds, so that compilers and caches have settled. */
export async function warmUp(range: Range, ways: readonly Way[], effort: Effort): Promise<void> {
  for (const way of ways) {
    for (const operation of ['read', 'write'] as const) {
      const until = performance.now() + WARM_MS;
      for (let done = 0; done < effort.warm && performance.now() < until; done += WARM_STEP) {
        await range.measure(way, operation, 32, WARM_STEP);
      }
    }
  }
}

/** Measures every way in turns, `rounds` times. */
export async function compare(
  range: Range,
  ways: readonly Way[],
  operation: Operation,
  concurrent: number,
  effort: Effort,
): Promise<Row[]> {
  const calls = new Map<Way, number>();
  for (const way of ways) {
    const pilot = await range.measure(way, operation, concurrent, 60 + concurrent * 20);
    calls.set(way, Math.min(MOST_CALLS, Math.max(50 + concurrent * 20, Math.round(pilot.callsPerSecond * effort.seconds))));
  }
  const windows = new Map<Way, Window[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const way of ways) windows.get(way)?.push(await range.measure(way, operation, concurrent, calls.get(way) ?? 0));
  }
  return ways.map((way) => rowOf(way, windows, operation, concurrent));
}

function rowOf(way: Way, windows: ReadonlyMap<Way, readonly Window[]>, operation: Operation, concurrent: number): Row {
  const own = windows.get(way) ?? [];
  const latencies = merged(own.map((window) => window.latencies));
  const calls = own.reduce((sum, window) => sum + window.calls, 0);
  const cpu = sums(own);
  const counted = (pick: 'statements' | 'commits' | 'units'): number | null =>
    way.hub ? short(own.reduce((sum, { counters }) => sum + (counters?.[pick] ?? 0), 0) / calls) : null;
  const others = [...windows].filter(([other]) => other !== way);
  return {
    operation,
    concurrent,
    way: way.name,
    callsPerSecond: Math.round(median(own.map((window) => window.callsPerSecond))),
    p50Ms: short(percentile(latencies, 0.5)),
    p99Ms: short(percentile(latencies, 0.99)),
    cpuSeconds: shortAll(cpu, 1),
    cpuSecondsPer1000: shortAll(cpu, 1000 / calls),
    statementsPerCall: counted('statements'),
    commitsPerCall: counted('commits'),
    unitsPerCall: counted('units'),
    slowerThan: Object.fromEntries(others.map(([other, theirs]) => [other.name, short(ratio(theirs, own))])),
    cpuTimes: way.between.length === 0 ? {} : cpuTimes(way, own, others),
  };
}

function ratio(theirs: readonly Window[], own: readonly Window[]): number {
  return median(own.map(({ callsPerSecond }, round) => (theirs[round]?.callsPerSecond ?? Number.NaN) / callsPerSecond));
}

function cpuTimes(way: Way, own: readonly Window[], others: readonly (readonly [Way, readonly Window[]])[]): Record<string, number> {
  const perCall = (windows: readonly Window[], { between }: Way): number => {
    const cpu = sums(windows);
    return between.reduce((sum, { name }) => sum + (cpu[name] ?? 0), 0) / windows.reduce((sum, { calls }) => sum + calls, 0);
  };
  const alike = others.filter(([other]) => other.between.length > 0);
  return Object.fromEntries(alike.map(([other, theirs]) => [other.name, short(perCall(own, way) / perCall(theirs, other))]));
}

function sums(windows: readonly Window[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { cpuSeconds } of windows) for (const [name, value] of Object.entries(cpuSeconds)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

function shortAll(values: Readonly<Record<string, number>>, times: number): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value * times)]));
}
