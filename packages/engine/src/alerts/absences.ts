import { sha256Hex } from '@bailing/contract';
import type { Records } from '@bailing/plugin-api';
import type { Presence } from '../jobs/executor/presence.js';
import type { Condition } from './conditions.js';

export interface AbsenceDeps {
  readonly presence: Pick<Presence, 'all'>;
  /** When each key was told last. */
  readonly records: Pick<Records, 'byTag'>;
  /** How long a key that was told is not told again, in milliseconds; null where no rule wants it. */
  readonly cooldownOf: (key: string) => number | null;
}

/** Alerts of absent executors begin so; their records carry it as their tag, so that all are read in a few pages. */
export const OFFLINE = 'executor_offline_';
export const OFFLINE_MS = 5 * 60_000;
/** Executors that are looked at in one pass. */
const LOOKED_AT = 2_000;
/** A record outlives the absence it is of by two days at most: there are not many more of them than executors. */
const TOLD_READ = 5_000;
const PAGE = 500;
const TOLD_AT_ONCE = 20;

/** The record that says when a key was told last. */
export function knownAs(key: string): string {
  return `key:${sha256Hex(key)}`;
}

/**
 * Executors that came until five minutes ago and no more (WIRE §3.5), each told once per absence: again only where it was seen since. Those gone longest
 * go first, at most twenty a pass, and the others in the passes that follow. A lease lasts four minutes from the last sign of life, so nobody is told
 * of who is busy; one that is gone for two days is forgotten.
 */
export async function absences(now: number, deps: AbsenceDeps): Promise<Condition[]> {
  const gone = (await deps.presence.all(LOOKED_AT))
    .filter(({ at }) => at <= now - OFFLINE_MS)
    .map(({ executor, at }) => ({ executor, at, key: OFFLINE + executor.slice(executor.indexOf('/') + 1) }))
    .flatMap((one) => {
      const cooldownMs = deps.cooldownOf(one.key);
      return cooldownMs === null ? [] : [{ ...one, cooldownMs }];
    })
    .sort((a, b) => a.at - b.at);
  if (gone.length === 0) return [];
  const told = await toldAt(deps.records);
  const news = gone.filter(({ key, at, cooldownMs }) => {
    const last = told.get(knownAs(key));
    return last === undefined || (last < at && now >= last + cooldownMs);
  });
  const more = news.length > TOLD_AT_ONCE ? ` ${String(news.length)} executors are gone; the others are told in the next minutes.` : '';
  return news.slice(0, TOLD_AT_ONCE).map(({ executor, key, at }) => ({
    key,
    message: `The executor ${executor} was seen last at ${new Date(at).toISOString()}: its jobs wait for another one of its target.${more}`,
  }));
}

async function toldAt(records: AbsenceDeps['records']): Promise<ReadonlyMap<string, number>> {
  const told = new Map<string, number>();
  for (let after = ''; told.size < TOLD_READ;) {
    const page = await records.byTag(OFFLINE, after, PAGE);
    for (const { key, value } of page) told.set(key, Number(value));
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.key;
  }
  return told;
}
