// All tests of the project: `npm test`. Ends with `N passed, N failed`. A layer that cannot run says `skipped, because …`; with CI=true that fails.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { has, prepare, root, say } from './lib/prepare.mjs';

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

/** Runs a command; its output is printed when it has ended, so that layers that run side by side do not mix. */
function follow(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => {
      process.stdout.write(output);
      resolve({ status: status ?? 1, output });
    });
  });
}

async function mocha(name, specs) {
  const bin = path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const { status, output } = await follow(process.execPath, [bin, ...specs, ...process.argv.slice(2)], {
    BAILING_CRASH: 'quick',
    BAILING_TEST_RUNS: process.env.BAILING_TEST_RUNS ?? '0.4',
  });
  const number = (word) => Number(new RegExp(`^\\s*(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0);
  const failed = Math.max(number('failing'), status === 0 ? 0 : 1);
  count(name, number('passing'), failed);
  if (number('pending') > 0) skip('Some tests', `${number('pending')} of them are pending`);
  for (const line of new Set(output.match(/^.*skipped, because.*$/gm) ?? [])) skip('A layer', line.replace(/^.*skipped, because /, ''));
}

const ROOMS = ['kernel/dist', 'packages/!(store)/dist', 'plugins/*/dist', 'sdk-verifiers/*/dist', 'docs/examples/*/dist'];
const inside = (dirs) => dirs.map((dir) => `${dir}/**/*.test.js`);
const journeys = () => mocha('TypeScript, journeys', inside(['test/dist/journeys']));
// Of the crash tests and of the longest property a selection; all of them, minutes each, run in CI.
const promises = () => mocha('TypeScript, promises', [...inside(['test/dist/!(crash|journeys)']), 'test/dist/crash/refund.test.js']);
const store = () => mocha('TypeScript, store', inside(['packages/store/dist']));
const rooms = () => mocha('TypeScript, rooms', inside(ROOMS));

async function python() {
  const dir = path.join(root, 'sdk-verifiers', 'python', 'tests');
  if (!fs.existsSync(dir)) return;
  if (!has('python3')) return skip('Python verifier', 'python3 is not installed');
  const { status, output } = await follow('python3', ['-m', 'unittest', 'discover', '-s', dir]);
  const ran = Number(/Ran (\d+) tests?/.exec(output)?.[1] ?? 0);
  const bad = status === 0 ? 0 : Math.max(1, ...[...output.matchAll(/(?:failures|errors)=(\d+)/g)].map((found) => Number(found[1])));
  count('Python verifier', Math.max(0, ran - bad), ran === 0 ? 1 : bad);
}

async function php() {
  const script = path.join(root, 'sdk-verifiers', 'php', 'tests', 'run.php');
  if (!fs.existsSync(script)) return;
  if (!has('php')) return skip('PHP verifier', 'php is not installed (Debian: apt-get install php-cli php-curl php-mbstring php-sqlite3)');
  const { status, output } = await follow('php', [script]);
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed/.exec(output) ?? [];
  count('PHP verifier', Number(passed), Math.max(Number(failed), status === 0 ? 0 : 1));
}

/** The PHP core stays in PHP 7.2 syntax; a parser set to 7.2 holds it. */
async function phpSyntax() {
  const { status, output } = await follow(process.execPath, [path.join(root, 'sdk-verifiers', 'php', 'syntax-72.mjs')]);
  count('PHP 7.2 syntax', status === 0 ? Number(/(\d+) files/.exec(output)?.[1] ?? 1) : 0, status === 0 ? 0 : 1);
}

async function vectors() {
  if (!fs.existsSync(path.join(root, 'scripts', 'vectors.mjs'))) return;
  const { status, output } = await follow(process.execPath, [path.join(root, 'scripts', 'vectors.mjs')]);
  const counts = [...(/^vectors .*$/m.exec(output)?.[0] ?? '').matchAll(/(\d+)/g)].map((found) => Number(found[1]));
  count(
    'Shared vectors, all languages',
    counts.reduce((sum, one) => sum + one, 0),
    status === 0 ? 0 : 1,
  );
}

/** Layers run side by side, the long ones first. */
async function all(layers) {
  const waiting = Object.entries(layers);
  const running = new Set();
  const beat = setInterval(() => say(`… running: ${[...running].join(', ')}`), 30_000);
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, layer] = next;
      running.add(name);
      await layer();
      running.delete(name);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(2, os.availableParallelism())) }, worker));
  clearInterval(beat);
}

const started = Date.now();
await prepare();
say('Testing …');
await all({
  journeys,
  promises,
  store,
  rooms,
  vectors,
  'Python verifier': python,
  'PHP verifier': php,
  'PHP 7.2 syntax': phpSyntax,
});
say(`\nAll layers took ${Math.round((Date.now() - started) / 1000)} s.`);
if (total.skipped > 0) say(`${total.skipped} layer(s) skipped, see above.`);
fs.mkdirSync(path.join(root, '.reports'), { recursive: true });
fs.writeFileSync(path.join(root, '.reports', 'test.json'), JSON.stringify(total));
say(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
