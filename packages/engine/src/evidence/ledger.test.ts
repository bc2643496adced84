import { expect } from 'chai';
import type { AuditRow } from '../ports/index.js';
import { ledgerOf } from './ledger.js';

function row(seq: number, more: Partial<AuditRow> = {}): AuditRow {
  const plain = {
    event: 'llm_request',
    at: seq,
    job: 'j',
    requestId: 'r',
    stage: 'execution',
    severity: 'info',
    title: '',
    summary: '',
  } as const;
  return { seq, ...plain, detail: '{}', ...more };
}

/** A job of so many lines, which are made as they are read. */
function jobs(count: number, make: (seq: number) => AuditRow = row) {
  return {
    audit: (_: string, after: number, limit: number) =>
      Promise.resolve(Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (_, index) => make(after + index + 1))),
  };
}

describe('the ledger of one job', () => {
  it('is walked to its end, page after page, each line once', async () => {
    const seqs: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const part = await ledgerOf('j', jobs(12_345), after);
      expect(part.tally.total, 'counts are over everything').to.equal(12_345);
      seqs.push(...part.rows.map(({ seq }) => seq));
      after = part.next;
    }
    expect(seqs).to.deep.equal(Array.from({ length: 12_345 }, (_, index) => index + 1));
  });

  it('lets the hub do other things between two pages', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    await ledgerOf('j', jobs(12_345));
    clearImmediate(next);
    expect(turns).to.be.greaterThan(30);
  });

  it('keeps a bounded part, whatever the lines hold, and the lines that tell why of the rest', async () => {
    const long = JSON.stringify({ args: 'x'.repeat(100_000) });
    const make = (seq: number) => row(seq, seq === 2_000 ? { event: 'tool_blocked', severity: 'warning' } : { detail: long });
    const part = await ledgerOf('j', jobs(2_001, make));
    expect(part.rows.reduce((sum, { detail }) => sum + detail.length, 0)).to.be.lessThan(8_500_000);
    expect(part.telling.map(({ seq }) => seq)).to.deep.equal([2_000]);
    expect(part.next).to.equal(part.rows.length);
    const over = JSON.stringify({ args: 'x'.repeat(9_000_000) });
    expect(
      (
        await ledgerOf(
          'j',
          jobs(2, (seq) => row(seq, { detail: over })),
        )
      ).rows,
      'one is always shown, or nobody gets on',
    ).to.have.length(1);
  });
});
