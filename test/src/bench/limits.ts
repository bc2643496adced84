// What a run must hold. A run that does not says so and ends with a status other than 0.
import type { Report } from './calls.js';
import { HUGE_MOST_MIB } from './huge-answer.js';
import { MANY_TOOLS_MOST } from './many-tools.js';
import type { Operation } from './traffic.js';

/** Most times the proxy's rate over the hub's at 32 concurrent on SQLite. */
export const MOST: Readonly<Record<Operation, number>> = { read: 4, write: 6 };

/** Sentences about everything that is worse than it may be. */
export function broken(report: Report): string[] {
  return [...tooSlow(report), ...toolsCount(report), ...tooBig(report)];
}

function tooSlow({ rows }: Report): string[] {
  return rows.flatMap(({ way, concurrent, operation, slowerThan }) => {
    const times = slowerThan.proxy ?? 0;
    if (way !== 'hub on SQLite' || concurrent !== 32 || times <= MOST[operation]) return [];
    return [`A governed ${operation} at 32 concurrent on SQLite costs ${String(times)} proxied ones; at most ${String(MOST[operation])}.`];
  });
}

function toolsCount({ manyTools }: Report): string[] {
  return Object.entries(manyTools?.ratio ?? {})
    .filter(([, ratio]) => ratio > MANY_TOOLS_MOST)
    .map(
      ([operation, ratio]) =>
        `A ${operation} on a route with 2,000 tools costs ${String(ratio)} of one with 2; at most ${String(MANY_TOOLS_MOST)}.`,
    );
}

function tooBig({ hugeAnswers }: Report): string[] {
  return hugeAnswers
    .filter(({ grewMiB }) => grewMiB !== null && grewMiB > HUGE_MOST_MIB)
    .map(
      ({ form, grewMiB }) =>
        `A 400 MiB answer (${form}) took ${String(grewMiB)} MiB of the hub's memory; at most ${String(HUGE_MOST_MIB)}.`,
    );
}
