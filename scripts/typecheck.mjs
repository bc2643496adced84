// Type-checks every project with the JavaScript compiler as well: editors and lint use it, so both compilers must agree.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './lib/prepare.mjs';

const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { references } = JSON.parse(fs.readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
let failed = 0;
for (const { path: project } of references) {
  const done = spawnSync(
    process.execPath,
    [tsc, '-p', path.join(root, project), '--noEmit', '--composite', 'false', '--incremental', 'false'],
    { cwd: root, stdio: 'inherit' },
  );
  if (done.status !== 0) failed += 1;
}
process.stdout.write(`type check: ${references.length - failed} projects ok, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
