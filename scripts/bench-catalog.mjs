// `node scripts/bench-catalog.mjs [--json]`, after a build: what a large document costs a hub. Three figures against floors of the issue:
// 2,000 operations compile under 2 s and 300 MB; a job on a route that allows all of them starts in microseconds; compile time grows linearly.
// Times are processor time of this process, so that a busy machine does not blur them; the clock on the wall stands beside.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const [, , mode, size] = process.argv;
const JOBS = 20_000;

/** Every size in a process of its own, so that memory is that of this size alone. */
async function all(json) {
  const rows = [100, 1_000, 2_000, 5_000, 10_000].map((operations) => {
    const child = spawnSync(process.execPath, ['--expose-gc', here, '--one', String(operations)], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout);
  });
  const per = (row) => row.compile_ms / row.operations;
  const middle = rows.find(({ operations }) => operations === 2_000);
  const [thousand, largest] = [rows.find(({ operations }) => operations === 1_000), rows.at(-1)];
  const floors = [
    { what: '2,000 operations compile in under 2,000 ms', is: middle.compile_ms, under: 2_000 },
    { what: '2,000 operations stay under 300 MB', is: middle.peak_mb, under: 300 },
    { what: 'a job on a route of 2,000 tools starts in under 100 µs', is: middle.job_start_us, under: 100 },
    { what: 'an operation of 10,000 costs at most twice one of 1,000', is: per(largest) / per(thousand), under: 2 },
  ];
  if (json) process.stdout.write(`${JSON.stringify({ rows, floors }, null, 2)}\n`);
  else {
    console.log('operations  compile ms  (wall)  µs/operation  peak MB  first view ms  job start µs  first search ms  search µs');
    for (const row of rows)
      console.log(
        [
          row.operations,
          row.compile_ms,
          row.compile_wall_ms,
          (per(row) * 1_000).toFixed(0),
          row.peak_mb,
          row.first_view_ms,
          row.job_start_us,
          row.first_search_ms,
          row.search_us,
        ]
          .map((value, index) => String(value).padStart([10, 10, 6, 12, 7, 13, 12, 15, 9][index]))
          .join('  '),
      );
    for (const { what, is, under } of floors) console.log(`${is < under ? 'ok  ' : 'MISS'} ${what}: ${is.toFixed(1)}`);
  }
  process.exitCode = floors.every(({ is, under }) => is < under) ? 0 : 1;
}

async function one(operations) {
  const { compileDocument } = await import('../packages/openapi/dist/index.js');
  const { Catalogue, makeRevision, searchTools } = await import('../packages/engine/dist/index.js');
  const { createSchemaCheck } = await import('../packages/schema/dist/index.js');
  const text = JSON.stringify(documentOf(operations));
  // A small document first: a hub that reads a large one has been running for a while.
  makeRevision('warm', 'w', compileDocument(JSON.stringify(documentOf(50))), createSchemaCheck());
  globalThis.gc();
  let peak = process.memoryUsage().rss;
  const watch = () => (peak = Math.max(peak, process.memoryUsage().rss));
  const [revision, compile_ms, compile_wall_ms] = timed(() => makeRevision('shop', text, compileDocument(text), createSchemaCheck()));
  watch();
  if (revision.tools.size !== operations) throw new Error(`${revision.tools.size} of ${operations} operations became tools`);
  const catalogue = new Catalogue();
  catalogue.install('shop', revision);
  const route = { route_key: 'r', tools: { max_calls: 5, sources: [{ provider: 'shop', allow: ['*'] }] } };
  const settings = { rev: 1, provider: () => ({ enabled: true }) };
  const start = async () => catalogue.view(route, settings, new Map([['shop', 'u-1']]), await catalogue.pinned(catalogue.setId));
  const begun = performance.now();
  const view = await start();
  const first_view_ms = performance.now() - begun;
  const before = process.cpuUsage();
  for (let i = 0; i < JOBS; i++) await start();
  const spent = process.cpuUsage(before);
  const job_start_us = (spent.user + spent.system) / JOBS;
  const [, first_search_ms] = timed(() => searchTools(view, '查询 member 42', 5));
  const [, searches] = timed(() => {
    for (let i = 0; i < 200; i++) searchTools(view, `update order ${i}`, 5);
  });
  watch();
  const round = (value) => Math.round(value * 100) / 100;
  const peak_mb = Math.round(peak / 1_048_576);
  const figures = { compile_ms, compile_wall_ms, first_view_ms, job_start_us, first_search_ms, search_us: searches * 5 };
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));
  process.stdout.write(JSON.stringify({ operations, text_kb: Math.round(text.length / 1_024), peak_mb, ...rounded }));
}

/** Processor time of a piece of work, and the time on the wall. Milliseconds. */
function timed(work) {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const value = work();
  const { user, system } = process.cpuUsage(cpu);
  return [value, (user + system) / 1_000, performance.now() - wall];
}

/** Operations as real services have them: path and query parameters, bodies with shared and nested schemas, Chinese and English words. */
function documentOf(operations) {
  const paths = {};
  for (let i = 0; i < operations; i++) {
    const write = i % 3 === 0;
    paths[`/v1/things_${i}/{id}`] = {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      [write ? 'post' : 'get']: {
        operationId: `thing_${i}_${write ? 'update' : 'query'}`,
        summary: write ? `Update order ${i} of a member.` : `查询第 ${i} 号门店的员工与订单。`,
        'x-agent-capability': { version: 1, enabled: true, scope: `thing.n${i}`, ...(write && { risk: { level: 'medium' } }) },
        ...(write
          ? { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } }
          : { parameters: [{ name: 'status', in: 'query', schema: { type: 'string', enum: ['open', 'paid', 'closed'] } }] }),
        responses: { 200: { description: 'Done.' } },
      },
    };
  }
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths, components: COMPONENTS };
}

const COMPONENTS = {
  parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 40 } } },
  schemas: {
    Money: { type: 'object', properties: { amount: { type: 'number', minimum: 0 }, currency: { type: 'string', enum: ['CNY', 'EUR'] } } },
    Line: {
      type: 'object',
      properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1 }, price: { $ref: '#/components/schemas/Money' } },
    },
    Order: {
      type: 'object',
      required: ['lines'],
      properties: {
        lines: { type: 'array', maxItems: 50, items: { $ref: '#/components/schemas/Line' } },
        note: { type: ['string', 'null'], maxLength: 200 },
        total: { $ref: '#/components/schemas/Money' },
      },
    },
  },
};

if (mode === '--one') await one(Number(size));
else await all(process.argv.includes('--json'));
