import { ALWAYS, BUILTINS, loadConfig } from '@bailing/app';
import { createHub, type Hub, type HubOptions } from '@bailing/hub';
import type { Log } from '@bailing/plugin-api';
import type { World } from './world.js';

export interface RunningHub {
  readonly url: string;
  readonly hub: Hub;
  readonly logged: readonly string[];
}

/** The real hub with its built-in plugins, in this process, beside a world's business service. */
export async function startHub(world: Pick<World, 'configFile'>, more: Partial<HubOptions> = {}): Promise<RunningHub> {
  const { config, cwd } = loadConfig(world.configFile, {});
  const logged: string[] = [];
  const note = (level: string) => (message: string, fields?: object) =>
    void logged.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const hub = createHub({ config, cwd, plugins: ALWAYS, builtins: BUILTINS, env: {}, log, ...more });
  const { url } = await hub.start();
  return { url, hub, logged };
}
