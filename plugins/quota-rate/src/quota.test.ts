import type { GovernedCall, ToolDefinition } from '@bailing/plugin-api';
import { expect } from 'chai';
import { rateQuota } from './quota.js';

function spends(rateLimit: ToolDefinition['rateLimit'], ratePerMin: number) {
  return rateQuota.spends({
    tool: { name: 'refund', ...(rateLimit && { rateLimit }) },
    provider: { name: 'orders', ratePerMin },
  } as GovernedCall);
}

describe('quota-rate', () => {
  it('declares the tool window as declared, then the provider minute', () => {
    expect(spends({ count: 10, window: '1d' }, 120)).to.deep.equal([
      { bucket: 'tool:orders:refund', limit: 10, windowMs: 86_400_000, cost: 1 },
      { bucket: 'provider:orders', limit: 120, windowMs: 60_000, cost: 1 },
    ]);
  });

  it('declares nothing where nothing is limited', () => {
    expect(spends(undefined, 0)).to.deep.equal([]);
  });

  it('knows every window of the declaration', () => {
    expect((['1s', '1m', '1h', '1d'] as const).map((window) => spends({ count: 1, window }, 0)[0]?.windowMs)).to.deep.equal([
      1_000, 60_000, 3_600_000, 86_400_000,
    ]);
  });
});
