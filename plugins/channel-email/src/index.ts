import { definePlugin, points, services } from '@bailing/plugin-api';
import { CONFIG } from './config.js';
import { openEmail } from './email.js';

/** Messages as mail, over any SMTP server. */
export const channelEmailPlugin = definePlugin({
  id: 'channel-email',
  needs: { sockets: services.sockets },
  provides: (add) => [
    add(points.channel, 'email', ({ services: given }) => ({ row: CONFIG, open: (row) => openEmail(row, given.sockets) })),
  ],
});
