import { BUILTIN, type CallDeps } from '@bailing/engine';
import type { Kernel } from '@bailing/kernel';
import { points } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { SchemaRoom } from '@bailing/schema';
import { Channels } from './channels.js';
import { openTools, type Tools, type ToolsOptions } from './tools.js';

export interface ExitsOptions extends Omit<ToolsOptions, 'providers' | 'kinds' | 'schema'> {
  readonly schema: SchemaRoom;
  readonly config: BailingConfig;
  readonly kernel: Kernel;
}

/** Whatever calls leave through: business systems, and channels for messages. */
export interface Exits {
  readonly tools: Tools;
  readonly channels: Channels;
  readonly invoker: CallDeps['invoker'];
}

/** @throws BailingError BAILING_CONFIG_INVALID where no plugin knows a provider's or a channel's kind, or a row does not fit its kind */
export function openExits(options: ExitsOptions, closing: (() => Promise<unknown>)[]): Exits {
  const { config, kernel, store, schema, clock, log } = options;
  const tools = openTools({
    ...options,
    providers: config.tool_providers,
    kinds: kernel.contributions(points.toolSource),
  });
  closing.push(() => tools.close());
  const channels = new Channels({
    ...{ rows: config.channels, kinds: kernel.contributions(points.channel), schema, clock, log, jobs: store.jobs },
    callerHosts: config.hub.allow_private_hosts,
  });
  closing.push(() => channels.close());
  const invoker: CallDeps['invoker'] = (provider, binding) =>
    provider === BUILTIN ? channels.invoker : tools.providers.invoker(provider, binding);
  return { tools, channels, invoker };
}
