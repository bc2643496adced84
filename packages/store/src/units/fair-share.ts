import { nextOwner, queuedOfOwner, type CandidateRow } from '../statements/jobs-queued.js';
import { olderOnThread } from '../statements/threads.js';
import { rows, type Steps, type Tx } from '../lane/unit.js';

/** Whose turn came last at each target, in this process; the next take begins after that one. */
export class Turns {
  private readonly last = new Map<string, string>();

  after(target: string): string {
    return this.last.get(target) ?? '';
  }

  took(target: string, owner: string): void {
    this.last.set(target, owner);
  }
}

/** A job that may be claimed, and for whom. */
export interface Waiting extends CandidateRow {
  readonly owner: string;
}

/**
 * The owners with jobs due at a target, beginning after the one whose turn came last, at most `max`. One index step each, however many jobs they
 * have.
 */
export function* ownersInTurn(tx: Tx, target: string, after: string, max: number): Steps<string[]> {
  const owners: string[] = [];
  let place = after;
  let wrapped = after === '';
  while (owners.length < max) {
    const [next] = yield* rows(nextOwner, [target, place, tx.now]);
    if (next && !(wrapped && after !== '' && next.owner > after)) {
      owners.push((place = next.owner));
      continue;
    }
    if (wrapped) break;
    wrapped = true;
    place = '';
  }
  return owners;
}

/** The jobs of one owner that have been due longest and are the oldest of their thread. */
export function* dueOf(tx: Tx, target: string, owner: string, max: number): Steps<Waiting[]> {
  const found: Waiting[] = [];
  for (const row of yield* rows(queuedOfOwner, [target, owner, tx.now, max])) if (yield* itsTurn(row)) found.push({ ...row, owner });
  return found;
}

function* itsTurn({ thread_id: thread, thread_seq: seq }: CandidateRow): Steps<boolean> {
  if (typeof thread !== 'number' || typeof seq !== 'number') return true;
  return (yield* rows(olderOnThread, [thread, seq])).length === 0;
}
