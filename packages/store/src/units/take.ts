import { randomUUID } from 'node:crypto';
import type { Holder, JobRow, Ms, Open } from '@bailing/engine/ports';
import { openRowsOf } from '../statements/journal-reads.js';
import type { CandidateRow } from '../statements/jobs-queued.js';
import { expiredCandidates, type JobRecord, jobsByIds } from '../statements/jobs-read.js';
import { approvedCandidates } from '../statements/jobs-rerun.js';
import { claimJob } from '../statements/jobs-write.js';
import { padded } from '../statements/statement.js';
import { change, rows, type Steps, type Tx, type Unit } from '../lane/unit.js';
import { dueOf, ownersInTurn, type Turns, type Waiting } from './fair-share.js';
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

/**
 * One commit: claims what is due, each with a fresh claim, and reads what a worker has to know before it may begin. What others left behind goes
 * first; of what waits, each owner has its turn.
 */
export function take(worker: Worker, turns: Turns): Unit<readonly Taken[]> {
  return {
    name: 'take',
    key: `take:${worker.targets.join(',')}`,
    *run(tx) {
      const expired = yield* rows(expiredCandidates.of(worker.targets.length), [tx.now, ...padded(worker.targets), worker.max]);
      const holders = yield* claim(tx, expired, worker);
      yield* claimQueued(tx, holders, worker, turns);
      return yield* read(new Set(expired.map(({ id }) => id)), holders);
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
      return yield* read(new Set(), yield* claim(tx, found, worker));
    },
  };
}

type Holders = Map<string, Holder>;

function* claim(tx: Tx, chosen: readonly CandidateRow[], worker: Worker, holders: Holders = new Map()): Steps<Holders> {
  const { executor } = worker;
  for (const { id } of chosen) {
    const by = { job: id, claim: randomUUID(), replica: worker.replica };
    const to = executor === undefined ? (['running', null] as const) : (['dispatched', executor] as const);
    // When it was dispatched is written once it is in the executor's hands.
    yield* change(claimJob, [to[0], by.claim, by.replica, to[1], null, tx.now + worker.leaseMs, tx.now, worker.specSet ?? null, id]);
    holders.set(id, by);
  }
  return holders;
}

/**
 * Fills what is left of a take, an equal share for every owner with jobs due; what one has no use for goes to the others. Of several targets the job
 * that has waited longest goes first.
 */
function* claimQueued(tx: Tx, holders: Holders, worker: Worker, turns: Turns): Steps<void> {
  const single = worker.targets.length === 1;
  let open = yield* sharers(tx, worker, turns, worker.max - holders.size);
  while (open.length > 0 && holders.size < worker.max) {
    const left = worker.max - holders.size;
    const share = single ? Math.max(1, Math.floor(left / open.length)) : 1;
    const round: (readonly [Sharer, readonly Waiting[]])[] = [];
    const asked = single ? open.slice(0, left) : open;
    for (const sharer of asked) {
      const due = yield* dueOf(tx, sharer.target, sharer.owner, share);
      if (single) yield* claim(tx, due, worker, holders);
      if (single && due.length > 0) turns.took(sharer.target, sharer.owner);
      round.push([sharer, due]);
    }
    if (!single) yield* claimOldest(tx, round, holders, worker, turns);
    open = [...open.slice(asked.length), ...round.flatMap(([sharer, due]) => (due.length === share ? [sharer] : []))];
  }
}

interface Sharer {
  readonly target: string;
  readonly owner: string;
}

function* sharers(tx: Tx, { targets }: Worker, turns: Turns, max: number): Steps<Sharer[]> {
  const found: Sharer[] = [];
  if (max < 1) return found;
  for (const target of targets) {
    const owners = yield* ownersInTurn(tx, target, turns.after(target), max);
    found.push(...owners.map((owner) => ({ target, owner })));
  }
  return found;
}

function* claimOldest(
  tx: Tx,
  round: readonly (readonly [Sharer, readonly Waiting[]])[],
  holders: Holders,
  worker: Worker,
  turns: Turns,
): Steps<void> {
  const heads = round.flatMap(([{ target }, due]) => due.map((row) => ({ ...row, target })));
  heads.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  for (const head of heads.slice(0, worker.max - holders.size)) {
    yield* claim(tx, [head], worker, holders);
    turns.took(head.target, head.owner);
  }
}

function* read(recovered: ReadonlySet<string>, holders: ReadonlyMap<string, Holder>): Steps<readonly Taken[]> {
  if (holders.size === 0) return [];
  const ids = padded([...holders.keys()]);
  const records = yield* rows(jobsByIds.of(ids.length), ids);
  const open = yield* rows(openRowsOf.of(ids.length), ids);
  return [...records].sort(older).flatMap((record) => {
    const { id } = record;
    const by = holders.get(id);
    if (!by) return [];
    const rowsOfJob = open.filter((row) => row.job_id === id).map((row) => openOf(row, id));
    return [{ by, job: jobRow(record), recovered: recovered.has(id), open: rowsOfJob }];
  });
}

function older(a: JobRecord, b: JobRecord): number {
  return a.created_at - b.created_at || (a.id < b.id ? -1 : 1);
}
