import type { JobUsage } from '@bailing/engine/ports';

interface Row {
  readonly route: string;
  readonly owner: string;
  readonly n: number;
  readonly tokens: number;
  readonly micros: number;
}

/** What jobs used, added up step by step; as many sums as there are pairs of a route and an owner. */
export class UsageSum {
  readonly #sums = new Map<string, Row>();

  add(rows: readonly Row[]): void {
    for (const { route, owner, n, tokens, micros } of rows) {
      const key = JSON.stringify([route, owner]);
      const was = this.#sums.get(key) ?? { n: 0, tokens: 0, micros: 0 };
      this.#sums.set(key, {
        ...{ route, owner, n: was.n + Number(n) },
        ...{ tokens: was.tokens + Number(tokens), micros: was.micros + Number(micros) },
      });
    }
  }

  dearest(limit: number): readonly JobUsage[] {
    const rows = [...this.#sums.values()].sort((a, b) => b.micros - a.micros || b.tokens - a.tokens || b.n - a.n || order(a, b));
    return rows.slice(0, limit).map(({ route, owner, n, tokens, micros }) => {
      return { route, owner, jobs: n, tokens, costUsd: micros / 1_000_000 };
    });
  }
}

function order(a: Row, b: Row): number {
  return a.route < b.route || (a.route === b.route && a.owner < b.owner) ? -1 : 1;
}
