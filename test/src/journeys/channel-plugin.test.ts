import fs from 'node:fs';
import path from 'node:path';
import { channelProblems } from '@bailing/hub';
import { discover } from '@bailing/kernel';
import { createHostRules, createHttp } from '@bailing/outbound';
import { points, type ChannelKind, type ChannelRow } from '@bailing/plugin-api';
import { conformance, memoryLog } from '@bailing/plugin-kit';
import { expect } from 'chai';
import { deskHub, deskWorld, ended, submitScript } from '../support/desk.js';
import { eventsOf } from '../support/http.js';
import { PAGER_PLUGIN, PAGER_TOKEN, startPager, type Pager } from '../support/pager.js';
import { root } from '../support/root.js';

const TEXT = 'The parcel of order A-1001 is on its way.';

describe('journey: a channel from a folder of its own', function () {
  this.timeout(20_000);
  let pager: Pager;
  before(async () => {
    pager = await startPager();
  });
  beforeEach(() => (pager.got.length = 0));
  after(() => pager.close());

  it('is named by its path, opened by a row, and sends a long message in pages, each once', async () => {
    const row = `{ name: on-call, kind: pager, config: { url: '${pager.url}', token: ${PAGER_TOKEN}, page_chars: 20 } }`;
    const world = await deskWorld({
      more: `credentials:\n  - { name: script, provider: desk-script }\nplugins: ['${PAGER_PLUGIN}']\nchannels: [${row}]`,
    });
    const text = fs.readFileSync(world.configFile, 'utf8');
    fs.writeFileSync(
      world.configFile,
      text.replace('tools: { sources:', "tools: { builtin: { send_message: { channels: ['*'] } }, sources:"),
    );
    const hub = await deskHub(world);
    try {
      const job = await submitScript(hub.url, 'pager:1', [[{ tool: 'send_message', arguments: { to: 'p1|p2', text: TEXT } }]]);
      expect((await ended(hub.url, job)).text).to.include('Sent through on-call to 2 recipients in 3 parts.');
      expect(pager.got.map(({ page }) => page).join('')).to.equal(TEXT);
      expect(pager.got[0]?.to).to.deep.equal(['p1', 'p2']);
      const parts = (await eventsOf(hub.url, job)).filter(({ event }) => event === 'builtin_send_part');
      expect(parts.map(({ detail }) => [detail.part, detail.what, detail.state])).to.deep.equal([
        [1, 'page 1 of 3', 'accepted'],
        [2, 'page 2 of 3', 'accepted'],
        [3, 'page 3 of 3', 'accepted'],
      ]);
      expect(JSON.stringify([await eventsOf(hub.url, job), hub.logged])).not.to.include(PAGER_TOKEN);
    } finally {
      await hub.hub.stop();
      await world.close();
    }
  });

  it('has its rows checked before anything starts', async () => {
    const { plugins } = await discover([PAGER_PLUGIN], { cwd: root });
    const row = (config: object, kind = 'pager') => ({ name: 'on-call', kind, config: { ...config }, timeout_ms: 1_000, enabled: true });
    const says = (rows: ReturnType<typeof row>[]) =>
      channelProblems(
        rows,
        plugins.map(({ plugin }) => plugin),
      ).map(({ at }) => at);
    expect(says([row({ url: 'https://x.example', token: PAGER_TOKEN })])).to.deep.equal([]);
    expect(says([row({ url: 'https://x.example', tokens: 'x' }), row({}, 'carrier-pigeon')])).to.include.members([
      'channels on-call, config.tokens',
      'channels on-call, kind',
    ]);
  });

  it('is the one that the how-to shows', () => {
    const page = fs.readFileSync(path.join(root, 'docs', 'how-to', 'write-a-channel.md'), 'utf8');
    const shown = /<!-- file: docs\/examples\/channel-pager\/index\.mjs -->\n\n```js\n([\s\S]*?)```/.exec(page)?.[1];
    expect(shown).to.equal(fs.readFileSync(path.join(PAGER_PLUGIN, 'index.mjs'), 'utf8'));
  });

  describe('and keeps what every channel keeps', () => {
    let kind: ChannelKind;
    const http = createHttp({ hosts: createHostRules({ allowPrivateHosts: ['127.0.0.1'] }) });
    before(async () => {
      const [found] = (await discover([PAGER_PLUGIN], { cwd: root })).plugins;
      const made = found?.plugin.contributions.find(({ point }) => point.id === points.channel.id);
      kind = made?.make({ config: {}, services: { http }, own: undefined, log: memoryLog() }) as ChannelKind;
    });
    after(() => http.close());
    const row = (config: object): ChannelRow => ({
      name: 'p',
      kind: 'pager',
      config: { url: pager.url, token: PAGER_TOKEN, page_chars: 120, ...config },
    });

    conformance.channel(() => {
      pager.react = () => 202;
      return {
        kind,
        row: row({}),
        received: () => pager.got.length,
        get silent() {
          pager.react = () => 'hang-up' as const;
          return row({});
        },
        refusing: row({ token: 'some-other-token' }),
      };
    });
  });
});
