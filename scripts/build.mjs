// Builds every package with the native compiler (`tsc -b`): project references give the order, and an unchanged tree costs a blink.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tsc = path.join(root, 'node_modules', 'ts7', 'bin', 'tsc');

export function build(args = []) {
  const done = spawnSync(process.execPath, [tsc, '-b', ...args], { cwd: root, stdio: 'inherit' });
  return done.status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = build(process.argv.slice(2));
