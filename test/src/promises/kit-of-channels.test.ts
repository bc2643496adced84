import { channelWebhookPlugin } from '@bailing/channel-webhook';
import { createHostRules, createHttp } from '@bailing/outbound';
import { points, type ChannelKind, type ChannelRow, type Plugin } from '@bailing/plugin-api';
import { conformance, memoryLog } from '@bailing/plugin-kit';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';

/** The kind a plugin adds, made with these services. */
function kindOf(plugin: Plugin, services: object): ChannelKind {
  const found = plugin.contributions.find(({ point }) => point.id === points.channel.id);
  return found?.make({ config: {}, services: services as never, own: undefined, log: memoryLog() }) as ChannelKind;
}

describe('channel-webhook, against a receiver on loopback', () => {
  let mailroom: Mailroom;
  let http: ReturnType<typeof createHttp>;
  before(async () => {
    mailroom = await startMailroom();
    http = createHttp({ hosts: createHostRules({ allowPrivateHosts: ['127.0.0.1'] }) });
  });
  after(async () => {
    await http.close();
    await mailroom.close();
  });
  const row = (config: object): ChannelRow => ({
    name: 'ops',
    kind: 'webhook',
    config: { url: mailroom.url, secret: CHANNEL_SECRET, timeout_ms: 2_000, ...config },
  });

  conformance.channel(() => {
    mailroom.reactions.length = 0;
    let silent = false;
    return {
      kind: kindOf(channelWebhookPlugin, { http, clock: { now: () => Date.now() } }),
      row: row({}),
      received: () => mailroom.got.length,
      get silent() {
        if (!silent) mailroom.reactions.push('hang-up');
        silent = true;
        return row({});
      },
      refusing: row({ secret: 'some-other-secret-here' }),
    };
  });
});
