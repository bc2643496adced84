import type { Clock } from '@bailing/plugin-api';
import { executionOf, type CallDeps } from '../calls/index.js';
import { deliveriesOf } from '../delivery/index.js';
import { Duty } from '../duty.js';
import type { DutyStore, End, JobRow, JobStore, StopStore } from '../ports/index.js';
import { failure, reconciliation } from './ends.js';
import { sentenceOf } from './error-code.js';
import { cancelIfAsked } from './finish.js';
import { messageOfJob } from './messages/words.js';
import { sentEnd } from './messages/work.js';
import { orphaned } from './orphans.js';
import { routeOfJob, type RouteDeps } from './route-of-job.js';

export interface ExpireDeps extends RouteDeps {
  readonly jobs: Pick<JobStore, 'waiting' | 'expire' | 'cancel' | 'cancelledBy'>;
  readonly calls: Pick<CallDeps, 'calls' | 'wakeups' | 'observe'>;
  readonly stops: StopStore;
  readonly duties: DutyStore;
  readonly clock: Clock;
  /** How long a job may wait once it is due; 0 is as long as it takes. */
  readonly afterMs: number;
}

const BATCH = 50;

/**
 * Ends jobs that waited too long for somebody to begin with them (WIRE §2.9): audited, called back and delivered like every other end. One replica at
 * a time looks; a paused hub lets its jobs wait.
 */
export class QueueExpiry extends Duty {
  constructor(private readonly deps: ExpireDeps) {
    const everyMs = Math.min(60_000, Math.max(250, Math.ceil(deps.afterMs / 4)));
    super({ ...deps, name: 'queue-expiry', everyMs, holdMs: everyMs * 2, failed: 'waiting jobs could not be looked through' });
  }

  override start(): void {
    if (this.deps.afterMs > 0) super.start();
  }

  protected override async wanted(): Promise<boolean> {
    return !(await this.deps.stops.isSet('hub'));
  }

  /** One pass, in bounded batches; answers how many ended. */
  async pass(): Promise<number> {
    const { jobs, clock, afterMs } = this.deps;
    let ended = 0;
    for (let more = true; more && !this.stopping.aborted;) {
      const since = clock.now() - afterMs;
      const due = await jobs.waiting(since, BATCH);
      let moved = 0;
      for (const job of due) moved += (await this.end(job, since)) ? 1 : 0;
      ended += moved;
      more = due.length === BATCH && moved > 0;
    }
    return ended;
  }

  private async end(job: JobRow, since: number): Promise<boolean> {
    const { jobs, calls, clock } = this.deps;
    const now = clock.now();
    const open = await calls.calls.unresolved(job.id);
    const lost = orphaned(open, now);
    // A write that may still be on its way is waited for.
    if (open.length > 0 && !lost) return false;
    if (!lost && job.callsUsed > 0 && (await cancelIfAsked(job, { ...this.deps, calls: { ...calls, clock } }))) return true;
    const end: End = lost ? reconciliation(job, executionOf(lost), now, { preflight: true }) : await this.endOf(job, now);
    const { outgoing, lines } = deliveriesOf(job, `expired-${String(now)}`, end, await routeOfJob(job, this.deps), now);
    const whole = { ...end, lines: [...end.lines, ...lines], outgoing };
    if ((await jobs.expire(job.id, since, whole)) !== 'expired') return false;
    for (const written of whole.lines) calls.observe(written);
    for (const topic of ['outbox', `job:${job.id}`, `jobs:${job.target}`]) calls.wakeups.notify(topic);
    return true;
  }

  /** A message that was sent before its job could end was sent. */
  private async endOf(job: JobRow, now: number): Promise<End> {
    const kept = messageOfJob(job);
    const [was] = kept ? await this.deps.calls.calls.carriedOut(job.id) : [];
    return kept && was ? sentEnd(job, kept, was, now) : failure(job, sentenceOf('BAILING_JOB_EXPIRED'), now);
  }
}
