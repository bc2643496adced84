import { BailingError } from '@bailing/plugin-api';
import type { CallStore, Intent, Key, Line, Open, Recorded, Ticket, WriteIntent } from '@bailing/engine/ports';
import type { Unit } from '../lane/unit.js';
import { failureStreak } from '../statements/failures.js';
import { carriedOutOf, openRowsOf, recordedUnder } from '../statements/journal-reads.js';
import { giveBack, type Intended, mint, redeem } from '../ticket.js';
import { STREAK_MAX } from '../units/intend.js';
import { intendRead } from '../units/intend-read.js';
import { intendWrite, type WriteIntended } from '../units/intend-write.js';
import { openOf } from '../units/looked.js';
import { note } from '../units/note.js';
import { settleRead } from '../units/settle-read.js';
import { settleWrite } from '../units/settle-write.js';
import { markUnknown } from '../units/unknown.js';
import { withdraw } from '../units/withdraw.js';
import { type House, read, ROUNDS } from './house.js';

/** The journal, its budgets and its evidence. The only place where a Ticket is made. */
export class SqlCallStore implements CallStore {
  constructor(private readonly house: House) {}

  async intendRead(intent: Intent): ReturnType<CallStore['intendRead']> {
    const { tick } = this.house.streaks;
    const ended = await this.house.lanes.submit(intendRead(intent));
    if (ended.is !== 'go') return ended;
    const intended = { job: intent.by.job, tool: intent.tool, streak: ended.streak, tick };
    return { is: 'go', ticket: mint(intended, ended.signAt, intent.timeoutMs) };
  }

  async intendWrite(intent: WriteIntent): ReturnType<CallStore['intendWrite']> {
    const { tick } = this.house.streaks;
    const ended = await this.#intendWrite(intent);
    if (ended.is !== 'go') return ended;
    const base = {
      ...{ job: intent.key.job, tool: intent.key.tool, streak: ended.streak, tick, row: ended.row },
      ...(intent.uncounted && { uncounted: true as const }),
    };
    const intended = intent.consume ? { ...base, approval: intent.consume.approval } : base;
    return { is: 'go', ticket: mint(intended, ended.signAt, intent.timeoutMs, intent.key.idem) };
  }

  settleRead(ticket: Ticket, failed: boolean, line: Line): void {
    const { streaks, lanes, evidence, now } = this.house;
    const intended = redeem(ticket);
    if (intended.row) {
      giveBack(ticket, intended);
      throw new BailingError('BAILING_STORE_TICKET_REFUSED', { detail: 'A write is settled by its outcome, not as a read.' });
    }
    if (failed) streaks.failed(intended.job, intended.tool);
    const written = lanes.ride(
      settleRead(intended, failed, () => streaks.mustClear(intended), line),
      failed,
    );
    streaks.pend(intended.job, intended.tool, failed, written);
    void written.then((ok) => {
      if (!ok) evidence.failed(now());
    });
  }

  async settleWrite(ticket: Ticket, recorded: Recorded, line: Line): ReturnType<CallStore['settleWrite']> {
    const { streaks, evidence, now } = this.house;
    const ended = await this.#settle(ticket, (intended) => {
      if (!recorded.ok) streaks.failed(intended.job, intended.tool);
      return settleWrite(intended, recorded, () => streaks.mustClear(intended), line);
    });
    if (ended === 'evidence_degraded') evidence.failed(now());
    return ended;
  }

  unknown(ticket: Ticket, reason: string, line: Line): ReturnType<CallStore['unknown']> {
    return this.#settle(ticket, (intended) => {
      this.house.streaks.failed(intended.job, intended.tool);
      return markUnknown(intended, reason, line);
    });
  }

  withdraw(ticket: Ticket, line: Line): ReturnType<CallStore['withdraw']> {
    return this.#redeemed(ticket, (intended) => withdraw(intended, line));
  }

  async unresolved(job: string): Promise<readonly Open[]> {
    return (await read(this.house, openRowsOf.of(1), [job])).map((row) => openOf(row, job));
  }

  async recorded(key: Key): Promise<Recorded | null> {
    const [row] = await read(this.house, recordedUnder, [key.job, key.tool, key.argsHash]);
    const there = row && row.idempotency_key === key.idem && ANSWERED.has(row.state);
    return there ? { ok: row.ok === 1, status: row.status, text: row.result_text } : null;
  }

  async carriedOut(job: string): Promise<readonly Recorded[]> {
    return (await read(this.house, carriedOutOf, [job])).map((row) => ({ ok: row.ok === 1, status: row.status, text: row.result_text }));
  }

  refused(line: Line): Promise<void> {
    return this.house.lanes.submit(note([line]));
  }

  async twiceFailed(job: string, tool: string): Promise<boolean> {
    const pending = this.house.streaks.pending(job, tool);
    if (pending && !pending.failed) return false;
    await pending?.written;
    const [row] = await read(this.house, failureStreak, [job, tool]);
    return (row?.streak ?? 0) >= STREAK_MAX;
  }

  async #intendWrite(intent: WriteIntent): Promise<Exclude<WriteIntended, { is: 'again' }>> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await this.house.lanes.submit(intendWrite(intent));
      if (ended.is !== 'again') return ended;
    }
    throw new BailingError('BAILING_STORE_BUSY', { detail: 'Other processes kept writing the same call.' });
  }

  #settle<R>(ticket: Ticket, unit: (intended: Intended & { readonly row: NonNullable<Intended['row']> }) => Unit<R>): Promise<R> {
    return this.#redeemed(ticket, (intended) => {
      const { row } = intended;
      if (!row) throw new BailingError('BAILING_STORE_TICKET_REFUSED', { detail: 'A read has no journal row to settle.' });
      return unit({ ...intended, row });
    });
  }

  /** A ticket is used up by an outcome; a commit that failed gives it back. */
  async #redeemed<R>(ticket: Ticket, unit: (intended: Intended) => Unit<R>): Promise<R> {
    const intended = redeem(ticket);
    try {
      return await this.house.lanes.submit(unit(intended));
    } catch (error) {
      giveBack(ticket, intended);
      throw error;
    }
  }
}

const ANSWERED: ReadonlySet<string> = new Set(['response_recorded', 'completed', 'evidence_degraded']);
