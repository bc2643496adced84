import fs from 'node:fs';
import path from 'node:path';

/** How long one fdatasync of a freshly written page takes in this folder, `count` times, sorted, in milliseconds. */
export function syncTimes(folder: string, count: number): number[] {
  const file = path.join(folder, `sync-probe-${String(process.pid)}`);
  const handle = fs.openSync(file, 'w');
  const page = Buffer.alloc(4096, 1);
  try {
    return Array.from({ length: count }, () => {
      fs.writeSync(handle, page);
      const from = performance.now();
      fs.fdatasyncSync(handle);
      return performance.now() - from;
    }).sort((a, b) => a - b);
  } finally {
    fs.closeSync(handle);
    fs.rmSync(file, { force: true });
  }
}
