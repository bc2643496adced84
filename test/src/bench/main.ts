// `npm run bench -- calls`, started by scripts/bench.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/root.js';
import { benchCalls } from './calls.js';
import { broken } from './limits.js';
import { isBusy } from './machine.js';
import { writePage } from './page.js';
import { readOptions, USAGE, type Options } from './options.js';
import { printed } from './print.js';

function read(args: readonly string[]): Options | null {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
  }
}

async function main([subject, ...args]: readonly string[]): Promise<number> {
  const options = subject === 'calls' ? read(args) : null;
  if (!options) {
    if (subject !== 'calls') process.stderr.write(USAGE);
    return 2;
  }
  if (options.write && isBusy()) {
    process.stderr.write('Something else runs on this machine. Figures for the page want it quiet: wait, or leave out --write.\n');
    return 2;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const report = await benchCalls(options, (text) => process.stderr.write(`${text}\n`), stop.signal);
  const failed = broken(report);
  const json = `${JSON.stringify({ ...report, failed }, null, 2)}\n`;
  const folder = path.join(root, '.reports');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'bench-calls.json'), json);
  if (options.write) writePage(report);
  process.stdout.write(options.json ? json : `${printed(report)}\n`);
  for (const sentence of failed) process.stderr.write(`${sentence}\n`);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
