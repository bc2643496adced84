import type { AuditRow } from '@bailing/engine/ports';
import { expect } from 'chai';
import { done } from './done.js';

/** A ledger of so many lines of the hub's own work; `by` of one of them. */
function ledger(count: number, named: number) {
  const line = (seq: number): AuditRow => ({
    ...{ seq, event: 'alert', at: seq, job: '-', requestId: 'r', stage: 'system', severity: 'info', title: '', summary: '' },
    detail: seq === named ? '{"by":"ada"}' : '{}',
  });
  return {
    hubAudit: (before: number, limit: number) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, Math.min(before - 1, count)) }, (_, n) => line(Math.min(before - 1, count) - n)),
      ),
  };
}

describe('who did what to the hub', () => {
  it('is looked for in a bounded number of lines, and a next page goes on behind them', async () => {
    const first = await done(ledger(25_000, 3), 1e9, 10);
    expect(first).to.deep.equal({ items: [], next: 15_001 });
    const second = await done(ledger(25_000, 3), first.next ?? 0, 10);
    expect(second).to.deep.equal({ items: [], next: 5_001 });
    const { items, next } = await done(ledger(25_000, 3), second.next ?? 0, 10);
    expect([items.map(({ by, seq }) => `${by} ${String(seq)}`), next]).to.deep.equal([['ada 3'], null]);
  });

  it('lets the hub do other things between two pages', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    await done(ledger(10_000, 0), 1e9, 10);
    clearImmediate(next);
    expect(turns).to.be.greaterThan(10);
  });
});
