import type { AttemptEnd, Line, Ms, Outgoing } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import {
  beginAttempt,
  dueOutgoing,
  endAttempt,
  keepOutgoingBody,
  outgoingByIds,
  type OutgoingRecord,
  resolveDead,
  retakeDead,
} from '../statements/outbox.js';
import { padded } from '../statements/statement.js';
import { change, rows, Undo, type Unit } from '../lane/unit.js';

/** One commit: takes what is due; each take begins one attempt, whose number fences the steps that follow. */
export function takeOutgoing(max: number, leaseMs: Ms): Unit<readonly Outgoing[]> {
  return {
    name: 'take-outgoing',
    key: 'outbox',
    *run(tx) {
      const due = yield* rows(dueOutgoing, [tx.now, max]);
      if (due.length === 0) return [];
      for (const { id } of due) yield* change(beginAttempt, [tx.now + leaseMs, tx.now, id]);
      const ids = padded(due.map(({ id }) => id));
      return (yield* rows(outgoingByIds.of(due.length), ids)).map(outgoingOf);
    },
  };
}

/** One commit: a dead letter is taken for one more attempt. */
export function retakeOutgoing(id: number, leaseMs: Ms): Unit<Outgoing | null> {
  return {
    name: 'retake-outgoing',
    key: 'outbox',
    *run(tx) {
      if ((yield* change(retakeDead, [tx.now + leaseMs, tx.now, id])) === 0) return new Undo<Outgoing | null>(null);
      const [row] = yield* rows(outgoingByIds.of(1), [id]);
      return row ? outgoingOf(row) : new Undo<Outgoing | null>(null);
    },
  };
}

export function keepBody(id: number, attempt: number, body: string): Unit<'kept' | 'moved'> {
  return {
    name: 'keep-body',
    key: 'outbox',
    *run(tx) {
      return (yield* change(keepOutgoingBody, [body, tx.now, id, attempt])) > 0 ? 'kept' : new Undo<'moved'>('moved');
    },
  };
}

/** One commit: how an attempt ended, with its lines. */
export function endOutgoing(id: number, attempt: number, end: AttemptEnd, lines: readonly Line[]): Unit<'done' | 'moved'> {
  return {
    name: 'end-outgoing',
    key: 'outbox',
    *run(tx) {
      const [state, nextAt] = end.is === 'retry' ? ['waiting', end.at] : [end.is, tx.now];
      const error = end.is === 'sent' ? null : end.error.slice(0, 2_000);
      if ((yield* change(endAttempt, [state, nextAt, error, tx.now, id, attempt])) === 0) return new Undo<'moved'>('moved');
      for (const line of lines) yield* append(tx, line);
      return 'done';
    },
  };
}

export function resolveOutgoing(id: number, line: Line): Unit<'resolved' | 'not-dead'> {
  return {
    name: 'resolve-outgoing',
    key: 'outbox',
    *run(tx) {
      if ((yield* change(resolveDead, [tx.now, id])) === 0) return new Undo<'not-dead'>('not-dead');
      yield* append(tx, line);
      return 'resolved';
    },
  };
}

export function outgoingOf(row: OutgoingRecord): Outgoing {
  const { id, dedupe, kind, ref, target, body, attempt, error } = row;
  return {
    ...{ id, dedupe, kind, ref, target, body, attempt, error },
    job: row.job_id,
    requestId: row.request_id,
    signAs: row.sign_as,
    state: row.state as Outgoing['state'],
    nextAt: row.next_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
