// All tests of the project: `npm test`. Ends with `N passed, N failed`. A layer that cannot run says `skipped, because …`; with CI=true that fails.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { has, prepare, root, run, say } from './lib/prepare.mjs';

const CI = process.env.CI === 'true';
const total = { passed: 0, failed: 0, skipped: 0 };

function count(name, passed, failed) {
  total.passed += passed;
  total.failed += failed;
  say(`— ${name}: ${passed} passed, ${failed} failed`);
}

/** A layer that cannot run here; in CI that is a failure. */
function skip(name, why) {
  say(`${name} skipped, because ${why}`);
  total.skipped += 1;
  if (CI) count(`${name} (must not be skipped in CI)`, 0, 1);
}

/** Like `run`, but prints as it goes. */
function follow(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
      process.stderr.write(chunk);
    });
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

async function mocha() {
  const rooms = ['kernel/dist', 'packages/*/dist', 'plugins/*/dist', 'sdk-verifiers/*/dist', 'docs/examples/*/dist', 'test/dist/!(crash)'];
  // Of the crash tests a quick selection; the full lists, minutes each, run in CI.
  const specs = [...rooms.map((dir) => `${dir}/**/*.test.js`), 'test/dist/crash/refund.test.js'];
  const bin = path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const { status, output } = await follow(process.execPath, [bin, ...specs, ...process.argv.slice(2)], { BAILING_CRASH: 'quick' });
  const number = (word) => Number(new RegExp(`^\\s*(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0);
  const failed = Math.max(number('failing'), status === 0 ? 0 : 1);
  count('TypeScript', number('passing'), failed);
  if (number('pending') > 0) skip('Some tests', `${number('pending')} of them are pending`);
  for (const line of new Set(output.match(/^.*skipped, because.*$/gm) ?? [])) skip('A layer', line.replace(/^.*skipped, because /, ''));
}

async function python() {
  const dir = path.join(root, 'sdk-verifiers', 'python', 'tests');
  if (!fs.existsSync(dir)) return;
  if (!has('python3')) return skip('Python verifier', 'python3 is not installed');
  const { status, output } = run('python3', ['-m', 'unittest', 'discover', '-s', dir]);
  const ran = Number(/Ran (\d+) tests?/.exec(output)?.[1] ?? 0);
  const bad = status === 0 ? 0 : Math.max(1, ...[...output.matchAll(/(?:failures|errors)=(\d+)/g)].map((found) => Number(found[1])));
  count('Python verifier', Math.max(0, ran - bad), ran === 0 ? 1 : bad);
}

async function php() {
  const script = path.join(root, 'sdk-verifiers', 'php', 'tests', 'run.php');
  if (!fs.existsSync(script)) return;
  if (!has('php')) return skip('PHP verifier', 'php is not installed (Debian: apt-get install php-cli php-curl php-mbstring php-sqlite3)');
  const { status, output } = run('php', [script]);
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed/.exec(output) ?? [];
  count('PHP verifier', Number(passed), Math.max(Number(failed), status === 0 ? 0 : 1));
}

/** The PHP core stays in PHP 7.2 syntax; a parser set to 7.2 holds it. */
async function phpSyntax() {
  const { status, output } = run(process.execPath, [path.join(root, 'sdk-verifiers', 'php', 'syntax-72.mjs')]);
  count('PHP 7.2 syntax', status === 0 ? Number(/(\d+) files/.exec(output)?.[1] ?? 1) : 0, status === 0 ? 0 : 1);
}

async function vectors() {
  if (!fs.existsSync(path.join(root, 'scripts', 'vectors.mjs'))) return;
  const { status, output } = run(process.execPath, [path.join(root, 'scripts', 'vectors.mjs')]);
  const counts = [...(/^vectors .*$/m.exec(output)?.[0] ?? '').matchAll(/(\d+)/g)].map((found) => Number(found[1]));
  count(
    'Shared vectors, all languages',
    counts.reduce((sum, one) => sum + one, 0),
    status === 0 ? 0 : 1,
  );
}

const started = Date.now();
prepare();
await mocha();
await vectors();
await python();
await php();
await phpSyntax();
say(`\nAll layers took ${Math.round((Date.now() - started) / 1000)} s.`);
if (total.skipped > 0) say(`${total.skipped} layer(s) skipped, see above.`);
fs.mkdirSync(path.join(root, '.reports'), { recursive: true });
fs.writeFileSync(path.join(root, '.reports', 'test.json'), JSON.stringify(total));
say(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
