// What every command needs first: the packages of the lock file, and a build. Both cost a blink when nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const stamp = path.join(root, 'node_modules', '.bailing-installed');

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Ends the command with a sentence instead of a stack. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: Bailing needs 20.19 or newer.`);
}

function lockHash() {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function install() {
  const wanted = lockHash();
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages (about a minute the first time; nothing is compiled) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) fail('npm ci failed: see the lines above. Is the package registry reachable?');
  fs.writeFileSync(stamp, wanted);
}

function build() {
  say('Building …');
  const tsc = path.join(root, 'node_modules', 'ts7', 'bin', 'tsc');
  const done = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) fail('The build failed: see the lines above.');
}

export function prepare() {
  checkNode();
  install();
  build();
}

/** Runs a command, passing its output on, and answers its status and what it printed. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  process.stdout.write(done.stdout ?? '');
  process.stderr.write(done.stderr ?? '');
  return { status: done.status ?? 1, output: `${done.stdout ?? ''}${done.stderr ?? ''}` };
}

export function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
