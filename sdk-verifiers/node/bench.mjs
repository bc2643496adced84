// What does verifying a call with a body of 10 KiB cost? Usage: node bench.mjs. Fails above 50 microseconds (the median of nine rounds).
import { failureReason, gate, signToolCall } from './dist/index.js';

const LIMIT_US = 50;
const ROUNDS = 9;
const CALLS = 2000;

const secret = 'bailing-test-secret';
const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(10_240 - 11) }));
const now = 1_718_000_000;
const call = {
  method: 'POST',
  pathWithQuery: '/orders/refund?dry=1',
  body,
  onBehalfOf: '179:1',
  jobId: '11111111-2222-4333-8444-555555555555',
};
const signature = signToolCall(secret, { ts: now, ...call });
const headers = [
  'X-Bailing-Timestamp',
  String(now),
  'X-Bailing-Signature',
  signature,
  'X-Bailing-On-Behalf-Of',
  call.onBehalfOf,
  'X-Bailing-Job-Id',
  call.jobId,
];
const request = { method: call.method, target: call.pathWithQuery, headers, body, tool: 'refund', now };
const allow = () => true;

async function microseconds(work) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i += 1) await work();
    rounds.push(Number(process.hrtime.bigint() - from) / 1000 / CALLS);
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

const verified = await microseconds(() => {
  if (failureReason(secret, { ...call, timestamp: String(now), signature, now }) !== null) throw new Error('it should verify');
});
const gated = await microseconds(async () => {
  if (!(await gate(secret, allow, request)).ok) throw new Error('it should be let in');
});
process.stdout.write(
  `${body.length} bytes: verify ${verified.toFixed(1)} µs · gate with parsed parameters ${gated.toFixed(1)} µs (limit for verify ${LIMIT_US} µs)\n`,
);
process.exitCode = verified < LIMIT_US ? 0 : 1;
