import { createHub } from '@bailing/hub';
import { ALWAYS, BUILTINS } from '../builtins.js';
import { loadConfig } from '../load-config.js';
import { print } from '../out.js';

/** Runs the hub until it is told to stop. */
export async function start(options: { config: string }): Promise<void> {
  const { config, cwd } = loadConfig(options.config);
  const hub = createHub({ config, cwd, plugins: ALWAYS, builtins: BUILTINS });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void hub.stop().then(resolve));
  });
  const { url } = await hub.start();
  print(`bailing listens on ${url}`);
  await stopped;
}
