import type { Kernel } from '@bailing/kernel';
import { points } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { Brains } from '../brains.js';
import type { Channels } from '../channels.js';
import type { Providers } from '../providers.js';
import { refuseUnknownApprovals } from '../second-shift.js';
import type { Prepared } from './live-config.js';

/**
 * Opens what a configuration needs beside what runs: models, channels, connections, and a check that plugins bring what it names.
 * @throws BailingError where it cannot be opened; nothing has changed then
 */
export function prepareConfig(
  config: BailingConfig,
  parts: {
    readonly kernel: Kernel;
    readonly brains: Brains;
    readonly providers: Providers;
    readonly channels: Channels;
    readonly swapped: (config: BailingConfig) => void;
  },
): Prepared {
  const { kernel, brains, providers, channels, swapped } = parts;
  refuseUnknownApprovals(config, kernel.contributions(points.approval));
  const [models, messages, connections] = allOf([
    () => brains.prepare(config.credentials),
    () => channels.prepare(config.channels),
    () => providers.prepare(config.tool_providers),
  ]);
  return {
    // Settings go last but one: a call that sees a new provider's settings finds its connection, and the documents are read under them.
    swap: () => {
      models.swap();
      messages.swap();
      swapped(config);
      connections.swap();
    },
    discard: () => [models, messages, connections].forEach((one) => one.discard()),
  };
}

/** All of them, or none is left open. */
function allOf(parts: readonly [() => Prepared, () => Prepared, () => Prepared]): readonly [Prepared, Prepared, Prepared] {
  const ready: Prepared[] = [];
  try {
    for (const part of parts) ready.push(part());
  } catch (error) {
    for (const one of ready) one.discard();
    throw error;
  }
  return ready as unknown as readonly [Prepared, Prepared, Prepared];
}
