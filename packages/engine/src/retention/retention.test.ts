import type { Log, Records } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { Pruned, RetentionStore } from '../ports/index.js';
import { AUDIT_EVERY_MS, JOURNAL_EVERY_MS, JOURNAL_KEEP_MS, Retention, standingOf } from './retention.js';

const DAY = 86_400_000;
const NOW = 1_764_500_000_000;

function scene(auditDays: number, batches: readonly Pruned[] = [{ removed: 2 }]) {
  const clock = { time: NOW, now: () => clock.time };
  const kept = new Map<string, string>();
  const records = {
    get: (key: string) => Promise.resolve(kept.has(key) ? { value: kept.get(key) ?? '', rev: 1 } : null),
    put: (key: string, value: string) => Promise.resolve(kept.set(key, value).size),
  } as unknown as Records;
  const rounds: string[] = [];
  const removed: Record<string, number> = {};
  const warned: string[] = [];
  const state = { held: true, taken: 0 };
  const steps = (what: string) =>
    async function* (before: number) {
      rounds.push(`${what} ${String((clock.time - before) / DAY)}`);
      for (const batch of batches) {
        state.taken += 1;
        yield await Promise.resolve(batch);
      }
    };
  const names = ['journal', 'failures', 'sent', 'ledger'] as const;
  const retention = Object.fromEntries(names.map((name) => [name, steps(name)])) as unknown as RetentionStore;
  const quiet = () => undefined;
  const log: Log = { debug: quiet, info: quiet, warn: (text: string) => void warned.push(text), error: quiet };
  const made = () =>
    new Retention({
      ...{ retention, records, auditDays, clock, log },
      duties: { hold: () => Promise.resolve(state.held) },
      removed: (what, rows) => (removed[what] = (removed[what] ?? 0) + rows),
    });
  return { clock, records, rounds, removed, warned, state, made };
}

describe('Retention', () => {
  it('looks through the journal every hour and leaves the ledger where no days are set', async () => {
    const { clock, records, rounds, removed, made } = scene(0);
    await made().pass();
    await made().pass();
    expect(rounds).to.deep.equal(['journal 3', 'failures 3', 'sent 3']);
    expect(removed).to.deep.equal({ journal: 2, failures: 2, outbox: 2 });
    expect(await standingOf(records)).to.deep.equal({ journal: { at: NOW, removed: 6 } });
    clock.time += JOURNAL_EVERY_MS;
    await made().pass();
    expect(rounds).to.have.length(6);
    expect(JOURNAL_KEEP_MS).to.equal(3 * DAY);
  });

  it('looks through the ledger every six hours, by its own days', async () => {
    const { clock, rounds, made } = scene(30);
    await made().pass();
    clock.time += AUDIT_EVERY_MS - 1;
    await made().pass();
    clock.time += 1;
    await made().pass();
    expect(rounds.filter((one) => one.startsWith('ledger'))).to.deep.equal(['ledger 30', 'ledger 30']);
  });

  it('begins again what a lost duty or a stop broke off, and takes no further batch', async () => {
    const lost = scene(0, [{ removed: 1 }, { removed: 1 }]);
    lost.state.held = false;
    await lost.made().pass();
    expect(lost.state.taken).to.equal(1);
    expect(await standingOf(lost.records)).to.deep.equal({});
    const stopped = scene(0, [{ removed: 1 }, { removed: 1 }]);
    const one = stopped.made();
    const passing = one.pass();
    await one.stop();
    await passing;
    expect(stopped.state.taken).to.equal(1);
    expect(await standingOf(stopped.records)).to.deep.equal({});
  });

  it('goes on where a clock ran ahead, and says which chains it left', async () => {
    const { clock, records, rounds, warned, made } = scene(1, [{ removed: 0, broken: 'a:1' }]);
    clock.time += 90 * DAY;
    await made().pass();
    clock.time -= 90 * DAY;
    await made().pass();
    expect(rounds.filter((one) => one.startsWith('ledger'))).to.have.length(2);
    expect((await standingOf(records)).ledger).to.deep.equal({ at: NOW, removed: 0, broken: ['a:1'] });
    expect(warned.join()).to.include('do not verify');
  });
});
