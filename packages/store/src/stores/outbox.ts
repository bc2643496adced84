import type { AttemptEnd, LetterCursor, Line, Ms, NewOutgoing, Outbox, Outgoing } from '@bailing/engine/ports';
import { anyOutgoingDue, deadOfJob, outgoingByIds, outgoingByState } from '../statements/outbox.js';
import { LIST_MAX } from '../statements/statement.js';
import { endOutgoing, keepBody, outgoingOf, resolveOutgoing, retakeOutgoing, takeOutgoing } from '../units/outbox-moves.js';
import { putAll } from '../units/outbox-put.js';
import { type House, read } from './house.js';

/** One more than a page of the HTTP API, which looks whether there is another. */
const PAGE_MAX = 501;
const LAST: LetterCursor = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

function pageOf(limit: number): number {
  return Math.max(1, Math.min(Math.trunc(limit), PAGE_MAX));
}

export class SqlOutbox implements Outbox {
  constructor(private readonly house: House) {}

  /** Looks first without a transaction: an empty outbox costs one read. */
  async take(max: number, leaseMs: Ms): Promise<readonly Outgoing[]> {
    if (max < 1 || (await read(this.house, anyOutgoingDue, [this.house.now()])).length === 0) return [];
    return this.house.lanes.submit(takeOutgoing(Math.min(max, LIST_MAX), leaseMs));
  }

  keepBody(id: number, attempt: number, body: string): Promise<'kept' | 'moved'> {
    return this.house.lanes.submit(keepBody(id, attempt, body));
  }

  done(id: number, attempt: number, end: AttemptEnd, lines: readonly Line[]): Promise<'done' | 'moved'> {
    return this.house.lanes.submit(endOutgoing(id, attempt, end, lines));
  }

  async put(outgoing: readonly NewOutgoing[]): Promise<void> {
    if (outgoing.length > 0) await this.house.lanes.submit(putAll(outgoing));
  }

  async get(id: number): Promise<Outgoing | null> {
    const [row] = await read(this.house, outgoingByIds.of(1), [id]);
    return row ? outgoingOf(row) : null;
  }

  async dead(all: boolean, limit: number, before: LetterCursor = LAST): Promise<readonly Outgoing[]> {
    const max = pageOf(limit);
    const states = all ? ['dead', 'resolved'] : ['dead'];
    const { at, id } = before;
    const found = await Promise.all(states.map((state) => read(this.house, outgoingByState, [state, at, at, id, max])));
    return found
      .flat()
      .map(outgoingOf)
      .sort((a, b) => b.nextAt - a.nextAt || b.id - a.id)
      .slice(0, max);
  }

  async deadOf(job: string, limit: number): Promise<readonly Outgoing[]> {
    return (await read(this.house, deadOfJob, [job, pageOf(limit)])).map(outgoingOf);
  }

  retake(id: number, leaseMs: Ms): Promise<Outgoing | null> {
    return this.house.lanes.submit(retakeOutgoing(id, leaseMs));
  }

  resolve(id: number, line: Line): Promise<'resolved' | 'not-dead'> {
    return this.house.lanes.submit(resolveOutgoing(id, line));
  }
}
