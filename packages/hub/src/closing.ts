import type { Log } from '@bailing/plugin-api';

/** The last that came is the first that goes: the port, the worker, connections, plugins, the store. All are attempted. */
export async function closeInTurn(closing: readonly (() => Promise<unknown>)[], log: Log): Promise<void> {
  for (const close of [...closing].reverse()) {
    try {
      await close();
    } catch (error) {
      log.error('something did not close well', { error: String(error) });
    }
  }
}
