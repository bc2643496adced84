import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { compileDocument } from '../compile.js';
import { rings } from '../test-support/big-bodies.js';

/**
 * How long a document takes, by its number of operations, each in a process of its own: `node dist/bench/compile.js`.
 * Floors: 2,000 operations in under 2 s and under 300 MB, and time that grows no faster than the document from 2,000 to 10,000.
 */
const SIZES = [100, 500, 2_000, 10_000];
const FLOORS = { operations: 2_000, ms: 2_000, mb: 300, growth: 1.6 };

/** Wall time, and processor time, which other work on the machine does not stretch: the floors are held against the smaller. */
interface Measured {
  readonly wall: number;
  readonly cpu: number;
  readonly mb: number;
  readonly tools: number;
}

/** The child: reads one file, compiles it once, tells what it took. */
function measureFile(file: string): Measured {
  const text = readFileSync(file, 'utf8');
  const [started, before] = [performance.now(), process.cpuUsage()];
  const tools = compileDocument(text).drafts.length;
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, cpu: (user + system) / 1_000, mb: process.resourceUsage().maxRSS / 1_024, tools };
}

function measureInChild(file: string): Measured {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), file], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Measured;
}

function main(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'openapi-bench-'));
  const times = new Map<string, number>();
  let ok = true;
  process.stdout.write('operations  form     size   wall      cpu       peak memory  tools\n');
  for (const operations of SIZES)
    for (const form of ['json', 'yaml']) {
      const text = form === 'json' ? JSON.stringify(rings(operations)) : dump(rings(operations));
      const file = path.join(folder, `${operations}.${form}`);
      writeFileSync(file, text);
      const { wall, cpu, mb, tools } = measureInChild(file);
      const ms = Math.min(wall, cpu);
      times.set(`${form} ${operations}`, ms);
      const within = operations !== FLOORS.operations || (ms < FLOORS.ms && mb < FLOORS.mb);
      ok &&= within && tools === operations;
      const cells = [
        String(operations).padStart(10),
        form.padEnd(6),
        `${(text.length / 1e6).toFixed(2)} MB`,
        `${ms.toFixed(0)} ms`.padStart(8),
      ];
      process.stdout.write(
        `${[...cells, `${cpu.toFixed(0)} ms`.padStart(8), `${mb.toFixed(0)} MB`.padStart(8), tools].join('  ')}${within ? '' : '  over the floor'}\n`,
      );
    }
  rmSync(folder, { recursive: true });
  for (const form of ['json', 'yaml']) {
    const growth = (times.get(`${form} 10000`) ?? 0) / (times.get(`${form} 2000`) ?? 1) / 5;
    ok &&= growth < FLOORS.growth;
    process.stdout.write(`${form}: from 2,000 to 10,000 operations, time per operation × ${growth.toFixed(2)}\n`);
  }
  process.stdout.write(ok ? 'within the floors\n' : 'NOT within the floors\n');
  return ok ? 0 : 1;
}

const [, , file] = process.argv;
if (file === undefined) process.exitCode = main();
else process.stdout.write(JSON.stringify(measureFile(file)));
