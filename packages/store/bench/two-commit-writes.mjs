// Governed writes per second through the store alone: intend and settle, two awaited commits each, 32 at a time, on every database at hand.
// Run: node packages/store/bench/two-commit-writes.mjs [--seconds 3] [--concurrent 32] [--jobs 32] [--no-spends] [--json]
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '@bailing/store';
import { databases } from '@bailing/store/testing';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    concurrent: { type: 'string', default: '32' },
    jobs: { type: 'string', default: '32' },
    'no-spends': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const concurrent = Number(values.concurrent);
const jobs = Number(values.jobs);
const spends = values['no-spends']
  ? []
  : [
      { bucket: 'tool:orders/refund', limit: 10_000_000, windowMs: 60_000, cost: 1 },
      { bucket: 'provider:orders', limit: 10_000_000, windowMs: 60_000, cost: 1 },
    ];

const line = (event, job) => ({
  event,
  at: Date.now(),
  job,
  requestId: `request-${job}`,
  stage: 'tool',
  severity: 'info',
  title: 'Tool call',
  summary: 'orders/refund.request.create',
  detail: JSON.stringify({ provider: 'orders', tool: 'refund.request.create', args: '{"amount":300,"order_no":"A-1001"}', method: 'POST' }),
});

async function held(store, index) {
  const id = `job-${String(index)}`;
  const job = {
    id,
    requestId: `request-${id}`,
    owner: 'crm',
    route: 'refunds',
    target: 'llm',
    source: 'api',
    input: 'refund',
    metadata: '{}',
  };
  const rest = { principalId: null, sessionId: id, isContinue: false, maxAttempts: 1, createdAt: Date.now() };
  await store.jobs.accept({ ...job, ...rest }, line('received', id), false);
}

let serial = 0;
async function write(store, by) {
  serial += 1;
  const argsHash = serial.toString(16).padStart(64, '0');
  const intended = await store.calls.intendWrite({
    by,
    tool: 'refund.request.create',
    maxCalls: 1_000_000_000,
    spends,
    stops: ['hub', 'client:crm', 'route:refunds', 'provider:orders', 'tool:orders/refund.request.create'],
    timeoutMs: 10_000,
    line: line('tool_call', by.job),
    key: { job: by.job, tool: 'refund.request.create', argsHash, idem: argsHash },
    scope: 'refund.create',
    subject: 't1:u1',
    args: '{"amount":300,"order_no":"A-1001"}',
    digest: argsHash,
    provider: 'orders',
    fingerprint: argsHash,
  });
  if (intended.is !== 'go') throw new Error(`refused: ${intended.is}`);
  await store.calls.settleWrite(intended.ticket, { ok: true, status: 201, text: '{"ok":true,"id":17}' }, line('tool_result', by.job));
}

async function measure(fixture) {
  const database = await fixture.create();
  const counted = { commits: 0, statements: 0 };
  const store = await openStore({
    url: database.url,
    replica: 'bench',
    onCommit: () => (counted.commits += 1),
    onStatement: () => (counted.statements += 1),
  });
  for (let index = 0; index < jobs; index += 1) await held(store, index);
  const taken = await store.jobs.take({ replica: 'bench', max: 64, leaseMs: 3_600_000, targets: ['llm'] });
  const times = [];
  const run = async (index, until) => {
    const { by } = taken[index % taken.length];
    while (performance.now() < until) {
      const from = performance.now();
      await write(store, by);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, (_, index) => run(index, performance.now() + 500)));
  times.length = 0;
  Object.assign(counted, { commits: 0, statements: 0 });
  const cpu = process.cpuUsage();
  const from = performance.now();
  await Promise.all(Array.from({ length: concurrent }, (_, index) => run(index, from + seconds * 1000)));
  const took = performance.now() - from;
  const used = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const at = (share) => Number(times[Math.floor(times.length * share)].toFixed(2));
  const result = {
    database: fixture.name,
    concurrent,
    writesPerSecond: Math.round((times.length * 1000) / took),
    p50ms: at(0.5),
    p99ms: at(0.99),
    cpuMicrosPerWrite: Math.round((used.user + used.system) / times.length),
    statementsPerWrite: Number((counted.statements / times.length).toFixed(1)),
    writesPerCommit: Number(((times.length * 2) / counted.commits).toFixed(1)),
  };
  await store.close();
  await database.drop();
  return result;
}

function fdatasyncP50() {
  const folder = mkdtempSync(join(tmpdir(), 'bailing-sync-'));
  const file = openSync(join(folder, 'probe'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 200 }, () => {
    writeSync(file, page);
    const from = performance.now();
    fdatasyncSync(file);
    return performance.now() - from;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return Number(times.sort((a, b) => a - b)[100].toFixed(3));
}

const results = [];
for (const fixture of await databases()) results.push(await measure(fixture));
const report = { fdatasyncP50ms: fdatasyncP50(), results };
if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else {
  process.stdout.write(`fdatasync p50 ${String(report.fdatasyncP50ms)} ms\n`);
  for (const result of results) process.stdout.write(`${JSON.stringify(result)}\n`);
}
