// The architecture test by hand: who imports whom, held against the rule of the house. Tests run the same check.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Checks a tree; answers exit status and the report. `cwd` may be another tree laid out alike. */
export function checkRooms(cwd = root) {
  const bin = path.join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const where = ['kernel/src', 'packages', 'plugins', 'sdk-verifiers/node/src', 'sdk-verifiers/check/src'];
  const args = [bin, '--config', path.join(root, '.dependency-cruiser.cjs'), ...where, '-T', 'err-long'];
  const done = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status: done.status ?? 1, report: `${done.stdout}${done.stderr}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { status, report } = checkRooms();
  process.stdout.write(report);
  process.exitCode = status;
}
