// `npm run demo`: from a fresh clone to three governed jobs. Needs only Node; no key, no network beyond the first install.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { prepare, root } from './lib/prepare.mjs';

prepare();
const child = spawn(process.execPath, [path.join(root, 'packages', 'app', 'dist', 'bin.js'), 'demo', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to both; the child cleans up and ends, then so does this.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('close', (status) => {
  process.exitCode = status ?? 1;
});
