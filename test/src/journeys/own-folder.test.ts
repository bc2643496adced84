import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { makeInputWorld } from '../support/input-world.js';
import { PAGER_TOKEN, startPager } from '../support/pager.js';
import { root } from '../support/root.js';
import { SERVER_TOKEN } from '../support/world.js';

/** A folder outside this repository, as somebody has one: the code of two pages, and a copy of the one package it imports. */
function ownFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-own-'));
  for (const [page, name] of [
    ['write-a-channel', 'channel-pager'],
    ['write-an-input', 'input-calendar'],
  ] as const) {
    const text = fs.readFileSync(path.join(root, 'docs', 'how-to', `${page}.md`), 'utf8');
    fs.mkdirSync(path.join(folder, name));
    fs.writeFileSync(path.join(folder, name, 'index.mjs'), /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  }
  const [from, to] = [path.join(root, 'packages', 'plugin-api'), path.join(folder, 'node_modules', '@bailing', 'plugin-api')];
  fs.cpSync(path.join(from, 'dist'), path.join(to, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(from, 'package.json'), path.join(to, 'package.json'));
  return folder;
}

describe('a channel and an input written from their pages, in a folder of their own', function () {
  this.timeout(20_000);

  it('load by configuration and do their work', async () => {
    const [folder, pager] = [ownFolder(), await startPager()];
    const world = await makeInputWorld({
      routes: { desk: undefined },
      media: { '/mine.ics': Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Stand-up\nDTSTART:20261204\nEND:VEVENT\nEND:VCALENDAR\n') },
      more: {
        plugins: ['channel-pager', 'input-calendar'].map((name) => path.join(folder, name)),
        inputs: { 'text/calendar': 'input-calendar' },
        channels: [{ name: 'on-call', kind: 'pager', config: { url: pager.url, token: PAGER_TOKEN } }],
      },
    });
    try {
      await world.run('desk', `Free? [file: mine](${world.media.url}/mine.ics)`);
      expect(world.lastUser()).to.include('<attached-file>\n2026-12-04: Stand-up\n</attached-file>');
      const message = { request_id: 'own:1', channel: 'on-call', to: 'p1|p2', text: 'The till is down' };
      expect((await ask(world.hub.url, 'POST', '/send', message, SERVER_TOKEN)).body).to.include({ ok: true, recipients: 2 });
      // A refusal of the host is known by its code: the plugin has classes of its own.
      await pager.close();
      const refused = await ask(world.hub.url, 'POST', '/send', { ...message, request_id: 'own:2' }, SERVER_TOKEN);
      expect(refused.body.error).to.include('Not sent: the pager gateway is not there');
      expect(pager.got.map(({ page }) => page)).to.deep.equal(['The till is down']);
    } finally {
      await world.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
