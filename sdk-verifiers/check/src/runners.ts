import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Party } from './vectors.js';

/** The folder `sdk-verifiers`, seen from `check/dist`. */
export const SDKS = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Runner {
  readonly party: Party;
  readonly command: string;
  readonly args: readonly string[];
}

export interface Report {
  readonly language: string;
  readonly version: string;
  readonly total: number;
  readonly results: Readonly<Record<string, string>>;
}

export interface Run {
  readonly report: Report | null;
  /** Exit code and everything on standard error: both belong to the answer. */
  readonly code: number | null;
  readonly stderr: string;
}

const COMMANDS: Readonly<Record<Party, string>> = { node: process.execPath, hub: process.execPath, python: 'python3', php: 'php' };
const SCRIPTS: Readonly<Record<Party, string>> = {
  node: 'node/vectors-run.mjs',
  python: 'python/vectors_run.py',
  php: 'php/vectors-run.php',
  hub: 'check/hub-run.mjs',
};
const MAX_OUTPUT = 64 * 1024 * 1024;
const TIME_LIMIT_MS = 120_000;

/** How to run a language's runner; `root` is the folder of the SDKs or a copy of it. */
export function runnerOf(party: Party, root = SDKS): Runner {
  return { party, command: COMMANDS[party], args: [path.join(root, SCRIPTS[party])] };
}

/** `null` when the language is there, else why it is not. */
export function missing(party: Party): string | null {
  const found = spawnSync(COMMANDS[party], ['--version'], { stdio: 'ignore' });
  return found.status === 0 ? null : `skipped, because ${COMMANDS[party]} is not installed`;
}

function parseReport(text: string): Report | null {
  try {
    const value = JSON.parse(text) as Report;
    return typeof value === 'object' && value !== null && typeof value.results === 'object' && value.results !== null ? value : null;
  } catch {
    return null;
  }
}

/** Runs a runner on a folder of vectors. Never rejects: a runner that cannot start, hangs or floods has no report. */
export function runVectors(runner: Runner, folder: string, extra: readonly string[] = []): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(runner.command, [...runner.args, folder, ...extra], { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIME_LIMIT_MS });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    const take =
      (into: Buffer[]) =>
      (chunk: Buffer): void => {
        size += chunk.length;
        if (size > MAX_OUTPUT) child.kill();
        else into.push(chunk);
      };
    child.stdout.on('data', take(out));
    child.stderr.on('data', take(err));
    child.on('error', (error) => resolve({ report: null, code: null, stderr: error.message }));
    child.on('close', (code) =>
      resolve({ report: parseReport(Buffer.concat(out).toString()), code, stderr: Buffer.concat(err).toString() }),
    );
  });
}
