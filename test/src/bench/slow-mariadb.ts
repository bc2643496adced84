// A MariaDB server of this run's own, whose syncs take longer: the wait belongs into the process that syncs, and that is the server.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.js';

export type OwnMariadb =
  { readonly is: 'ready'; readonly url: string; stop(): Promise<void> } | { readonly is: 'skipped'; readonly why: string };

const DATABASE = 'bailing_bench';
const READY_MS = 30_000;

/** Starts a server with an empty data folder inside the stage's folder, with `env` (the sync shim) in its process only. */
export async function ownMariadb(stage: Stage, env: NodeJS.ProcessEnv): Promise<OwnMariadb> {
  const data = stage.file('mariadb');
  fs.mkdirSync(data);
  const user = os.userInfo().username;
  const made = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, `--user=${user}`, '--skip-test-db', '--skip-name-resolve'],
    {
      encoding: 'utf8',
    },
  );
  if (made.error || made.status !== 0) return { is: 'skipped', why: 'mariadb-install-db is not here or failed' };
  const port = await freePort();
  const init = path.join(data, 'init.sql');
  fs.writeFileSync(
    init,
    `CREATE DATABASE ${DATABASE};\nCREATE USER bench@'127.0.0.1' IDENTIFIED BY '';\nGRANT ALL ON ${DATABASE}.* TO bench@'127.0.0.1';\n`,
  );
  const log = fs.openSync(stage.file('mariadb.log'), 'a');
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--user=${user}`,
      `--port=${String(port)}`,
      '--bind-address=127.0.0.1',
      `--socket=${path.join(data, 's')}`,
      `--init-file=${init}`,
    ],
    { env: { ...process.env, ...env }, stdio: ['ignore', log, log] },
  );
  const url = `mysql://bench@127.0.0.1:${String(port)}/${DATABASE}`;
  const why = await whyNotReady(server, stage.file('mariadb.log'));
  if (why !== null) return { is: 'skipped', why };
  return { is: 'ready', url, stop: () => stop(server) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function whyNotReady(server: ChildProcess, log: string): Promise<string | null> {
  let failed: string | null = null;
  server.once('error', () => (failed = 'there is no mariadbd'));
  server.once('exit', () => (failed ??= 'mariadbd ended while starting'));
  const until = Date.now() + READY_MS;
  while (Date.now() < until && failed === null) {
    if (fs.readFileSync(log, 'utf8').includes('ready for connections')) return null;
    await sleep(100);
  }
  server.kill('SIGKILL');
  return failed ?? 'mariadbd did not become ready in time';
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}
