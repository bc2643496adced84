import type { Clock, Log } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import { Duty } from '../duty.js';
import type { DutyStore, JobStore, Line, StopStore, Wakeups } from '../ports/index.js';

export interface LapseDeps {
  readonly jobs: Pick<JobStore, 'lapsed' | 'letGo'>;
  readonly stops: StopStore;
  readonly duties: DutyStore;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly log: Log;
  readonly observe: (line: Line) => void;
}

const BATCH = 50;

/**
 * Takes jobs back from executors that showed no sign of life until the lease was over (WIRE §2.9): whoever claims next gets them, and where nobody
 * does, they expire like everything that waits. A claim takes such a job by itself; this is for those nobody claims. Jobs in the hub are taken over
 * by its workers.
 */
export class LapsedLeases extends Duty {
  constructor(
    private readonly deps: LapseDeps,
    everyMs = 30_000,
  ) {
    super({ ...deps, name: 'lapsed-leases', everyMs, holdMs: everyMs * 2, failed: 'leases of executors could not be looked through' });
  }

  protected override async wanted(): Promise<boolean> {
    return !(await this.deps.stops.isSet('hub'));
  }

  /** One pass, in bounded batches; answers how many were taken back. */
  async pass(): Promise<number> {
    const { jobs, clock, wakeups, observe } = this.deps;
    let taken = 0;
    for (let more = true; more && !this.stopping.aborted;) {
      const found = await jobs.lapsed(BATCH);
      const before = taken;
      for (const { by, requestId, target, executor } of found) {
        const detail = { scope: 'stale', prev_status: 'dispatched', executor_id: executor };
        const told = line('recovered', { job: by.job, requestId }, clock.now(), detail);
        if (!(await jobs.letGo(by, told))) continue;
        taken += 1;
        observe(told);
        wakeups.notify(`jobs:${target}`);
      }
      more = found.length === BATCH && taken > before;
    }
    return taken;
  }
}
