import { hash } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import type { Ms, Spend } from '@bailing/engine/ports';
import { columnLimits } from '../migrations/migration.js';
import { firstToLeave, insertSpend, lookAtWindows, type WindowRow } from '../statements/spends.js';
import { padded } from '../statements/statement.js';
import { change, rows, type Steps, type Tx } from '../lane/unit.js';

export interface RateRefusal {
  readonly is: 'rate';
  readonly bucket: string;
  readonly retryInMs: Ms;
}

/** A window is part of a bucket's identity: `x` per minute and `x` per day are counted apart. */
export function bucketKey({ bucket, windowMs }: Spend): string {
  const key = `${bucket}@${String(windowMs)}`;
  return key.length <= columnLimits.bucket ? key : `sha256:${hash('sha256', key, 'hex')}`;
}

export function hotKeys(spends: readonly Spend[]): readonly string[] {
  return spends.map(bucketKey);
}

/** Takes every spend or none: two statements where there is room, whatever the number of earlier spends. */
export function* takeSpends(tx: Tx, spends: readonly Spend[]): Steps<RateRefusal | null> {
  if (spends.length === 0) return null;
  spends.forEach(check);
  const params = padded(spends).flatMap((spend) => {
    const key = bucketKey(spend);
    return [key, key, key, key, tx.now - spend.windowMs];
  });
  const windows = new Map<string, Window>();
  for (const row of yield* rows(lookAtWindows.of(spends.length), params)) windows.set(row.bucket, windowOf(row));
  const taken: { readonly key: string; readonly at: Ms; readonly cum: number; readonly cost: number }[] = [];
  for (const spend of spends) {
    const key = bucketKey(spend);
    const window = windows.get(key) ?? { total: 0, at: 0, base: null };
    const used = window.base === null ? 0 : window.total - window.base;
    if (used + spend.cost > spend.limit) return yield* refuse(tx, spend, window.total);
    const next = { total: window.total + spend.cost, at: Math.max(tx.now, window.at), base: window.base ?? window.total };
    windows.set(key, next);
    taken.push({ key, at: next.at, cum: next.total, cost: spend.cost });
  }
  for (const { key, at, cum, cost } of taken) if (cost > 0) yield* change(insertSpend, [key, at, cum, cost]);
  return null;
}

interface Window {
  readonly total: number;
  readonly at: Ms;
  readonly base: number | null;
}

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
