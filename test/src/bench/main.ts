// `npm run bench -- calls`, `-- jobs` and `-- size`, started by scripts/bench.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/root.js';
import { benchCalls } from './calls.js';
import { broken } from './limits.js';
import { isBusy } from './machine.js';
import { brokenJobs, benchJobs } from './jobs/jobs.js';
import { jobsPage, printedJobs } from './jobs/show.js';
import { writePage, writePart } from './page.js';
import { readOptions, USAGE, type Options } from './options.js';
import { printed } from './print.js';
import { printedSize, sizePage } from './size/show.js';
import { benchSize } from './size/size.js';

function read(args: readonly string[]): Options | null {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
  }
}

async function main([subject, ...args]: readonly string[]): Promise<number> {
  const bench = subject === undefined ? undefined : SUBJECTS.get(subject);
  const options = bench ? read(args) : null;
  if (!bench || !options) {
    if (!bench) process.stderr.write(USAGE);
    return 2;
  }
  if (options.write && subject !== 'size' && isBusy()) {
    process.stderr.write('Something else runs on this machine. Figures for the page want it quiet: wait, or leave out --write.\n');
    return 2;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return bench(options, stop.signal);
}

const say = (text: string) => void process.stderr.write(`${text}\n`);

async function calls(options: Options, signal: AbortSignal): Promise<number> {
  const report = await benchCalls(options, say, signal);
  if (options.write) writePage(report);
  return told('calls', report, broken(report), printed(report), options);
}

async function jobs(options: Options, signal: AbortSignal): Promise<number> {
  const report = await benchJobs(options.quick, say, signal);
  if (options.write) writePart('jobs', jobsPage(report));
  return told('jobs', report, brokenJobs(report), printedJobs(report), options);
}

async function size(options: Options, signal: AbortSignal): Promise<number> {
  const report = await benchSize(options.quick, say, signal);
  if (options.write) writePart('size', sizePage(report), 'size');
  return told('size', report, [], printedSize(report), options);
}

const SUBJECTS = new Map([
  ['calls', calls],
  ['jobs', jobs],
  ['size', size],
]);

function told(subject: string, report: object, failed: readonly string[], text: string, { json }: Options): number {
  const whole = `${JSON.stringify({ ...report, failed }, null, 2)}\n`;
  const folder = path.join(root, '.reports');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `bench-${subject}.json`), whole);
  process.stdout.write(json ? whole : `${text}\n`);
  for (const sentence of failed) say(sentence);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
