import { definePlugin, points } from '@bailing/plugin-api';

export default definePlugin({
  id: 'gate-large-refunds',
  config: { type: 'object', properties: { limit: { type: 'number', minimum: 0, default: 1000 } } },
  provides: (add) => [
    add(points.gate, 'large-refunds', ({ config }) => ({
      judge({ args }) {
        if (typeof args.amount !== 'number' || args.amount <= config.limit) return { is: 'allow' };
        return { is: 'deny', code: 'refund_too_large', reason: `An agent does not refund more than ${config.limit}.` };
      },
    })),
  ],
});
