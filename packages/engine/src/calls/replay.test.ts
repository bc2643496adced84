import { expect } from 'chai';
import type { CallStore, Open, Recorded } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import type { Prepared } from './prepared.js';
import { Refusal } from './refusal.js';
import { awaitOutcome } from './replay.js';
import type { Seat } from './seat.js';

const key = { job: 'j', tool: 'refund', argsHash: 'a', idem: 'k' };
const row: Open = { key, state: 'dispatching', scope: 'refund', subject: '', owner: 'other', sendBy: 1_000, reason: '' };
const seat = { job: { id: 'j', requestId: 'r' }, signal: new AbortController().signal } as unknown as Seat;
const prepared = { key, call: { tool: { name: 'refund', scope: 'refund' } } } as unknown as Prepared;
const ANSWER: Recorded = { ok: true, status: 200, text: 'done' };

interface Journal {
  readonly rows: readonly Open[];
  readonly record: Recorded | null;
}

/** A journal that changes while somebody looks: the `nth` look of either kind sees the `nth` state, later ones the last. */
function waiting(...states: [Journal, ...Journal[]]) {
  return waitingAs(seat, row, ...states);
}

function waitingAs(seat: Seat, row: Open, ...states: [Journal, ...Journal[]]) {
  const clock = { at: 0 };
  const noted: string[] = [];
  const look = (): Journal => (states.length > 1 ? states.shift() : states[0]) as Journal;
  const calls: Partial<CallStore> = {
    unresolved: () => Promise.resolve(look().rows),
    recorded: () => Promise.resolve(look().record),
    refused: (line) => Promise.resolve(void noted.push(line.event)),
  };
  const deps = {
    calls,
    clock: { now: () => clock.at },
    wakeups: { wait: () => Promise.resolve(void (clock.at += 100)) },
    observe: () => undefined,
  } as unknown as CallDeps;
  return { noted, clock, outcome: awaitOutcome(seat, prepared, row, deps) };
}

const FLYING: Journal = { rows: [row], record: null };

async function refusalOf(outcome: Promise<unknown>): Promise<Refusal> {
  const thrown: unknown = await outcome.catch((error: unknown) => error);
  if (thrown instanceof Refusal) return thrown;
  throw new Error(`not refused: ${JSON.stringify(thrown)}`);
}

describe('waiting for the outcome of the identical write', () => {
  it('ends with its answer, also where it is recorded between two looks', async () => {
    const { noted, outcome } = waiting(FLYING, { rows: [], record: ANSWER });
    expect(await outcome).to.deep.equal({ ...ANSWER, sent: false });
    expect(noted).to.deep.equal(['tool_call_deduped']);
  });

  it('says that nothing was sent where the write was taken back, and does not call it unknown', async () => {
    const { outcome } = waiting(FLYING, { rows: [], record: null });
    expect(await refusalOf(outcome)).to.include({ code: 'BAILING_CALL_NOT_SENT', reason: 'twin_not_sent' });
  });

  it('ends frozen where the write became unknown, or where nobody will bring its outcome any more', async () => {
    const unknown = await refusalOf(waiting({ rows: [{ ...row, state: 'uncertain', reason: 'timeout' }], record: null }).outcome);
    expect(unknown.answer.governance).to.deep.include({ state: 'reconciliation_required' });
    const orphaned = await refusalOf(waiting(FLYING).outcome);
    expect(orphaned.answer).to.include({ code: 'BAILING_CALL_FROZEN', sent: false });
  });

  it('is no longer than the patience of who asks, who is told that it is still on its way', async () => {
    const slow = { ...row, sendBy: 600_000 };
    const { clock, outcome } = waitingAs({ ...seat, patienceMs: 50_000 }, slow, { rows: [slow], record: null });
    const { answer } = await refusalOf(outcome);
    expect(answer.governance).to.have.nested.include({ 'execution.state': 'dispatching', 'execution.reason': 'in_flight' });
    expect(clock.at).to.equal(50_000);
  });
});
