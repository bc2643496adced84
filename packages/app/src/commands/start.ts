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

/** An error nobody caught, most likely a plugin's: a stray rejection is logged and the hub goes on; anything worse drains and ends it. */
function surviveStrayErrors(hub: Hub): void {
  const told = (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.on('unhandledRejection', (reason) =>
    hub.log.error('a rejected promise that nobody handles, most likely of a plugin', told(reason)),
  );
  process.on('uncaughtException', (error) => {
    hub.log.error('an error that nobody caught, most likely of a plugin; the hub drains and ends', told(error));
    void hub.stop().finally(() => process.exit(1));
  });
}

/** Runs the hub until it is told to stop. */
export async function start(options: { config: string }): Promise<void> {
  const { config, cwd } = loadConfig(options.config);
  const hub = createHub({ config, cwd, plugins: ALWAYS, builtins: BUILTINS });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void hub.stop().then(resolve));
  });
  surviveStrayErrors(hub);
  const { url } = await hub.start();
  process.on('SIGHUP', () => reload(options.config, hub));
  print(`bailing listens on ${url}`);
  await stopped;
}
