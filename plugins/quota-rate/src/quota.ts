import type { GovernedCall, Quota, Spend } from '@bailing/plugin-api';

const WINDOW_MS = { '1s': 1_000, '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

/**
 * The tool's declared window exactly as declared (`10/1d` is ten in any day, not one a minute), then the provider's limit per minute
 * (WIRE §5, §6.4). Neither limit: no spend.
 */
export const rateQuota: Quota = {
  spends({ tool, provider }: GovernedCall): readonly Spend[] {
    const spends: Spend[] = [];
    if (tool.rateLimit) {
      const { count, window } = tool.rateLimit;
      spends.push({ bucket: `tool:${provider.name}:${tool.name}`, limit: count, windowMs: WINDOW_MS[window], cost: 1 });
    }
    if (provider.ratePerMin > 0)
      spends.push({ bucket: `provider:${provider.name}`, limit: provider.ratePerMin, windowMs: 60_000, cost: 1 });
    return spends;
  },
};
