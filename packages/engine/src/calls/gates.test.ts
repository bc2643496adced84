import type { Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { join, judge } from './gates.js';

const CALL = {} as GovernedCall;
const named = (value: Gate, name = 'g') => ({ plugin: 'p', name, value });
const ask = async (...gates: Gate[]) =>
  join(await judge(CALL, { gates: gates.map((gate, i) => named(gate, `g${String(i)}`)), gateTimeoutMs: 40 }));
const says = (verdict: unknown): Gate => ({ judge: () => verdict as Verdict });

const ALLOW: Verdict = { is: 'allow' };
const HOLD: Verdict = { is: 'hold', policy: 'x', reason: 'x' };
const DENY: Verdict = { is: 'deny', code: 'x', reason: 'x' };
const RANK = { allow: 0, hold: 1, deny: 2 };

describe('gates: verdicts join by strictness', () => {
  it('denies over holds over allows, in any order, and adding a gate never loosens', async () => {
    const verdict = fc.constantFrom(ALLOW, HOLD, DENY);
    await fc.assert(
      fc.asyncProperty(fc.array(verdict, { maxLength: 6 }), verdict, async (verdicts, extra) => {
        const before = (await ask(...verdicts.map(says))).verdict.is;
        const after = (await ask(...verdicts.map(says), says(extra))).verdict.is;
        expect(RANK[before]).to.equal(Math.max(0, ...verdicts.map(({ is }) => RANK[is])));
        expect(RANK[after]).to.be.at.least(RANK[before]);
      }),
    );
  });

  it('reads a throw, a rejection, a timeout and a non-verdict as a deny that names the gate', async () => {
    const never = new Promise<Verdict>(() => undefined);
    const broken: Gate[] = [
      {
        judge: () => {
          throw new Error('secret text');
        },
      },
      { judge: () => Promise.reject(new Error('secret text')) },
      { judge: () => never },
      ...[undefined, null, true, {}, { is: 'ALLOW' }, { is: 'hold' }, { is: 'deny' }].map(says),
    ];
    for (const gate of broken) {
      const { verdict, by } = await ask(says(ALLOW), gate);
      expect(verdict).to.include({ is: 'deny', code: 'BAILING_GATE_FAILED' });
      expect(JSON.stringify(verdict)).to.include('p/g1').and.not.include('secret text');
      expect(by).to.equal('p/g1');
    }
  });

  it('tells a late gate that nobody waits any more', async () => {
    let aborted = false;
    await ask({ judge: (_, signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))) });
    expect(aborted).to.equal(true);
  });

  it('lists every hold that an approval must answer', async () => {
    expect((await ask(says(HOLD), says(ALLOW), says(HOLD))).holds.map(({ gate }) => gate)).to.deep.equal(['p/g0', 'p/g2']);
  });
});
