import { listStatement, type Statement, statement, type Value } from './statement.js';

/**
 * The state of one sliding window. Every spend stores the running total of its bucket, so the sum over any window is the difference of two
 * index seeks, however many spends there are: `last_cum` minus `base` (what had been spent before the first spend inside the window).
 */
export interface WindowRow {
  readonly bucket: string;
  readonly last_cum: number | null;
  readonly last_at: number | null;
  readonly base: number | null;
}

const WINDOW = `SELECT ? AS bucket,
  (SELECT cum FROM bz_rate_spends WHERE bucket = ? ORDER BY at DESC, cum DESC LIMIT 1) AS last_cum,
  (SELECT at FROM bz_rate_spends WHERE bucket = ? ORDER BY at DESC, cum DESC LIMIT 1) AS last_at,
  (SELECT cum - cost FROM bz_rate_spends WHERE bucket = ? AND at > ? ORDER BY at, cum LIMIT 1) AS base`;

/** Parameters per item: bucket four times, start of the window (exclusive). */
export const lookAtWindows = listStatement<WindowRow>('look-at-windows', (length) =>
  Array<string>(length).fill(WINDOW).join('\nUNION ALL '),
);

const SPEND = '(?, ?, ?, ?)';
const kept = new Map<number, Statement<readonly Value[]>>();

/** Parameters per spend: bucket, at, running total, cost. */
export function insertSpends(count: number): Statement<readonly Value[]> {
  const values = Array<string>(count).fill(SPEND).join(', ');
  const found =
    kept.get(count) ?? statement<readonly Value[]>('insert-spends', `INSERT INTO bz_rate_spends (bucket, at, cum, cost) VALUES ${values}`);
  kept.set(count, found);
  return found;
}

/** When the window will have room: the oldest spend whose leaving frees enough. Parameters: bucket, start of the window, total to be left. */
export const firstToLeave = statement<[bucket: string, after: number, cum: number], { readonly at: number }>(
  'first-to-leave',
  'SELECT at FROM bz_rate_spends WHERE bucket = ? AND at > ? AND cum >= ? ORDER BY at, cum LIMIT 1',
);

/** The bucket after another one, with its oldest spend: how a sweep walks over all buckets without reading all spends. */
export const nextBucket = statement<[after: string], { readonly bucket: string; readonly at: number }>(
  'next-bucket',
  'SELECT bucket, at FROM bz_rate_spends WHERE bucket > ? ORDER BY bucket, at LIMIT 1',
);

/** Spends removed by one statement, so that nobody waits long behind it. */
export const PRUNED_MAX = 1_000;

/** Spends that left every window of their bucket. */
export const pruneSpends = statement<[bucket: string, upTo: number]>('prune-spends', {
  sqlite: `DELETE FROM bz_rate_spends WHERE (bucket, at, cum) IN
    (SELECT bucket, at, cum FROM bz_rate_spends WHERE bucket = ? AND at <= ? LIMIT ${String(PRUNED_MAX)})`,
  mysql: `DELETE FROM bz_rate_spends WHERE bucket = ? AND at <= ? ORDER BY at, cum LIMIT ${String(PRUNED_MAX)}`,
});
