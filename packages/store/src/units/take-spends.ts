import { hash } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import type { Ms, Spend } from '@bailing/engine/ports';
import { columnLimits } from '../migrations/migration.js';
import { firstToLeave, insertSpends, lookAtWindows, type WindowRow } from '../statements/spends.js';
import { LIST_MAX, padded } from '../statements/statement.js';
import { change, rows, type SpendRow, type Steps, type Tx, type Window, type Windows } from '../lane/unit.js';

export interface RateRefusal {
  readonly is: 'rate';
  readonly bucket: string;
  readonly retryInMs: Ms;
}

export type Weighed = RateRefusal | { readonly is: 'room'; readonly windows: Windows; readonly spends: readonly SpendRow[] };

const NOTHING: Weighed = Object.freeze({ is: 'room', windows: new Map<string, Window>(), spends: [] });

/** A window is part of a bucket's identity: `x` per minute and `x` per day are counted apart. */
export function bucketKey({ bucket, windowMs }: Spend): string {
  const key = `${bucket}@${String(windowMs)}`;
  return key.length <= columnLimits.bucket ? key : `sha256:${hash('sha256', key, 'hex')}`;
}

/** The window of a bucket by its key. Hashed keys do not say; they get one longer than any sensible window. */
export function windowOfKey(key: string): Ms {
  const written = /@(\d+)$/.exec(key)?.[1];
  return written === undefined ? UNKNOWN_WINDOW_MS : Number(written);
}

const UNKNOWN_WINDOW_MS = 400 * 86_400_000;

/** What a unit with these spends will lock. */
export function hotBuckets(spends: readonly Spend[]): ReadonlyMap<string, Ms> {
  return new Map(spends.map((spend) => [bucketKey(spend), spend.windowMs]));
}

/** Whether all spends fit, without taking any: one look, and none where the batch has looked already. */
export function* weigh(tx: Tx, spends: readonly Spend[]): Steps<Weighed> {
  if (spends.length === 0) return NOTHING;
  spends.forEach(check);
  const before = tx.hopes?.windows ?? (yield* lookAt(tx.now, hotBuckets(spends)));
  const windows = new Map<string, Window>();
  const taken: SpendRow[] = [];
  for (const spend of spends) {
    const key = bucketKey(spend);
    const window = windows.get(key) ?? before.get(key) ?? EMPTY;
    const used = window.base === null ? 0 : window.total - window.base;
    if (used + spend.cost > spend.limit) return yield* refuse(tx, spend, window.total);
    if (spend.cost === 0) continue;
    const next = { total: window.total + spend.cost, at: Math.max(tx.now, window.at), base: window.base ?? window.total };
    windows.set(key, next);
    taken.push([key, next.at, next.total, spend.cost]);
  }
  return { is: 'room', windows, spends: taken };
}

/** Takes what was weighed, in one statement, or at the end of the batch. */
export function* pay(tx: Tx, { windows, spends }: Extract<Weighed, { is: 'room' }>): Steps<void> {
  if (!tx.hopes) return yield* insertAll(spends);
  for (const [bucket, window] of windows) tx.hopes.windows.set(bucket, window);
  tx.hopes.spends.push(...spends);
}

/** Weighs and pays in one go, for units that undo themselves where it is refused. */
export function* takeSpends(tx: Tx, spends: readonly Spend[]): Steps<RateRefusal | null> {
  const weighed = yield* weigh(tx, spends);
  if (weighed.is === 'rate') return weighed;
  yield* pay(tx, weighed);
  return null;
}

/** The state of some windows, by bucket key. */
export function* lookAt(now: Ms, buckets: ReadonlyMap<string, Ms>): Steps<Map<string, Window>> {
  const found = new Map<string, Window>();
  const all = [...buckets];
  for (let from = 0; from < all.length; from += LIST_MAX) {
    const some = all.slice(from, from + LIST_MAX);
    const params = padded(some).flatMap(([key, windowMs]) => [key, key, key, key, now - windowMs]);
    for (const row of yield* rows(lookAtWindows.of(some.length), params)) found.set(row.bucket, windowOf(row));
  }
  return found;
}

const ROWS_PER_STATEMENT = 64;

export function* insertAll(spends: readonly SpendRow[]): Steps<void> {
  for (let from = 0; from < spends.length; from += ROWS_PER_STATEMENT) {
    const some = spends.slice(from, from + ROWS_PER_STATEMENT);
    yield* change(insertSpends(some.length), some.flat());
  }
}

const EMPTY: Window = Object.freeze({ total: 0, at: 0, base: null });

function windowOf(row: WindowRow): Window {
  return { total: row.last_cum ?? 0, at: row.last_at ?? 0, base: row.base };
}

function* refuse(tx: Tx, spend: Spend, total: number): Steps<RateRefusal> {
  const after = tx.now - spend.windowMs;
  const [first] = yield* rows(firstToLeave, [bucketKey(spend), after, total + spend.cost - spend.limit]);
  const retryInMs = first && spend.cost <= spend.limit ? Math.max(1, first.at + spend.windowMs - tx.now) : spend.windowMs;
  return { is: 'rate', bucket: spend.bucket, retryInMs };
}

/** A spend that makes no sense takes the call down, not the limit. */
function check({ bucket, cost, limit, windowMs }: Spend): void {
  const sound = Number.isSafeInteger(cost) && cost >= 0 && Number.isSafeInteger(windowMs) && windowMs > 0 && limit >= 0;
  if (!sound) throw new BailingError('BAILING_GATE_FAILED', { at: bucket, detail: 'A quota declared a spend that cannot be counted.' });
}
