// What every command needs first: the packages of the lock file, and a build. Both cost a blink when nothing changed.
import { spawn, spawnSync } from 'node:child_process';
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

async function install() {
  const wanted = lockHash();
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages (about a minute the first time; nothing is compiled) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const status = await attended(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail('npm ci failed: see the lines above. Is the package registry reachable?');
  fs.writeFileSync(stamp, wanted);
}

async function build() {
  say('Building …');
  const tsc = path.join(root, 'node_modules', 'ts7', 'bin', 'tsc');
  const status = await attended(process.execPath, [tsc, '-b'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('The build failed: see the lines above.');
}

export async function prepare() {
  checkNode();
  await install();
  await build();
}

/**
 * Runs a command and answers its status. A signal that ends this process ends the command first: nothing goes on installing behind the back of
 * whoever pressed Ctrl-C.
 */
export async function attended(command, args, options) {
  const child = spawn(command, args, options);
  let signalled;
  const pass = (signal) => {
    signalled = signal;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass);
  if (signalled) {
    process.kill(process.pid, signalled);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return status ?? 1;
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
