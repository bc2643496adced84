import { expect } from 'chai';
import type { Store, Ticket } from '@bailing/engine/ports';
import { expectIs, heldJob, line, onEveryDatabase, readIntent, START, type World, world, writeIntent } from './world.js';

const OK = { ok: true, status: 201, text: '{"id":17}' };

onEveryDatabase('The journal', (fixture) => {
  let w: World;
  let store: Store;
  before(async () => {
    w = await world(fixture);
    store = w.store;
  });
  after(() => w.end());
  beforeEach(() => {
    w.clock.now = START;
  });

  it('signs with the time of the intend commit and allows sending until the timeout after it', async () => {
    const by = await heldJob(store);
    w.clock.now = START + 77;
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    expect(ticket).to.include({ signAt: START + 77, sendBy: START + 10_077, key: writeIntent(by).key.idem });
    const [open] = await store.calls.unresolved(by.job);
    expect(open).to.deep.include({ state: 'dispatching', owner: 'r1', sendBy: START + 10_077, scope: 'refund.create', subject: 't1:u1' });
    const [call] = (await store.jobs.audit(by.job, 0, 10)).filter((row) => row.event === 'tool_call');
    expect(call?.at).to.equal(START + 77);
  });

  it('replays a completed write byte for byte and spends nothing for it', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    const text = 'naïve 😀 \u0000 line\u2028 "quoted" \\ % _';
    expect(await store.calls.settleWrite(ticket, { ok: true, status: 200, text }, line('tool_result', by.job))).to.equal('completed');
    expect(await store.calls.intendWrite(writeIntent(by))).to.deep.equal({ is: 'replay', was: { ok: true, status: 200, text } });
    expect(await store.calls.recorded(writeIntent(by).key)).to.deep.equal({ ok: true, status: 200, text });
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(1);
  });

  it('replays a recorded business failure: a complete 4xx or 5xx answer is the answer', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await store.calls.settleWrite(ticket, { ok: false, status: 422, text: 'no' }, line('tool_result', by.job));
    expect(await store.calls.intendWrite(writeIntent(by))).to.deep.equal({ is: 'replay', was: { ok: false, status: 422, text: 'no' } });
  });

  for (const status of [429, 503]) {
    it(`dispatches a recorded ${String(status)} again under the same key and counts the budget again`, async () => {
      const by = await heldJob(store);
      const first = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
      await store.calls.settleWrite(first.ticket, { ok: false, status, text: 'later' }, line('tool_result', by.job));
      w.clock.now = START + 500;
      const second = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
      expect(second.ticket).to.include({ key: writeIntent(by).key.idem, signAt: START + 500 });
      expect((await store.jobs.get(by.job))?.callsUsed).to.equal(2);
      expect(await store.calls.recorded(writeIntent(by).key)).to.equal(null);
      await store.calls.settleWrite(second.ticket, OK, line('tool_result', by.job));
      expectIs(await store.calls.intendWrite(writeIntent(by)), 'replay');
    });
  }

  it('tells the same write on its way from an orphan, which freezes', async () => {
    const by = await heldJob(store);
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    const flying = expectIs(await store.calls.intendWrite(writeIntent(by)), 'in-flight');
    expect(flying.row.key).to.deep.equal(writeIntent(by).key);
    w.clock.now = START + 10_000;
    const frozen = expectIs(await store.calls.intendWrite(writeIntent(by)), 'frozen');
    expect(frozen.row.state).to.equal('dispatching');
  });

  it('lets a different write go while one is in flight, and reads too, until one is orphaned', async () => {
    const by = await heldJob(store);
    expectIs(await store.calls.intendWrite(writeIntent(by, 'a')), 'go');
    expectIs(await store.calls.intendWrite(writeIntent(by, 'b')), 'go');
    expectIs(await store.calls.intendRead(readIntent(by)), 'go');
    w.clock.now = START + 10_000;
    expectIs(await store.calls.intendWrite(writeIntent(by, 'c')), 'frozen');
    expectIs(await store.calls.intendRead(readIntent(by)), 'frozen');
  });

  it('freezes every further call of a job after one became unknown', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by, 'a')), 'go');
    expect(await store.calls.unknown(ticket, 'timeout', line('tool_reconciliation_required', by.job))).to.equal('uncertain');
    for (const outcome of [
      await store.calls.intendWrite(writeIntent(by, 'a')),
      await store.calls.intendWrite(writeIntent(by, 'b')),
      await store.calls.intendRead(readIntent(by)),
    ]) {
      expect(expectIs(outcome, 'frozen').row).to.deep.include({ state: 'uncertain', reason: 'timeout', key: writeIntent(by, 'a').key });
    }
    expect((await store.jobs.get(by.job))?.callsUsed).to.equal(1);
  });

  it('keeps other jobs moving while one is frozen', async () => {
    const frozen = await heldJob(store);
    const free = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(frozen)), 'go');
    await store.calls.unknown(ticket, 'reset', line('x', frozen.job));
    expectIs(await store.calls.intendWrite(writeIntent(free)), 'go');
  });

  it('takes back a first attempt that never left, so that the same call may be proposed again', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    expect(await store.calls.withdraw(ticket, line('tool_blocked', by.job))).to.equal('withdrawn');
    expect(await store.calls.unresolved(by.job)).to.deep.equal([]);
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
  });

  it('takes back a repeated attempt to the answer it had', async () => {
    const by = await heldJob(store);
    const first = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await store.calls.settleWrite(first.ticket, { ok: false, status: 503, text: 'later' }, line('tool_result', by.job));
    const second = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await store.calls.withdraw(second.ticket, line('tool_blocked', by.job));
    expect(await store.calls.recorded(writeIntent(by).key)).to.deep.equal({ ok: false, status: 503, text: 'later' });
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
  });

  it('says moved, and writes nothing, when the row is not waiting for its answer any more', async () => {
    const settlements: ((ticket: Ticket, job: string) => Promise<string>)[] = [
      (ticket, job) => store.calls.settleWrite(ticket, OK, line('tool_result', job)),
      (ticket, job) => store.calls.unknown(ticket, 'late', line('tool_reconciliation_required', job)),
      (ticket, job) => store.calls.withdraw(ticket, line('tool_blocked', job)),
    ];
    for (const settle of settlements) {
      const by = await heldJob(store);
      const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
      await w.database.query(`UPDATE bz_tool_executions SET state = 'uncertain', error = 'by hand' WHERE job_id = '${by.job}'`);
      const before = (await store.jobs.audit(by.job, 0, 100)).length;
      expect(await settle(ticket, by.job)).to.equal('moved');
      expect((await store.jobs.audit(by.job, 0, 100)).length).to.equal(before);
      expect((await store.calls.unresolved(by.job))[0]?.reason).to.equal('by hand');
    }
  });

  it('reads a state it does not know as uncertain', async () => {
    const by = await heldJob(store);
    expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await w.database.query(`UPDATE bz_tool_executions SET state = 'half_done' WHERE job_id = '${by.job}'`);
    expect((await store.calls.unresolved(by.job)).map((row) => row.state)).to.deep.equal(['uncertain']);
    expectIs(await store.calls.intendRead(readIntent(by)), 'frozen');
  });

  it('never answers one subject with what was recorded for another', async () => {
    const by = await heldJob(store);
    const { ticket } = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go');
    await store.calls.settleWrite(ticket, OK, line('tool_result', by.job));
    const other = writeIntent(by, 'a', { subject: 't1:u2', key: { ...writeIntent(by).key, idem: 'z'.repeat(64) } });
    expectIs(await store.calls.intendWrite(other), 'frozen');
    expect(await store.calls.recorded(other.key)).to.equal(null);
  });

  it('keeps tools apart that differ in letter case, in trailing space or in normal form', async () => {
    const by = await heldJob(store);
    for (const tool of ['refund', 'Refund', 'refund ', 're\u0301fund', 'r\u00e9fund']) {
      const key = { ...writeIntent(by).key, tool };
      expectIs(await store.calls.intendWrite(writeIntent(by, 'a', { tool, key })), 'go');
    }
  });

  it('refuses a forged, a used and a foreign-kind ticket', async () => {
    const by = await heldJob(store);
    const forged = { signAt: START, sendBy: START + 1, key: 'k' } as unknown as Ticket;
    expect(() => store.calls.settleRead(forged, false, line('x', by.job)))
      .to.throw()
      .with.property('code', 'BAILING_STORE_TICKET_REFUSED');
    const read = expectIs(await store.calls.intendRead(readIntent(by)), 'go').ticket;
    expect(await codeOf(store.calls.settleWrite(read, OK, line('x', by.job)))).to.equal('BAILING_STORE_TICKET_REFUSED');
    store.calls.settleRead(read, false, line('tool_result', by.job));
    expect(() => store.calls.settleRead(read, false, line('x', by.job)))
      .to.throw()
      .with.property('code', 'BAILING_STORE_TICKET_REFUSED');
    const write = expectIs(await store.calls.intendWrite(writeIntent(by)), 'go').ticket;
    const copy = { ...write };
    expect(await codeOf(store.calls.settleWrite(copy, OK, line('x', by.job)))).to.equal('BAILING_STORE_TICKET_REFUSED');
    const [first, second] = await Promise.allSettled([
      store.calls.settleWrite(write, OK, line('tool_result', by.job)),
      store.calls.unknown(write, 'both at once', line('x', by.job)),
    ]);
    expect([first.status, second.status]).to.deep.equal(['fulfilled', 'rejected']);
  });
});

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'nothing was refused';
}
