import assert from 'node:assert/strict';
import type { Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import { sampleCalls } from '../fakes/calls.js';
import type { Case } from './case.js';
import { assertText, unchanged, within, withoutNetwork } from './watch.js';

/** What every gate keeps, whatever it decides. */
export const gateCases: readonly Case<Gate>[] = [
  {
    title: 'answers every kind of call with a whole verdict instead of throwing',
    check: async (make, patienceMs) => {
      const gate = await make();
      for (const call of sampleCalls()) assertVerdict(await ask(gate, call, patienceMs));
    },
  },
  {
    title: 'gives the same call the same verdict, however often it is asked: it counts nothing',
    check: async (make, patienceMs) => {
      const gate = await make();
      for (const call of sampleCalls()) {
        const first = await ask(gate, call, patienceMs);
        for (let again = 0; again < 5; again++) assert.deepEqual(await ask(gate, call, patienceMs), first);
      }
    },
  },
  {
    title: 'judges each of many calls at once as it would alone',
    check: async (make, patienceMs) => {
      const gate = await make();
      const calls = sampleCalls();
      const alone: Verdict[] = [];
      for (const call of calls) alone.push(await ask(gate, call, patienceMs));
      assert.deepEqual(await Promise.all(calls.map((call) => ask(gate, call, patienceMs))), alone);
    },
  },
  {
    title: 'does not change the call it judges',
    check: async (make, patienceMs) => {
      const gate = await make();
      for (const call of sampleCalls()) await unchanged(call, (given) => ask(gate, given, patienceMs));
    },
  },
  {
    title: 'comes to an end when its signal is aborted',
    check: async (make, patienceMs) => {
      const gate = await make();
      const answers = sampleCalls().map(async (call) => gate.judge(call, AbortSignal.abort()));
      await within(patienceMs, Promise.allSettled(answers), 'an aborted judgement');
    },
  },
  {
    title: 'reaches nothing outside: no connection, no global fetch',
    check: async (make, patienceMs) => {
      const gate = await make();
      await withoutNetwork(() => Promise.allSettled(sampleCalls().map((call) => ask(gate, call, patienceMs))));
    },
  },
];

function ask(gate: Gate, call: GovernedCall, patienceMs: number): Promise<Verdict> {
  return within(patienceMs, (async () => gate.judge(call, new AbortController().signal))(), 'a judgement');
}

function assertVerdict(verdict: Verdict): void {
  assert.ok(typeof verdict === 'object' && verdict !== null, 'a verdict is an object');
  if (verdict.is === 'allow') return;
  assert.ok(verdict.is === 'hold' || verdict.is === 'deny', 'a verdict is allow, hold or deny');
  assertText(verdict.reason, 'the reason', 1_000);
  const name = verdict.is === 'hold' ? verdict.policy : verdict.code;
  assertText(name, verdict.is === 'hold' ? 'the policy' : 'the code', 128);
  assert.doesNotMatch(name, /\s/, 'a policy or a code is one word, for programs');
}
