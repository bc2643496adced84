import { type Log, type Plugin } from '@bailing/plugin-api';
import { createSchemaCheck } from '@bailing/schema';
import { createKernel, type BootFailure, type FoundPlugin, type Kernel, type KernelOptions } from '../index.js';

/** One for all kernels of the tests: making one costs more than a boot. */
const schemas = createSchemaCheck();

export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: unknown;
}

/** A log that keeps its lines. */
export function memoryLog(): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  const write = (level: string) => (message: string, fields?: unknown) => void lines.push({ level, message, fields });
  return { lines, log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } };
}

export function found(plugin: Plugin, more: Partial<FoundPlugin> = {}): FoundPlugin {
  return { plugin, from: 'embedded', at: 'plugins[?]', optional: false, ...more };
}

export function kernelOf(plugins: readonly (Plugin | FoundPlugin)[], more: Partial<KernelOptions> = {}): Kernel {
  const all = plugins.map((one, index) =>
    'plugin' in one ? { ...one, at: `plugins[${index}]` } : found(one, { at: `plugins[${index}]` }),
  );
  return createKernel({ plugins: all, env: {}, schemas, ...more });
}

/** The failure of a boot that must fail. */
export async function failureOf(step: Promise<void>): Promise<BootFailure> {
  try {
    await step;
  } catch (error) {
    return error as BootFailure;
  }
  throw new Error('the boot succeeded');
}

/** `code plugin at: says` of every problem. */
export function told(kernel: Kernel): readonly string[] {
  return kernel.check().map(({ code, plugin, at, says }) => `${code} ${plugin} ${at}: ${says}`);
}

export function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
