import { inputAudioPlugin } from '@bailing/input-audio';
import { inputFilePlugin } from '@bailing/input-file';
import { inputImagePlugin } from '@bailing/input-image';
import type { InputHandler, InputModel, Plugin, PluginContext } from '@bailing/plugin-api';
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

const seeing: InputModel = {
  name: 'vision',
  credential: { name: 'vision', provider: 'openai' },
  ask: ({ text, parts = [] }, signal) =>
    signal.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve(`${text} ${String(parts.length)}`),
};

describe('the input handler for images', () => {
  conformance.input(async () => ({
    handler: await handlerOf(inputImagePlugin, {}),
    material: { index: 0, name: 'a.png', mediaType: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') },
    model: seeing,
  }));
});

describe('the input handler for recordings', () => {
  const http = {
    fetch: (_url: string, { signal }: RequestInit) =>
      signal?.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve(new Response('{"text":"hello"}', { status: 200 })),
  };
  for (const protocol of ['transcriptions', 'chat_input_audio']) {
    describe(`by ${protocol}`, () => {
      conformance.input(async () => ({
        handler: await handlerOf(inputAudioPlugin, {}, { http }),
        material: { index: 0, name: 'a.wav', mediaType: 'audio/wav', bytes: Buffer.from('RIFF\0\0\0\0WAVE') },
        model: { ...seeing, credential: { name: 'asr', provider: 'openai', base_url: 'http://asr.example/v1' } },
        protocol,
      }));
    });
  }
});
