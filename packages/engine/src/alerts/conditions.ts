import type { Clock } from '@bailing/plugin-api';
import type { Presence } from '../jobs/executor/presence.js';
import type { JobStore, StopStore } from '../ports/index.js';

/** Something a person should hear of: a key that is told once within a cooldown, and a sentence (WIRE §10.4). */
export interface Condition {
  readonly key: string;
  readonly message: string;
}

export interface ConditionDeps {
  readonly jobs: Pick<JobStore, 'waiting' | 'failures'>;
  readonly stops: StopStore;
  readonly presence: Pick<Presence, 'all'>;
  /** Targets that jobs of now may have. */
  readonly targets: () => readonly string[];
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
const BACKLOG_MS = 10 * MINUTE_MS;
const BURST = 5;
const BURST_MS = 15 * MINUTE_MS;
/** A job that was made longer ago and fails now is not counted: jobs of two hours are given up long before. */
const MADE_MS = 135 * MINUTE_MS;
const OFFLINE_MS = 5 * MINUTE_MS;
/** Executors that are looked at, and told of in one pass. */
const LOOKED_AT = 2_000;
const TOLD_AT_ONCE = 20;

/** What is wrong now that no single line of the ledger says (WIRE §10.4, §3.5). Bounded, whatever the hub holds. `upSince`: when this process began. */
export async function conditions(upSince: number, deps: ConditionDeps): Promise<readonly Condition[]> {
  const now = deps.clock.now();
  // While no hub ran, no executor could be seen.
  const gone = now - upSince >= OFFLINE_MS ? await offline(now, deps) : [];
  return [...(await backlog(now, deps)), ...(await burst(now, deps)), ...gone];
}

/** Work that waits although the hub is not paused. */
async function backlog(now: number, { jobs, stops }: ConditionDeps): Promise<Condition[]> {
  if ((await stops.isSet('hub')) || (await jobs.waiting(now - BACKLOG_MS, 1)).length === 0) return [];
  return [{ key: 'queue_backlog', message: 'A job has been waiting for ten minutes: no worker or executor of its target keeps up.' }];
}

async function burst(now: number, { jobs, targets }: ConditionDeps): Promise<Condition[]> {
  const failed = await jobs.failures({ targets: targets(), madeAfter: now - MADE_MS, since: now - BURST_MS, limit: BURST });
  if (failed.length < BURST) return [];
  const message = `At least ${String(BURST)} jobs have failed within fifteen minutes, among them ${failed[0] ?? ''}: its trace says why.`;
  return [{ key: 'error_burst', message }];
}

/**
 * Executors that came until five minutes ago and no more. One that works sends heartbeats, so nobody is told of who is busy; one that is gone
 * for two days is forgotten.
 */
async function offline(now: number, { presence }: ConditionDeps): Promise<Condition[]> {
  const gone = (await presence.all(LOOKED_AT)).filter(({ at }) => at <= now - OFFLINE_MS).sort((a, b) => b.at - a.at);
  return gone.slice(0, TOLD_AT_ONCE).map(({ executor, at }) => ({
    key: `executor_offline_${executor.slice(executor.indexOf('/') + 1)}`,
    message: `The executor ${executor} was seen last at ${new Date(at).toISOString()}: its jobs wait for another one of its target.`,
  }));
}
