import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../support/root.js';

/** The added wait of the second run, milliseconds per sync. */
export const ADDED_MS = 2;

/** Environment of a process whose syncs take longer, or why there is none. */
export type SlowSync = { readonly is: 'ready'; readonly env: NodeJS.ProcessEnv } | { readonly is: 'skipped'; readonly why: string };

/** Compiles the shim into `folder`. */
export function slowSync(folder: string): SlowSync {
  if (process.platform !== 'linux') return { is: 'skipped', why: 'the wait is added with LD_PRELOAD, which only Linux has' };
  const library = path.join(folder, 'slow-sync.so');
  const source = path.join(root, 'test', 'src', 'bench', 'slow-sync.c');
  const done = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { encoding: 'utf8' });
  if (done.error) return { is: 'skipped', why: 'there is no C compiler called cc' };
  if (done.status !== 0) return { is: 'skipped', why: `cc failed: ${done.stderr.trim().split('\n')[0] ?? ''}` };
  return { is: 'ready', env: { LD_PRELOAD: library, BAILING_BENCH_SYNC_DELAY_US: String(ADDED_MS * 1000) } };
}
