import type { GovernedCall, Quota, Spend } from '@bailing/plugin-api';
import { conformance, quotaCases } from '../index.js';
import { proveCases } from '../test-support/prove.js';

const one: Spend = { bucket: 'tool:create_refund', limit: 10, windowMs: 60_000, cost: 1 };
const perUser: Quota = { spends: ({ subject }) => (subject === '' ? [] : [{ ...one, bucket: `user:${subject}` }]) };
const quota = (spends: (call: GovernedCall) => unknown): (() => Quota) => {
  return () => ({ spends: spends as Quota['spends'] });
};

function numbered(): Quota {
  let calls = 0;
  return { spends: () => [{ ...one, bucket: `call:${++calls}` }] };
}

let instances = 0;
function perInstance(): Quota {
  const id = ++instances;
  return { spends: () => [{ ...one, bucket: `process:${id}` }] };
}

describe('the cases of quotas', () => {
  proveCases<Quota>(quotaCases, { 'a quota per user': () => perUser, 'a quota that spends nothing': quota(() => []) }, [
    ['answers a promise', 'declares whole spends', quota(() => Promise.resolve([one]))],
    ['answers one spend instead of a list', 'declares whole spends', quota(() => one)],
    ['throws without a subject', 'instead of throwing', quota(({ subject }) => (subject === '' ? Reflect.ownKeys(0 as never) : [one]))],
    ['spends half a token', 'declares whole spends', quota(() => [{ ...one, cost: 0.5 }])],
    ['spends less than nothing', 'declares whole spends', quota(() => [{ ...one, cost: -1 }])],
    ['has no window', 'declares whole spends', quota(() => [{ ...one, windowMs: 0 }])],
    ['has no number for a limit', 'declares whole spends', quota(() => [{ ...one, limit: NaN }])],
    [
      'puts an argument of any length into a bucket',
      'declares whole spends',
      quota(({ args }) => [{ ...one, bucket: `order:${String(args['order'])}` }]),
    ],
    [
      'spends from a thousand buckets',
      'declares whole spends',
      quota(() => Array.from({ length: 1_000 }, (_, n) => ({ ...one, bucket: `b${n}` }))),
    ],
    ['spends twice from one bucket', 'each bucket once', quota(() => [one, one])],
    ['counts', 'performs nothing', numbered],
    ['names its buckets after the process', 'in every replica', perInstance],
    ['rewrites the subject', 'does not change the call', quota((call) => (Reflect.set(call, 'subject', 'somebody'), [one]))],
    ['asks a server', 'reaches nothing outside', quota(() => (void fetch('http://127.0.0.1:9/').catch(() => undefined), [one]))],
  ]);
});

describe('a quota that is declared to conform', () => {
  conformance.quota(() => perUser);
});
