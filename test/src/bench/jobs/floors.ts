// What the same machine does without a hub, in the same run.
import type { FreshDatabase } from '@bailing/store/testing';
import type { Stage } from '../stage.js';
import { percentile, short } from '../statistics.js';
import type { Size } from './measure.js';

export interface Floors {
  /** Signed requests a second straight to the business, 32 at once: HTTP without a hub. */
  readonly requestsPerSecond: number;
  readonly requestP99Ms: number;
  /** Milliseconds of one insert with its commit at the median, one after the other; on SQLite each opens the file anew. */
  readonly commitMs: Readonly<Record<string, number>>;
}

export async function floors(
  stage: Stage,
  fresh: readonly { readonly name: string; readonly database: FreshDatabase }[],
  size: Size,
): Promise<Floors> {
  const window = await stage.range.measure(stage.direct, 'write', 32, size.jobs);
  const sorted = [...window.latencies].sort((a, b) => a - b);
  const commitMs: Record<string, number> = {};
  for (const { name, database } of fresh) commitMs[name] = await commit(database, size.single);
  return { requestsPerSecond: short(window.callsPerSecond), requestP99Ms: short(percentile(sorted, 0.99)), commitMs };
}

/** Median time of one insert with its commit. */
async function commit(database: FreshDatabase, count: number): Promise<number> {
  await database.query('CREATE TABLE bench_floor (id INTEGER NOT NULL PRIMARY KEY, what VARCHAR(64) NOT NULL)');
  const taken: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const from = performance.now();
    await database.query(`INSERT INTO bench_floor VALUES (${String(i)}, 'one row, one commit')`);
    taken.push(performance.now() - from);
  }
  await database.query('DROP TABLE bench_floor');
  return short(
    percentile(
      taken.sort((a, b) => a - b),
      0.5,
    ),
  );
}
