import { definePlugin, points } from '@bailing/plugin-api';
import { rateQuota } from './quota.js';

/** Rate limits as spends: the store takes them in the intend commit, shared by all replicas, all of them or none. */
export const quotaRatePlugin = definePlugin({
  id: 'quota-rate',
  provides: (add) => [add(points.quota, 'rate', () => rateQuota)],
});
