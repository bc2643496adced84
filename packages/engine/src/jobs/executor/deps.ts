import type { Clock } from '@bailing/plugin-api';
import type { CallDeps } from '../../calls/index.js';
import type { Catalogue } from '../../catalog/index.js';
import type { Contexts } from '../../context/index.js';
import type { InputDeps } from '../../inputs/index.js';
import type { ConversationStore, JobStore, StopStore, Wakeups } from '../../ports/index.js';
import type { RouteDeps } from '../route-of-job.js';
import type { Presence } from './presence.js';
import type { SeatedJobs } from './seated-jobs.js';
import type { Blank } from './unsecret.js';

/** An executor's credential: the token's name and the targets it may work on (`*` is all). */
export interface ExecutorCaller {
  readonly name: string;
  readonly allowedTargets: readonly string[];
}

export interface ExecutorDeps extends RouteDeps {
  readonly jobs: JobStore;
  readonly stops: StopStore;
  readonly calls: CallDeps;
  readonly catalogue: Catalogue;
  /** How what users link to is read; absent: links stay links. */
  readonly inputs?: InputDeps;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly replica: string;
  /** Who adds background to jobs, in order; absent: nobody. */
  readonly contexts?: Contexts;
  /** What was said before; absent: nothing is remembered. */
  readonly conversations?: ConversationStore;
  readonly seated: SeatedJobs;
  /** Who came for work, for alerts. */
  readonly presence: Pick<Presence, 'seen'>;
  /** Key of tool tokens (WIRE §1.3); never empty where executors are served. */
  readonly serverToken: string;
  /** What executors report is kept and told without the secrets of the configuration. */
  readonly blank: Blank;
}

/** WIRE §3.1: a claim or a heartbeat is good for this long. */
export const LEASE_MS = 240_000;
/** WIRE §2.9: whatever was dispatched longer ago goes back to the queue. */
export const MAX_DISPATCHED_MS = 7_200_000;

/** Two tokens may both call their worker `worker-01`; they are two executors. */
export function executorKey(caller: ExecutorCaller, executorId: string): string {
  return `${caller.name}/${executorId}`.slice(0, 191);
}

export function mayServe(caller: ExecutorCaller, target: string): boolean {
  return caller.allowedTargets.includes('*') || caller.allowedTargets.includes(target);
}
