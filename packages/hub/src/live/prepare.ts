import type { Kernel } from '@bailing/kernel';
import { points } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { Brains } from '../brains.js';
import type { Providers } from '../providers.js';
import { refuseUnknownApprovals } from '../second-shift.js';
import type { Prepared } from './live-config.js';

/**
 * Opens what a configuration needs beside what runs: models, connections, and a check that plugins bring what it names.
 * @throws BailingError where it cannot be opened; nothing has changed then
 */
export function prepareConfig(
  config: BailingConfig,
  parts: {
    readonly kernel: Kernel;
    readonly brains: Brains;
    readonly providers: Providers;
    readonly swapped: (config: BailingConfig) => void;
  },
): Prepared {
  const { kernel, brains, providers, swapped } = parts;
  refuseUnknownApprovals(config, kernel.contributions(points.approval));
  const models = brains.prepare(config.credentials);
  const connections = providers.prepare(config.tool_providers);
  return {
    // Settings go last but one: a call that sees a new provider's settings finds its connection, and the documents are read under them.
    swap: () => {
      models.swap();
      swapped(config);
      connections.swap();
    },
    discard: () => {
      models.discard();
      connections.discard();
    },
  };
}
