// `npm run bench -- calls [--quick] [--json]`, `-- jobs`, `-- size`: builds what is needed, then measures. Figures: docs/reference/performance.md and size.md.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { prepare, root } from './lib/prepare.mjs';

const args = process.argv.slice(2);
// With --json standard output is the report alone, so what the preparation says goes to standard error.
if (args.includes('--json')) process.stdout.write = process.stderr.write.bind(process.stderr);
await prepare();
const child = spawn(process.execPath, [path.join(root, 'test', 'dist', 'bench', 'main.js'), ...args], { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (status) => {
  process.exitCode = status ?? 1;
});
