import { expect } from 'chai';
import type { ExportLine } from '../ledger/export.js';
import { exportFindings, exportLedger, ledgerFindings, type LedgerFinding } from '../index.js';
import { heldJob, line, onEveryDatabase, type World, world } from './world.js';

async function* textsOf(lines: readonly ExportLine[]): AsyncGenerator<string> {
  for (const one of lines) yield await Promise.resolve(JSON.stringify(one));
}

async function verified(lines: readonly ExportLine[]) {
  const found: LedgerFinding[] = [];
  const walk = exportFindings(() => textsOf(lines));
  for (let step = await walk.next(); ; step = await walk.next()) {
    if (step.done === true) return { ...step.value, found: found.map(({ is }) => is) };
    found.push(step.value);
  }
}

onEveryDatabase('An exported ledger', (fixture) => {
  let w: World;
  let lines: ExportLine[];

  before(async () => {
    w = await world(fixture, { lanes: 2 });
    const by = await heldJob(w.store);
    for (let i = 0; i < 12; i += 1) await w.store.jobs.note([line(i % 2 === 0 ? 'tool_call' : 'tool_result', by.job), line('x', '-')]);
    lines = [];
    for await (const one of exportLedger(w.database.url)) lines.push(one);
  });
  after(() => w.end());

  const index = (nth: number): number => lines.findIndex((one) => one.type === 'line' && lines.indexOf(one) > lines.length / 2 + nth);

  it('verifies without the database, and says the same as the database does', async () => {
    const walk = ledgerFindings(w.database.url);
    let step = await walk.next();
    while (step.done !== true) step = await walk.next();
    expect(await verified(lines)).to.deep.equal({ ...step.value, found: [] });
    expect(lines.filter(({ type }) => type === 'line').length).to.be.greaterThan(24);
  });

  it('shows a line that was edited', async () => {
    const at = index(0);
    const edited = lines.map((one, i) => (i === at && one.type === 'line' ? { ...one, detail: '{"ok":true}' } : one));
    expect((await verified(edited)).found).to.deep.equal(['edited']);
  });

  it('shows a line that was taken out, also where the count was corrected', async () => {
    const at = index(0);
    const fewer = lines.filter((_, i) => i !== at).map((one) => (one.type === 'end' ? { ...one, lines: one.lines - 1 } : one));
    expect((await verified(fewer)).found).to.include('missing');
  });

  it('is refused where its end is gone, its count is wrong, or it is something else', async () => {
    const bad: readonly (readonly ExportLine[])[] = [lines.slice(0, -1), lines.filter((_, i) => i !== index(0)), lines.slice(1), []];
    for (const one of bad) {
      const error = await verified(one).catch((thrown: unknown) => thrown);
      expect(String(error)).to.contain('This is no whole export');
    }
  });
});
