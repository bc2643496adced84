import fs from 'node:fs';

/** Kernel ticks a second, as Linux tells them to programs on every architecture. */
const TICKS = 100;

/** Processor time that a process has used, its threads included, in seconds; null where the system does not tell (it needs /proc). */
export function cpuSeconds(pid: number): number | null {
  try {
    const after =
      fs
        .readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        ?.split(' ') ?? [];
    // Fields 14 and 15, counted from the state, which is the third.
    return (Number(after[11]) + Number(after[12])) / TICKS;
  } catch {
    return null;
  }
}
