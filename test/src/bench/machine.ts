import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

/** Where a figure was measured: without it a figure says nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly filesystem: string;
  /** Load average of the minute before the run: above zero something else ran too. */
  readonly loadBefore: number;
}

/** `folder` is where the SQLite file lies. */
export function machine(folder: string): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    filesystem: filesystemOf(folder),
    loadBefore: Number((os.loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** Whether other programs had more than half of the processors in the last minute: then rates, and under more load ratios too, say little. */
export function isBusy(): boolean {
  return (os.loadavg()[0] ?? 0) > os.availableParallelism() / 2;
}

function filesystemOf(folder: string): string {
  try {
    return execFileSync('stat', ['-f', '-c', '%T', folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

/** CPU milliseconds of the MariaDB or MySQL server on this machine, all its threads; null where there is not exactly one to see. */
export function databaseServerCpuMs(): number | null {
  try {
    const found = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && /^(mariadbd|mysqld)$/.test(commandOf(name)));
    const pid = found.length === 1 ? found[0] : undefined;
    if (pid === undefined) return null;
    const after = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = Number(after[11]) + Number(after[12]);
    return Number.isFinite(ticks) ? ticks * (1000 / TICKS_PER_SECOND) : null;
  } catch {
    return null;
  }
}

/** The kernel's unit for process times in /proc, the same on every Linux build in use. */
const TICKS_PER_SECOND = 100;

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
