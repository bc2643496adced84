import { expect } from 'chai';
import { exportLedger } from '../ledger/export.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { walkLedger } from '../ledger/verify.js';
import { openDatabase } from '../open-store.js';
import { expectIs, heldJob, line, onEveryDatabase, readIntent, START, type World, world, writeIntent } from './world.js';

onEveryDatabase('The ledger', (fixture) => {
  let w: World;
  beforeEach(async () => {
    w = await world(fixture, { lanes: 1 });
  });
  afterEach(() => w.end());

  async function someLines(): Promise<string> {
    const by = await heldJob(w.store);
    for (const event of ['a', 'b', 'c', 'd']) await w.store.jobs.note([line(event, by.job)]);
    return by.job;
  }

  async function verdicts(): Promise<readonly string[]> {
    return (await verifyLedger(w.database.url)).found.map(({ is }) => is);
  }

  it('verifies clean, whatever the lines hold', async () => {
    const texts = ['', '\u0000', '😀', 'lone \ud800 surrogate', '\udc00', '"\\', '\u2028', ' trailing ', '12', 'null', 'x'.repeat(200)];
    for (const text of texts) {
      const detail = JSON.stringify({ text });
      await w.store.jobs.note([line(`e${text}`, text || '-', { title: text.repeat(3), summary: text.repeat(9), detail, requestId: text })]);
    }
    await w.store.jobs.note([line('big', '-', { detail: JSON.stringify({ args: '中'.repeat(21_000) }) })]);
    await w.store.jobs.note([line('raw', '-', { detail: '{"raw":"\u0000 and \ud83d"}' })]);
    expect(await verifyLedger(w.store)).to.deep.include({ findings: 0, chains: 1, lines: texts.length + 3 });
  });

  it('cuts titles and summaries by characters, never inside one', async () => {
    await w.store.jobs.note([line('e', 'cut', { title: '😀'.repeat(200), summary: '😀'.repeat(600) })]);
    const [row] = await w.store.jobs.audit('cut', 0, 1);
    expect([row?.title, row?.summary]).to.deep.equal(['😀'.repeat(128), '😀'.repeat(512)]);
  });

  for (const column of ['ts', 'event', 'stage', 'severity', 'title', 'summary', 'detail', 'job_id', 'request_id', 'prev', 'hash']) {
    it(`finds an edited ${column}`, async () => {
      await someLines();
      const value = column === 'ts' ? '5' : `'${column === 'detail' ? '{}' : 'forged'}'`;
      await w.database.query(`UPDATE bz_audit SET ${column} = ${value} WHERE event = 'b'`);
      expect(await verdicts()).to.include('edited');
    });
  }

  if (fixture.name === 'sqlite') {
    for (const column of ['summary', 'detail', 'hash', 'job_id']) {
      it(`finds text that was hidden behind a NUL in ${column}, in the database and in its export`, async () => {
        await someLines();
        await w.database.query(`UPDATE bz_audit SET ${column} = ${column} || char(0) || 'hidden' WHERE event = 'b'`);
        expect(await verdicts()).to.include('edited');
        const exported: string[] = [];
        for await (const one of exportLedger(w.database.url)) exported.push(JSON.stringify(one));
        expect(exported.join()).to.include('hidden');
      });
    }

    it('finds text that was hidden behind a NUL in the name of a writer', async () => {
      await someLines();
      await w.database.query(`UPDATE bz_audit_writers SET name = name || char(0) || 'hidden'`);
      expect(await verdicts()).to.include('edited');
    });
  }

  it('finds a removed line', async () => {
    await someLines();
    await w.database.query(`DELETE FROM bz_audit WHERE event = 'b'`);
    expect(await verdicts()).to.deep.equal(['missing']);
  });

  it('misses no line that committed under an id that was read past', async () => {
    await someLines();
    const database = await openDatabase({ url: w.database.url, lanes: 1 });
    const late = new Map<unknown, number>();
    const read = async (statement: { name: string }, params: readonly unknown[]) => {
      const rows = (await database.reader.read(statement as never, params as never)) as { event: string }[];
      // The first page does not see it yet.
      const seen = statement.name === 'ledger-page' ? rows.filter(({ event }) => event !== 'b') : rows;
      late.set(statement.name, (late.get(statement.name) ?? 0) + seen.length);
      return seen;
    };
    const found = [];
    for await (const one of walkLedger({ read } as never)) found.push(one);
    await database.close();
    expect(found).to.deep.equal([]);
    expect(late.get('lines-between')).to.equal(1);
  });

  it('finds that everything is gone', async () => {
    await someLines();
    await w.database.query('DELETE FROM bz_audit');
    expect(await verdicts()).to.deep.equal(['cut-off']);
  });

  it('finds lines that changed places', async () => {
    await someLines();
    const [b] = await w.database.query(`SELECT id FROM bz_audit WHERE event = 'b'`);
    const [c] = await w.database.query(`SELECT id FROM bz_audit WHERE event = 'c'`);
    await w.database.query(`UPDATE bz_audit SET id = 999999 WHERE id = ${String(b?.['id'])}`);
    await w.database.query(`UPDATE bz_audit SET id = ${String(b?.['id'])} WHERE id = ${String(c?.['id'])}`);
    await w.database.query(`UPDATE bz_audit SET id = ${String(c?.['id'])} WHERE id = 999999`);
    expect(await verdicts()).to.include('reordered');
  });

  it('finds a line put in by hand, with or without a writer', async () => {
    await someLines();
    const columns = 'job_id, request_id, ts, event, stage, severity, title, summary, detail, writer, seq, prev, hash';
    const copied = (writer: string, seq: string) =>
      `INSERT INTO bz_audit (${columns}) SELECT job_id, request_id, ts, event, stage, severity, title, summary, detail, ${writer}, ${seq}, prev, hash
       FROM bz_audit WHERE event = 'd'`;
    await w.database.query(copied('writer', 'seq + 1'));
    await w.database.query(copied('777', 'seq'));
    expect(await verdicts()).to.include.members(['edited', 'unknown-writer']);
  });

  it('finds an end that was cut off after another writer named it', async () => {
    await someLines();
    const second = await w.another({ lanes: 1 });
    await second.jobs.note([line('from the second', '-')]);
    expect(await verdicts()).to.deep.equal([]);
    await w.database.query(`DELETE FROM bz_audit WHERE event = 'd'`);
    expect(await verdicts()).to.deep.equal(['cut-off']);
  });

  it('finds a whole chain that was removed after another writer named it', async () => {
    await someLines();
    const second = await w.another({ lanes: 1 });
    await second.jobs.note([line('from the second', '-')]);
    await w.database.query('DELETE FROM bz_audit WHERE writer < (SELECT MAX(id) FROM bz_audit_writers)');
    expect(await verdicts()).to.deep.equal(['cut-off']);
    await w.database.query('DELETE FROM bz_audit_writers WHERE id NOT IN (SELECT writer FROM bz_audit)');
    expect(await verdicts()).to.deep.equal(['cut-off']);
  });

  it('ties chains at close too: what the last process wrote is named by whoever closes later', async () => {
    const second = await w.another({ lanes: 1 });
    await second.jobs.note([line('second first', '-')]);
    await someLines();
    await second.close();
    expect(await verdicts()).to.deep.equal([]);
    await w.database.query(`DELETE FROM bz_audit WHERE event = 'd'`);
    expect(await verdicts()).to.deep.equal(['cut-off']);
  });

  it('stays whole when units fail, are undone and run side by side', async () => {
    const second = await w.another();
    const by = await Promise.all([heldJob(w.store), heldJob(w.store), heldJob(second)]);
    const ended = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => {
        const store = i % 2 ? w.store : second;
        const holder = by[i % 3]!;
        if (i % 5 === 0) return store.jobs.note([line('x', 'j'.repeat(3)), line('y', '-', { severity: null as never })]);
        return i % 4
          ? store.calls.intendRead(readIntent(holder, { maxCalls: 5 }))
          : store.calls.intendWrite(writeIntent(holder, `n${String(i)}`));
      }),
    );
    expect(ended.filter(({ status }) => status === 'rejected')).to.have.length(12);
    await second.close();
    const report = await verifyLedger(w.database.url);
    expect(report.found).to.deep.equal([]);
    expect((await w.store.jobs.audit('jjj', 0, 100)).length).to.equal(0);
  });

  it('keeps no line of a settlement that came too late, also when others are committed with it', async () => {
    const by = await heldJob(w.store);
    const { ticket } = expectIs(await w.store.calls.intendWrite(writeIntent(by)), 'go');
    await w.database.query(`UPDATE bz_tool_executions SET state = 'uncertain' WHERE job_id = '${by.job}'`);
    w.forget();
    const [before, settled] = await Promise.all([
      w.store.jobs.note([line('before', by.job)]),
      w.store.calls.settleWrite(ticket, { ok: true, status: 200, text: '' }, line('tool_result', by.job)),
      w.store.jobs.note([line('behind', by.job)]),
    ]);
    expect([before, settled]).to.deep.equal([undefined, 'moved']);
    expect(w.statements.filter((name) => name === 'begin')).to.have.length(1);
    expect((await w.store.jobs.audit(by.job, 0, 10)).map(({ event }) => event)).to.deep.equal([
      'received',
      'tool_call',
      'before',
      'behind',
    ]);
    expect((await verifyLedger(w.store)).found).to.deep.equal([]);
  });

  it('writes nothing into the ledger of a store that only reads', async () => {
    const reader = await w.another();
    await reader.jobs.counts();
    await reader.close();
    expect((await verifyLedger(w.store)).lines).to.equal(0);
  });

  it('keeps the answer and says so when the evidence of a write cannot be written', async () => {
    const by = await heldJob(w.store);
    const { ticket } = expectIs(await w.store.calls.intendWrite(writeIntent(by)), 'go');
    await refuseEvent(w, fixture.name, 'tool_result');
    const answer = { ok: true, status: 201, text: 'kept' };
    w.clock.now = START + 3;
    expect(await w.store.calls.settleWrite(ticket, answer, line('tool_result', by.job))).to.equal('evidence_degraded');
    expect(await w.store.calls.recorded(writeIntent(by).key)).to.deep.equal(answer);
    expect((await w.store.calls.unresolved(by.job)).map(({ state }) => state)).to.deep.equal(['evidence_degraded']);
    expect(await w.store.health()).to.include({ auditFailures: 1, lastAuditFailureAt: START + 3 });
    expectIs(await w.store.calls.intendWrite(writeIntent(by, 'b')), 'frozen');
    expect((await verifyLedger(w.store)).found).to.deep.equal([]);
  });

  it('sends nothing when the evidence before dispatch cannot be written', async () => {
    const by = await heldJob(w.store);
    await refuseEvent(w, fixture.name, 'tool_call');
    for (const attempt of [w.store.calls.intendWrite(writeIntent(by)), w.store.calls.intendRead(readIntent(by))]) {
      expect(await attempt.catch((error: unknown) => error)).to.have.property('code', 'BAILING_STORE_FAILED');
    }
    expect(await w.store.calls.unresolved(by.job)).to.deep.equal([]);
    expect((await w.store.jobs.get(by.job))?.callsUsed).to.equal(0);
  });

  it('counts a read result that could not be written', async () => {
    const by = await heldJob(w.store);
    const { ticket } = expectIs(await w.store.calls.intendRead(readIntent(by)), 'go');
    await refuseEvent(w, fixture.name, 'tool_result');
    w.store.calls.settleRead(ticket, true, line('tool_result', by.job));
    await w.store.jobs.note([line('next', by.job)]);
    expect(await w.store.calls.twiceFailed(by.job, 'order_get')).to.equal(false);
    expect(await w.store.health()).to.include({ auditFailures: 1 });
    expect((await w.store.jobs.audit(by.job, 0, 10)).map(({ event }) => event)).to.deep.equal(['received', 'tool_call', 'next']);
  });
});

/** Makes the database refuse audit lines of one event, as a full disk or a broken table would. */
async function refuseEvent(w: World, dialect: 'sqlite' | 'mysql', event: string): Promise<void> {
  await w.database.query(
    dialect === 'sqlite'
      ? `CREATE TRIGGER refuse BEFORE INSERT ON bz_audit WHEN NEW.event = '${event}' BEGIN SELECT RAISE(ABORT, 'refused'); END`
      : `CREATE TRIGGER refuse BEFORE INSERT ON bz_audit FOR EACH ROW BEGIN
           IF NEW.event = '${event}' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF; END`,
  );
}
