import type { Clock } from '@bailing/plugin-api';
import type { JobStore, StopStore } from '../ports/index.js';

/** Something a person should hear of: a key that is told once within a cooldown, and a sentence (WIRE §10.4). */
export interface Condition {
  readonly key: string;
  readonly message: string;
}

export interface ConditionDeps {
  readonly jobs: Pick<JobStore, 'waiting' | 'failures'>;
  readonly stops: StopStore;
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

/** What is wrong now with the work of the hub that no single line of the ledger says (WIRE §10.4). Bounded, whatever the hub holds. */
export async function conditions(deps: ConditionDeps): Promise<readonly Condition[]> {
  const now = deps.clock.now();
  return [...(await backlog(now, deps)), ...(await burst(now, deps))];
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
