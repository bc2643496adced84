import { expect } from 'chai';
import type { Pruned } from '@bailing/engine/ports';
import type { ExportLine } from '../ledger/export.js';
import { exportFindings, exportLedger } from '../index.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { heldJob, line, onEveryDatabase, START, type World, world } from './world.js';

const DAY = 86_400_000;

async function all(steps: AsyncIterable<Pruned>, most = Infinity): Promise<number> {
  let removed = 0;
  let count = 0;
  for await (const step of steps) {
    removed += step.removed;
    if ((count += 1) >= most) break;
  }
  return removed;
}

onEveryDatabase('Retention of the ledger', (fixture) => {
  let w: World;
  beforeEach(async () => {
    w = await world(fixture, { lanes: 1 });
  });
  afterEach(() => w.end());

  /** `count` lines on each of the days, in few commits. */
  async function days(count: number, ...of: readonly number[]): Promise<void> {
    for (const day of of)
      for (let i = 0; i < count; i += 50)
        await w.store.jobs.note(
          Array.from({ length: Math.min(50, count - i) }, (_, n) => line(`d${String(day)}`, '-', { at: START + day * DAY + i + n })),
        );
  }

  const prune = (day: number) => {
    w.clock.now = START + (day + 30) * DAY;
    return all(w.store.retention.ledger(START + day * DAY));
  };
  const verified = () => verifyLedger(w.database.url);
  const found = async () => (await verified()).found.map(({ is }) => is);
  const events = async () => (await w.database.query('SELECT DISTINCT event FROM bz_audit')).map(({ event }) => String(event)).sort();

  async function exported(): Promise<ExportLine[]> {
    const lines: ExportLine[] = [];
    for await (const one of exportLedger(w.database.url)) lines.push(one);
    return lines;
  }

  async function offline(lines: readonly ExportLine[]) {
    const open = async function* () {
      for (const one of lines) yield await Promise.resolve(JSON.stringify(one));
    };
    const is: string[] = [];
    const walk = exportFindings(open);
    for (let step = await walk.next(); ; step = await walk.next()) {
      if (step.done === true) return { ...step.value, is };
      is.push(step.value.is);
    }
  }

  it('removes what is old from the beginning of a chain, tells it in the ledger, and what stays verifies', async () => {
    await days(300, 0, 1, 2);
    expect(await prune(1)).to.equal(302);
    expect(await events()).to.deep.equal(['audit_retention_pruned', 'd1', 'd2']);
    const [told] = await w.database.query(`SELECT detail, job_id, request_id FROM bz_audit WHERE event = 'audit_retention_pruned'`);
    expect(told).to.include({ job_id: '-', request_id: 'retention' });
    expect(JSON.parse(String(told?.['detail']))).to.deep.include({ before: new Date(START + DAY).toISOString(), lines: 302 });
    const report = await verified();
    expect(report).to.deep.include({ findings: 0, lines: 600, from: START + DAY + 1 });
    expect(report.pruned).to.deep.equal({ lines: 302, chains: 1, at: w.clock.now });
  });

  it('has nothing to tell where nothing is old', async () => {
    await days(10, 5);
    expect(await prune(-1)).to.equal(0);
    expect(await events()).to.deep.equal(['d5', 'ledger_checkpoint']);
    expect((await verified()).pruned).to.deep.equal({ lines: 0, chains: 0, at: null });
  });

  it('goes on from where it was: round after round, also when all lines of a chain and those that told are gone', async () => {
    const second = await w.another({ lanes: 1 });
    await second.jobs.note([line('from the second', '-')]);
    await days(20, 0, 10, 40, 80);
    for (const day of [5, 20, 60, 70, 200]) {
      await prune(day);
      expect(await found()).to.deep.equal([]);
    }
    // The second process was silent for months and goes on with its chain, of which nothing is there.
    await second.jobs.note([line('again', '-', { at: w.clock.now })]);
    expect(await found()).to.deep.equal([]);
    const report = await verified();
    expect(report.pruned.lines).to.be.greaterThan(80);
    expect((await offline(await exported())).is).to.deep.equal([]);
    await second.close();
    expect(await found()).to.deep.equal([]);
  });

  it('finds a beginning that was cut by hand, before any retention and further than it told', async () => {
    await days(20, 0, 1, 2);
    await w.database.query('CREATE TABLE copy AS SELECT * FROM bz_audit');
    await w.database.query(`DELETE FROM bz_audit WHERE seq < 10`);
    expect(await found()).to.deep.equal(['missing']);
    // What somebody cut is not laundered by retention.
    await prune(1);
    expect(await found()).to.include('missing');
    await w.database.query('DELETE FROM bz_audit');
    await w.database.query('INSERT INTO bz_audit SELECT * FROM copy');
    await w.database.query('DROP TABLE copy');
    expect(await found()).to.deep.equal([]);
    await prune(1);
    expect(await found()).to.deep.equal([]);
    await w.database.query(`DELETE FROM bz_audit WHERE event = 'd1' AND seq < 30`);
    expect(await found()).to.deep.equal(['missing']);
    expect((await offline(await exported())).is).to.deep.equal(['missing']);
  });

  for (const [what, sql] of [
    ['points further', `UPDATE bz_audit_cuts SET seq = seq + 5`],
    ['points less far', `UPDATE bz_audit_cuts SET seq = seq - 5`],
    ['has another hash', `UPDATE bz_audit_cuts SET hash = '${'0'.repeat(64)}'`],
    ['is told by another line', `UPDATE bz_audit_cuts SET told_seq = told_seq - 1`],
    ['is gone', `DELETE FROM bz_audit_cuts`],
    [
      'is told by a line that was edited',
      `UPDATE bz_audit SET detail = REPLACE(detail, '"seq":', '"seq":1') WHERE event = 'audit_retention_pruned'`,
    ],
    ['is told by a line that is gone', `DELETE FROM bz_audit WHERE event = 'audit_retention_pruned'`],
  ] as const) {
    it(`finds a cut that ${what}`, async () => {
      await days(20, 0, 1, 2);
      await prune(1);
      await days(1, 50);
      expect(await found()).to.deep.equal([]);
      await w.database.query(sql);
      expect(await found()).to.not.deep.equal([]);
      if (sql.includes('bz_audit ')) expect((await offline(await exported())).is).to.not.deep.equal([]);
    });
  }

  it('removes no line that does not verify, nor what follows it, and says which chain', async () => {
    await days(20, 0, 1, 2);
    await w.database.query(`UPDATE bz_audit SET detail = '{"forged":true}' WHERE seq = 12`);
    const broken: string[] = [];
    w.clock.now = START + 90 * DAY;
    for await (const step of w.store.retention.ledger(START + DAY)) if (step.broken !== undefined) broken.push(step.broken);
    expect(broken).to.have.length(1);
    expect(await found()).to.deep.equal(['edited']);
    expect((await w.database.query('SELECT MIN(seq) AS seq FROM bz_audit'))[0]).to.deep.equal({ seq: 12 });
  });

  it('removes no line either that no longer verifies since a round told it and broke off', async () => {
    await days(500, 0, 1, 2);
    w.clock.now = START + 90 * DAY;
    let removed = 0;
    for await (const step of w.store.retention.ledger(START + DAY)) if ((removed += step.removed) > 0) break;
    expect(removed).to.be.within(1, 400);
    await w.database.query(`UPDATE bz_audit SET detail = '{"forged":true}' WHERE seq = 450`);
    await prune(1);
    expect(await found()).to.deep.equal(['edited']);
    expect((await w.database.query('SELECT MIN(seq) AS seq FROM bz_audit'))[0]).to.deep.equal({ seq: 450 });
  });

  it('leaves lines since the oldest job that is not over', async () => {
    await days(20, 0);
    w.clock.now = START + 2 * DAY;
    const by = await heldJob(w.store, { createdAt: w.clock.now });
    await days(20, 1, 3, 4);
    // The line that the job was received carries an older time here.
    expect(await prune(30)).to.equal(42);
    expect(await events()).to.include.members(['d3', 'd4']);
    await w.database.query(`UPDATE bz_jobs SET status = 'done' WHERE id = '${by.job}'`);
    await prune(30);
    expect(await events()).to.not.include.members(['d3']);
    expect(await found()).to.deep.equal([]);
  });

  it('verifies at every step of a round, and a round that broke off is ended by the next', async () => {
    await days(300, 0, 1, 2);
    for (const most of [1, 2, 3, 4, 5, 6]) {
      w.clock.now = START + 60 * DAY;
      await all(w.store.retention.ledger(START + 2 * DAY), most);
      expect(await found()).to.deep.equal([]);
      expect((await offline(await exported())).is).to.deep.equal([]);
    }
    await prune(2);
    expect(await events()).to.deep.equal(['audit_retention_pruned', 'd2']);
    expect(await found()).to.deep.equal([]);
  });

  it('is done by two at once beside writers, and a verification that runs meanwhile finds nothing', async () => {
    await days(400, 0, 1);
    const second = await w.another({ lanes: 1 });
    const third = await w.another({ lanes: 1 });
    w.clock.now = START + 60 * DAY;
    const writing = Array.from({ length: 40 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i));
      await third.jobs.note([line('meanwhile', '-', { at: w.clock.now })]);
    });
    const reports = await Promise.all([
      verified(),
      verified(),
      all(w.store.retention.ledger(START + 10 * DAY)),
      all(second.retention.ledger(START + 10 * DAY)),
      ...writing,
    ]);
    expect([reports[0], reports[1]].flatMap((one) => one.found)).to.deep.equal([]);
    expect(Number(reports[2]) + Number(reports[3])).to.equal(801);
    expect(await found()).to.deep.equal([]);
    expect(await events())
      .to.include('meanwhile')
      .and.not.include('d1');
  });

  it('leaves an export made before as good as it was', async () => {
    await days(60, 0, 1, 2);
    const before = await exported();
    await prune(1);
    expect((await offline(before)).is).to.deep.equal([]);
    const after = await offline(await exported());
    expect(after).to.deep.include({ is: [], from: START + DAY + 1 });
    expect(after.pruned.lines).to.equal(62);
  });
});
