import { createHub } from '@bailing/hub';
import { renderTree } from '@bailing/kernel';
import { ALWAYS, BUILTINS } from '../builtins.js';
import { loadConfig } from '../load-config.js';
import { print } from '../out.js';

/** Boots the configured plugins beside nothing else of the outside (a database in memory, a free port), draws the tree, stops. */
export async function plugins(options: { config: string }): Promise<void> {
  const { config, cwd } = loadConfig(options.config);
  const beside = {
    ...config,
    hub: {
      ...config.hub,
      database: 'sqlite::memory:',
      port: 0,
      host: '127.0.0.1',
      environment: 'development' as const,
      log_level: 'error' as const,
    },
    // Nothing that names a route or a provider stays: they are not opened here.
    clients: [],
    tool_providers: [],
    routes: [],
    alert_rules: [],
  };
  const hub = createHub({ config: beside, cwd, plugins: ALWAYS, builtins: BUILTINS });
  try {
    await hub.start();
    print(renderTree(await hub.plugins()));
  } finally {
    await hub.stop();
  }
}
