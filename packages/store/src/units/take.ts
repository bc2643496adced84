import { randomUUID } from 'node:crypto';
import type { Holder, JobRow, Ms, Open } from '@bailing/engine/ports';
import { openRowsOf } from '../statements/journal-reads.js';
import { type CandidateRow, expiredCandidates, jobsByIds, queuedCandidates } from '../statements/jobs-read.js';
import { approvedCandidates } from '../statements/jobs-rerun.js';
import { claimJob } from '../statements/jobs-write.js';
import { olderOnThread } from '../statements/threads.js';
import { padded } from '../statements/statement.js';
import { change, rows, type Steps, type Tx, type Unit } from '../lane/unit.js';
import { jobRow } from './job-row.js';
import { openOf } from './looked.js';

export interface Worker {
  readonly replica: string;
  readonly max: number;
  readonly leaseMs: Ms;
  readonly targets: readonly string[];
  /** Set where an executor claims: the job is then `dispatched` to it. */
  readonly executor?: string;
  /** Stamped on jobs that have none yet. */
  readonly specSet?: string;
}

export interface Taken {
  readonly by: Holder;
  readonly job: JobRow;
  readonly recovered: boolean;
  readonly open: readonly Open[];
}

type Candidate = CandidateRow & { readonly recovered: boolean };

/** One commit: claims what is due, each with a fresh claim, and reads what a worker has to know before it may begin. */
export function take(worker: Worker): Unit<readonly Taken[]> {
  return {
    name: 'take',
    key: `take:${worker.targets.join(',')}`,
    *run(tx) {
      return yield* claimAll(tx, yield* candidates(tx, worker), worker);
    },
  };
}

/** One commit: claims executor jobs for the hub itself, which runs their approved calls before an executor gets them. */
export function takeApproved(worker: Worker & { readonly headStartMs: Ms }): Unit<readonly Taken[]> {
  return {
    name: 'take-approved',
    key: `take:${worker.targets.join(',')}`,
    *run(tx) {
      const due = [tx.now + worker.headStartMs, ...padded(worker.targets), worker.max];
      const found = yield* rows(approvedCandidates.of(worker.targets.length), due);
      return yield* claimAll(
        tx,
        found.map((row) => ({ ...row, recovered: false })),
        worker,
      );
    },
  };
}

function* claimAll(tx: Tx, chosen: readonly Candidate[], worker: Worker): Steps<readonly Taken[]> {
  if (chosen.length === 0) return [];
  const { executor } = worker;
  const holders = new Map<string, Holder>();
  for (const { id } of chosen) {
    const by = { job: id, claim: randomUUID(), replica: worker.replica };
    const to = executor === undefined ? (['running', null, null] as const) : (['dispatched', executor, tx.now] as const);
    yield* change(claimJob, [to[0], by.claim, by.replica, to[1], to[2], tx.now + worker.leaseMs, tx.now, worker.specSet ?? null, id]);
    holders.set(id, by);
  }
  return yield* read(chosen, holders);
}

/** Left-behind jobs and queued ones together, oldest first. */
function* candidates(tx: Tx, { targets, max }: Worker): Steps<readonly Candidate[]> {
  const found: Candidate[] = [];
  const expired = yield* rows(expiredCandidates.of(targets.length), [tx.now, ...padded(targets), max]);
  for (const row of expired) found.push({ ...row, recovered: true });
  for (const target of targets) {
    for (const row of yield* rows(queuedCandidates, [target, tx.now, max]))
      if (yield* itsTurn(row)) found.push({ ...row, recovered: false });
  }
  return found.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)).slice(0, max);
}

function* itsTurn({ thread_id: thread, thread_seq: seq }: CandidateRow): Steps<boolean> {
  if (typeof thread !== 'number' || typeof seq !== 'number') return true;
  return (yield* rows(olderOnThread, [thread, seq])).length === 0;
}

function* read(chosen: readonly Candidate[], holders: ReadonlyMap<string, Holder>): Steps<readonly Taken[]> {
  const ids = padded(chosen.map(({ id }) => id));
  const records = new Map((yield* rows(jobsByIds.of(ids.length), ids)).map((record) => [record.id, record]));
  const open = yield* rows(openRowsOf.of(ids.length), ids);
  return chosen.flatMap(({ id, recovered }) => {
    const record = records.get(id);
    const by = holders.get(id);
    if (!record || !by) return [];
    return [{ by, job: jobRow(record), recovered, open: open.filter((row) => row.job_id === id).map((row) => openOf(row, id)) }];
  });
}
