// `npm run crash-matrix`: plays every edge where something can break, on SQLite and MariaDB side by side, prints them, and fails on a write that
// happened twice or a job that got lost. When all of it held, it writes docs/reference/failures.md.
//   -- --only <text>               edges whose name holds the text
//   -- --database sqlite | mysql   one of them
//   -- --at-once n                 worlds at a time for each database (4)
//   -- --check                     plays nothing; is the page current?
import { spawn } from 'node:child_process';
import path from 'node:path';
import { prepare, root } from './lib/prepare.mjs';

const main = path.join(root, 'test', 'dist', 'crash', 'main.js');
const args = process.argv.slice(2);
const children = new Set();

/** Answers the status it ended with. */
function play(...more) {
  const child = spawn(process.execPath, [main, ...args, ...more], { cwd: root, stdio: 'inherit' });
  children.add(child);
  return new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
}

const named = (option) => args.some((arg) => arg === option || arg.startsWith(`${option}=`));

async function playAll() {
  if (named('--check') || named('--database')) return play();
  // Two processes, because the hubs that go on with what is left live in them and keep a core busy.
  const statuses = await Promise.all([play('--database', 'sqlite'), play('--database', 'mysql')]);
  if (statuses.some((status) => status !== 0)) return 1;
  return named('--only') ? 0 : play('--write');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => children.forEach((child) => child.kill(signal)));
await prepare();
process.exitCode = await playAll();
