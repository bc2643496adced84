import { inputFilePlugin } from '@bailing/input-file';
import type { InputHandler, Plugin, PluginContext } from '@bailing/plugin-api';
import { conformance } from '@bailing/plugin-kit';

/** The handler of a built-in plugin, made as the kernel makes it. */
async function handlerOf(plugin: Plugin, config: object, services: object = {}): Promise<InputHandler> {
  const context = { config, services, log: undefined } as unknown as PluginContext;
  const own = await plugin.setup?.(context, new AbortController().signal);
  return plugin.contributions[0]?.make({ ...context, own }) as InputHandler;
}

describe('the input handler for files', function () {
  this.timeout(20_000);
  conformance.input(async () => ({
    handler: await handlerOf(inputFilePlugin, { cpu_seconds: 10, heap_mb: 256, wall_seconds: 40, at_once: 2, pages: 10 }),
    material: { index: 0, name: 'rules.md', mediaType: 'text/markdown', bytes: Buffer.from('# Refunds\n\nWithin 7 days.\n') },
  }));
});
