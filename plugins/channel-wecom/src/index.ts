import { definePlugin, points, services } from '@bailing/plugin-api';
import { CONFIG } from './config.js';
import { openWecom } from './wecom.js';

/** Messages to people in WeCom. Sending only. */
export const channelWecomPlugin = definePlugin({
  id: 'channel-wecom',
  needs: { http: services.http, records: services.records, clock: services.clock },
  provides: (add) => [add(points.channel, 'wecom', ({ services: given }) => ({ row: CONFIG, open: (row) => openWecom(row, given) }))],
});
