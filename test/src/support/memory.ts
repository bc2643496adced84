import fs from 'node:fs';

/** Begins the high-water mark of a process anew, where the system knows one (Linux). */
export function resetPeak(pid: number): void {
  try {
    fs.writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
  } catch {
    // Then the mark holds the time before as well.
  }
}

/** The most resident memory a process has had, in MiB; null where the system does not tell. */
export function peakMib(pid: number): number | null {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}
