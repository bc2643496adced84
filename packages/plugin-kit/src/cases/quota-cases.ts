import assert from 'node:assert/strict';
import type { GovernedCall, Quota, Spend } from '@bailing/plugin-api';
import { sampleCalls } from '../fakes/calls.js';
import type { Case } from './case.js';
import { assertText, unchanged, withoutNetwork } from './watch.js';

const MAX_SPENDS = 16;
/** Columns of the stores are this wide. */
const MAX_BUCKET = 255;

/** What every quota keeps: it declares, and the store performs. */
export const quotaCases: readonly Case<Quota>[] = [
  {
    title: 'declares whole spends for every kind of call, at once, instead of throwing',
    check: async (make) => {
      const quota = await make();
      for (const call of sampleCalls()) assertSpends(quota.spends(call));
    },
  },
  {
    title: 'names each bucket once per call',
    check: async (make) => {
      const quota = await make();
      for (const call of sampleCalls()) {
        const buckets = spendsOf(quota, call).map(({ bucket }) => bucket);
        assert.equal(new Set(buckets).size, buckets.length, 'one bucket is spent from twice');
      }
    },
  },
  {
    title: 'declares the same for the same call, however often it is asked: it performs nothing',
    check: async (make) => {
      const quota = await make();
      for (const call of sampleCalls()) {
        const first = spendsOf(quota, call);
        for (let again = 0; again < 5; again++) assert.deepEqual(spendsOf(quota, call), first);
      }
    },
  },
  {
    title: 'puts the same call into the same buckets after a restart and in every replica',
    check: async (make) => {
      const [one, other] = [await make(), await make()];
      for (const call of sampleCalls()) assert.deepEqual(spendsOf(one, call), spendsOf(other, call));
    },
  },
  {
    title: 'does not change the call it is asked about',
    check: async (make) => {
      const quota = await make();
      for (const call of sampleCalls()) await unchanged(call, (given) => spendsOf(quota, given));
    },
  },
  {
    title: 'reaches nothing outside: no connection, no global fetch',
    check: async (make) => {
      const quota = await make();
      await withoutNetwork(() => Promise.resolve(sampleCalls().map((call) => spendsOf(quota, call))));
    },
  },
];

/** A quota that throws is the matter of the first case alone. */
function spendsOf(quota: Quota, call: GovernedCall): readonly Spend[] {
  try {
    return quota.spends(call);
  } catch {
    return [];
  }
}

function assertSpends(spends: readonly Spend[]): void {
  assert.ok(Array.isArray(spends), 'spends are a list, not a promise');
  assert.ok(spends.length <= MAX_SPENDS, `a call spends from at most ${MAX_SPENDS} buckets`);
  for (const { bucket, limit, windowMs, cost } of spends as readonly Spend[]) {
    assertText(bucket, 'a bucket', MAX_BUCKET);
    assertWhole(limit, 0, 'limit');
    assertWhole(windowMs, 1, 'windowMs');
    assertWhole(cost, 1, 'cost');
  }
}

function assertWhole(value: number, least: number, what: string): void {
  assert.ok(Number.isSafeInteger(value) && value >= least, `${what} is a whole number of at least ${least}`);
}
