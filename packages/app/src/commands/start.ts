import { createHub, type Hub } from '@bailing/hub';
import { ALWAYS, BUILTINS } from '../builtins.js';
import { loadConfig } from '../load-config.js';
import { print } from '../out.js';

/** SIGHUP reads the file again; a file that is wrong changes nothing. */
function reload(file: string, hub: Hub): void {
  try {
    hub.reconfigure(loadConfig(file).config);
  } catch (error) {
    hub.log.error('the configuration was not swapped', { error: error instanceof Error ? error.message : String(error) });
  }
}

/** Runs the hub until it is told to stop. */
export async function start(options: { config: string }): Promise<void> {
  const { config, cwd } = loadConfig(options.config);
  const hub = createHub({ config, cwd, plugins: ALWAYS, builtins: BUILTINS });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void hub.stop().then(resolve));
  });
  const { url } = await hub.start();
  process.on('SIGHUP', () => reload(options.config, hub));
  print(`bailing listens on ${url}`);
  await stopped;
}
