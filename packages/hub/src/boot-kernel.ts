import { MemoryStreams } from '@bailing/engine';
import type { Store, Wakeups } from '@bailing/engine/ports';
import { createKernel, discover, hostService, hostServicePerPlugin, type BuiltIns, type Kernel, type PluginEntry } from '@bailing/kernel';
import { createHttp, createSockets, type HostRules } from '@bailing/outbound';
import { services, type Clock, type Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { SchemaRoom } from '@bailing/schema';
import { idOf } from './entry-id.js';
import { logOf } from './log.js';
import { createWebhooks } from './webhooks.js';

export interface KernelOptions {
  readonly config: BailingConfig;
  /** Plugins that always run; a configured entry for the same built-in replaces it. */
  readonly plugins: readonly PluginEntry[];
  readonly builtins: BuiltIns | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly schema: SchemaRoom;
  readonly hosts: HostRules;
  readonly store: Store;
  readonly secretOf: (owner: string) => string;
  /** Told how to close what was opened, in the order of opening. */
  readonly closing: (close: () => Promise<unknown>) => void;
}

/** Finds the plugins, gives them the host's services, and starts them. @throws BootFailure */
export async function bootKernel(options: KernelOptions): Promise<Kernel> {
  const { config, log, clock, schema, store, env } = options;
  const configured = config.plugins;
  const always = options.plugins.filter((entry) => !configured.some(({ use }) => use === idOf(entry)));
  const found = await discover([...always, ...configured], {
    cwd: options.cwd,
    ...(options.builtins && { builtins: options.builtins }),
  });
  const http = createHttp({ hosts: options.hosts });
  options.closing(() => http.close());
  const kernel = createKernel({
    plugins: found.plugins,
    problems: found.problems,
    required: ['gate-risk'],
    choices: config.services,
    schemas: schema,
    env,
    log,
    services: [
      hostService(services.clock, clock),
      hostService(services.http, http),
      hostService(services.sockets, createSockets({ hosts: options.hosts })),
      hostService(services.streams, new MemoryStreams(clock, options.wakeups), { replaceable: true }),
      hostService(services.webhooks, createWebhooks(http, options.secretOf, clock)),
      hostService(services.schema, schema),
      hostServicePerPlugin(services.log, (plugin) => logOf(plugin, log)),
      hostServicePerPlugin(services.records, (plugin) => store.records(plugin)),
    ],
  });
  options.closing(() => kernel.stop());
  await kernel.init();
  await kernel.start();
  return kernel;
}
