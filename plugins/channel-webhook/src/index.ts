import { definePlugin, points, services } from '@bailing/plugin-api';
import { CONFIG, openWebhook } from './webhook.js';

/** Messages as signed webhooks: whoever receives them passes them on in its own way. */
export const channelWebhookPlugin = definePlugin({
  id: 'channel-webhook',
  needs: { http: services.http, clock: services.clock },
  provides: (add) => [
    add(points.channel, 'webhook', ({ services: given }) => ({ row: CONFIG, open: (row) => openWebhook(row, given.http, given.clock) })),
  ],
});
