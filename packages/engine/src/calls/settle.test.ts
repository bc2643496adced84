import type { Answer, Recorded, Ticket } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { Open } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import type { Prepared } from './prepared.js';
import type { Seat } from './seat.js';
import { settle } from './settle.js';

const key = { job: 'j', tool: 'refund', argsHash: 'a', idem: 'k' };
const row = { key, state: 'dispatching' } as Open;
const seat = { job: { id: 'j', requestId: 'r' } } as unknown as Seat;
const tool = { name: 'refund', scope: 'refund', sensitive: false };
const prepared = { key, journalled: true, provider: { result_max_bytes: 1_000 }, call: { tool } } as unknown as Prepared;
const ticket = { signAt: 0, sendBy: 1_000 } as Ticket;
const answer: Answer = { status: 201, contentType: 'application/json', body: '{"id":1}', bytes: 8 };
const RECORDED: Recorded = { ok: true, status: 201, text: '{"id":1}' };

/** Settles through a store whose commit fails, and which then says this about the row. */
function settled(open: readonly Open[] | Error, record: Recorded | null) {
  const deps = {
    calls: {
      settleWrite: () => Promise.reject(new Error('connection lost')),
      unresolved: () => (open instanceof Error ? Promise.reject(open) : Promise.resolve(open)),
      recorded: () => Promise.resolve(record),
    },
    clock: { now: () => 5 },
    log: { warn: () => undefined, error: () => undefined },
    wakeups: { notify: () => undefined },
    observe: () => undefined,
  } as unknown as CallDeps;
  return settle(seat, prepared, ticket, { is: 'answered', answer }, deps);
}

describe('a settle commit that failed', () => {
  it('happened all the same where the row holds this very answer and is not open any more', async () => {
    expect(await settled([], RECORDED)).to.deep.equal({ ...RECORDED, sent: true });
  });

  it('is an unknown outcome where the row is open, holds another answer, or cannot be looked at', async () => {
    for (const [open, record] of [
      [[row], RECORDED],
      [[], { ...RECORDED, text: 'applied, says an operator' }],
      [[], null],
      [new Error('connection refused'), RECORDED],
    ] as const) {
      const result = await settled(open, record);
      expect(result.governance).to.have.property('state', 'reconciliation_required');
      expect(result).to.include({ code: 'BAILING_CALL_UNKNOWN', sent: true });
    }
  });
});
