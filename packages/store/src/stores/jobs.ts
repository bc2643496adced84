import { cancelFlag } from '@bailing/contract';
import type {
  AuditRow,
  End,
  Holder,
  Holding,
  JobCursor,
  JobFilter,
  JobHead,
  JobRow,
  JobStatus,
  JobStore,
  Line,
  Ms,
  NewJob,
  Standing,
  Lapsed,
} from '@bailing/engine/ports';
import { linesOfJob } from '../statements/audit-reads.js';
import {
  anythingToTake,
  countByStatus,
  lapsedLeases,
  holdingOfJob,
  standingOfJob,
  jobById,
  jobByRequestId,
  type JobColumn,
  jobsWhere,
  newestJobs,
  newestJobsBehind,
  usedByOwner,
  usedByRoute,
} from '../statements/jobs-read.js';
import { recentFailures, waitingJobs } from '../statements/jobs-waiting.js';
import { anyApproved } from '../statements/jobs-rerun.js';
import { roundOfJob } from '../statements/rounds.js';
import { stopIsSet } from '../statements/stops.js';
import { chunks, LIST_MAX, padded } from '../statements/statement.js';
import { accept } from '../units/accept.js';
import { cancel } from '../units/cancel.js';
import { expire } from '../units/expire.js';
import { Turns } from '../units/fair-share.js';
import { extend } from '../units/extend.js';
import { letGo } from '../units/let-go.js';
import { handedOver } from '../units/handed-over.js';
import { finish } from '../units/finish.js';
import { jobHead, jobRow } from '../units/job-row.js';
import { keepSaid } from '../units/keep-said.js';
import { note } from '../units/note.js';
import { putBack } from '../units/put-back.js';
import { renew } from '../units/renew.js';
import { handBack, rerunJob } from '../units/rerun.js';
import { saveRound } from '../units/save-round.js';
import { take, takeApproved, type Taken, type Worker } from '../units/take.js';
import { read } from './house.js';
import { AUDIT_PAGE_MAX, auditRow, bounded, JOB_PAGE_MAX, JobViews } from './job-views.js';

export class SqlJobStore extends JobViews implements JobStore {
  private readonly turns = new Turns();
  private groupsLooked = 0;

  accept(job: NewJob, line: Line, admin: boolean): ReturnType<JobStore['accept']> {
    return this.house.lanes.submit(accept(job, line, admin));
  }

  /** Looks first without a transaction: an idle worker costs one read. */
  async take(worker: Worker): Promise<readonly Taken[]> {
    const max = Math.min(worker.max, LIST_MAX);
    return this.someTargets(max < 1 ? [] : worker.targets, async (targets) => {
      const now = this.house.now();
      const list = padded(targets);
      const [any] = await read(this.house, anythingToTake.of(targets.length), [...list, now, now, ...list]);
      return any ? await this.house.lanes.submit(take({ ...worker, targets, max }, this.turns)) : [];
    });
  }

  /** More targets than one statement takes are looked at group by group, each time from another one on, until one has something. */
  private async someTargets(
    all: readonly string[],
    takeOf: (targets: readonly string[]) => Promise<readonly Taken[]>,
  ): Promise<readonly Taken[]> {
    const groups = chunks(all);
    const first = groups.length > 1 ? (this.groupsLooked += 1) % groups.length : 0;
    for (const targets of [...groups.slice(first), ...groups.slice(0, first)]) {
      const taken = await takeOf(targets);
      if (taken.length > 0) return taken;
    }
    return [];
  }

  async holding(id: string): Promise<Holding | null> {
    const [found] = await read(this.house, holdingOfJob, [id]);
    if (!found) return null;
    const { claim, executor, lease_until: leaseUntil, run_after: runAfter, dispatched_at: dispatchedAt } = found;
    return { job: jobRow(found), claim, executor, leaseUntil, runAfter, dispatchedAt };
  }

  async standing(id: string, before: Ms): Promise<Standing | null> {
    const [found] = await read(this.house, standingOfJob, [before, id]);
    return found ? { status: found.status as JobStatus, claim: found.claim, orphaned: found.orphaned === 1 } : null;
  }

  async lapsed(limit: number): Promise<readonly Lapsed[]> {
    const found = await read(this.house, lapsedLeases, [this.house.now(), bounded(limit, JOB_PAGE_MAX)]);
    return found.map(({ id, request_id: requestId, target, executor, claim, replica }) => {
      return { by: { job: id, claim, replica }, requestId, target, executor };
    });
  }

  letGo(by: Holder, line: Line): Promise<boolean> {
    return this.house.lanes.submit(letGo(by, line));
  }

  handedOver(by: Holder): Promise<boolean> {
    return this.house.lanes.submit(handedOver(by));
  }

  extend(executor: string, leaseMs: Ms, notBefore: Ms): Promise<number> {
    return this.house.lanes.submit(extend(executor, leaseMs, notBefore));
  }

  async renew(holders: readonly Holder[], leaseMs: Ms): Promise<readonly Holder[]> {
    return (await Promise.all(chunks(holders).map((group) => this.house.lanes.submit(renew(group, leaseMs))))).flat();
  }

  putBack(by: Holder, runAfter: Ms, countAttempt: boolean, line: Line): Promise<'queued' | 'lost-lease'> {
    return this.house.lanes.submit(putBack(by, runAfter, countAttempt, line));
  }

  finish(by: Holder, end: End, evenIfCancelling = false): ReturnType<JobStore['finish']> {
    return this.house.lanes.submit(finish(by, end, evenIfCancelling));
  }

  keepSaid(by: Holder, said: string): Promise<'kept' | 'lost-lease'> {
    return this.house.lanes.submit(keepSaid(by, said));
  }

  saveRound(by: Holder, state: string): Promise<'saved' | 'lost-lease'> {
    return this.house.lanes.submit(saveRound(by, state));
  }

  async round(job: string): Promise<string | null> {
    const [found] = await read(this.house, roundOfJob, [job]);
    return found?.state ?? null;
  }

  /** Looks first without a transaction, as `take` does. */
  async takeApproved(worker: Parameters<JobStore['takeApproved']>[0]): Promise<readonly Taken[]> {
    const max = Math.min(worker.max, LIST_MAX);
    return this.someTargets(max < 1 ? [] : worker.targets, async (targets) => {
      const due = this.house.now() + worker.headStartMs;
      const [any] = await read(this.house, anyApproved.of(targets.length), [due, ...padded(targets)]);
      return any ? await this.house.lanes.submit(takeApproved({ ...worker, targets, max })) : [];
    });
  }

  handBack(by: Holder, line: Line): Promise<'queued' | 'lost-lease'> {
    return this.house.lanes.submit(handBack(by, line));
  }

  rerun(
    job: string,
    headStartMs: Ms,
    line: Line,
    staying: readonly JobStatus[] = [],
  ): Promise<'queued' | 'in-flight' | 'stays' | 'unknown'> {
    return this.house.lanes.submit(rerunJob(job, headStartMs, line, staying));
  }

  cancel(job: string, end: End, isOneWrite: boolean, by: string): ReturnType<JobStore['cancel']> {
    return this.house.lanes.submit(cancel(job, end, isOneWrite, by));
  }

  async cancelledBy(job: string): Promise<string | null> {
    const [found] = await read(this.house, stopIsSet, [cancelFlag(job)]);
    return found?.set_by ?? null;
  }

  async waiting(since: Ms, limit: number): Promise<readonly JobRow[]> {
    return (await read(this.house, waitingJobs, [since, bounded(limit, JOB_PAGE_MAX)])).map(jobRow);
  }

  async failures({ targets, madeAfter, since, limit }: Parameters<JobStore['failures']>[0]): Promise<readonly string[]> {
    const max = bounded(limit, JOB_PAGE_MAX);
    const found: string[] = [];
    for (const some of chunks([...new Set(targets)])) {
      if (found.length >= max) break;
      const params = [...padded(some), madeAfter, since, max - found.length];
      found.push(...(await read(this.house, recentFailures.of(some.length), params)).map(({ id }) => id));
    }
    return found;
  }

  expire(job: string, since: Ms, end: End): Promise<'expired' | 'moved'> {
    return this.house.lanes.submit(expire(job, since, end));
  }

  async get(id: string): Promise<JobRow | null> {
    const [found] = await read(this.house, jobById, [id]);
    return found ? jobRow(found) : null;
  }

  async byRequestId(requestId: string): Promise<JobRow | null> {
    const [found] = await read(this.house, jobByRequestId, [requestId]);
    return found ? jobRow(found) : null;
  }

  async audit(job: string, afterSeq: number, limit: number): Promise<readonly AuditRow[]> {
    return (await read(this.house, linesOfJob, [job, afterSeq, bounded(limit, AUDIT_PAGE_MAX)])).map(auditRow);
  }

  async list(limit: number, from: Parameters<JobStore['list']>[1]): Promise<readonly JobHead[]> {
    const max = bounded(limit, JOB_PAGE_MAX);
    const found =
      'before' in from
        ? await read(this.house, newestJobsBehind, [...behind(from.before), max])
        : await read(this.house, newestJobs, [max, bounded(from.offset, Number.MAX_SAFE_INTEGER)]);
    return found.map(jobHead);
  }

  async find(filter: JobFilter, limit: number, before?: JobCursor): Promise<readonly JobHead[]> {
    const given = COLUMNS.flatMap(([member, column]) => {
      const value = filter[member];
      return value === undefined ? [] : [{ column, value }];
    });
    if (given.length === 0) return [];
    const columns = given.map(({ column }) => column);
    const values = [...given.map(({ value }) => value), ...(before ? behind(before) : [])];
    return (await read(this.house, jobsWhere(columns, before !== undefined), [...values, bounded(limit, JOB_PAGE_MAX)])).map(jobHead);
  }

  async spent(of: { readonly route: string } | { readonly owner: string }, since: Ms): Promise<{ tokens: number; costUsd: number }> {
    const [used] =
      'route' in of ? await read(this.house, usedByRoute, [of.route, since]) : await read(this.house, usedByOwner, [of.owner, since]);
    return { tokens: Number(used?.tokens ?? 0), costUsd: Number(used?.micros ?? 0) / 1_000_000 };
  }

  async counts(): Promise<{ readonly running: number; readonly waiting: number }> {
    const found = new Map((await read(this.house, countByStatus, [])).map(({ status, n }) => [status, Number(n)]));
    return { running: (found.get('running') ?? 0) + (found.get('dispatched') ?? 0), waiting: found.get('queued') ?? 0 };
  }

  async note(lines: readonly Line[]): Promise<void> {
    if (lines.length > 0) await this.house.lanes.submit(note(lines));
  }
}

const COLUMNS: readonly (readonly [keyof JobFilter, JobColumn])[] = [
  ['jobId', 'id'],
  ['requestId', 'request_id'],
  ['threadId', 'thread_id'],
  ['owner', 'owner'],
  ['principalId', 'principal_id'],
];

function behind({ createdAt, id }: JobCursor): [number, number, string] {
  return [createdAt, createdAt, id];
}
