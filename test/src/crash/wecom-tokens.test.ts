import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ask } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { CORP, startWecom, type WecomServer } from '../support/wecom-server.js';
import { SERVER_TOKEN } from '../support/world.js';

/** Tokens are let go two minutes early. */
const ONE_SECOND_LEFT = 121;

for (const fixture of await databases()) {
  describe(`two hubs that send through one WeCom application, on ${fixture.name}`, function () {
    this.timeout(30_000);
    const hubs: RunningHub[] = [];
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-wecom-'));
    let database: Awaited<ReturnType<typeof fixture.create>>;
    let wecom: WecomServer;
    before(async () => {
      [database, wecom] = [await fixture.create(), await startWecom()];
      const configFile = path.join(folder, 'bailing.yaml');
      const channels = [{ name: 'staff', kind: 'wecom', config: { ...CORP, base_url: wecom.url } }];
      fs.writeFileSync(
        configFile,
        JSON.stringify({ hub: { port: 0, token: SERVER_TOKEN, database: database.url, log_level: 'warn' }, channels }),
      );
      while (hubs.length < 2) hubs.push(await startHub({ configFile }));
    });
    after(async () => {
      for (const { hub } of hubs) await hub.stop();
      await wecom.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    let sent = 0;
    /** Six messages at once, three through each hub. */
    async function flood(): Promise<void> {
      const requests = Array.from({ length: 6 }, (_none, n) => {
        const message = { request_id: `w:${String(++sent)}`, channel: 'staff', to: 'u1', text: 'Hi' };
        return ask(hubs[n % 2]?.url ?? '', 'POST', '/send', message, SERVER_TOKEN);
      });
      for (const { status, body } of await Promise.all(requests)) expect(status, JSON.stringify(body)).to.equal(200);
    }

    it('ask for one token, for one more when it has expired, and for one more when it was taken back', async () => {
      wecom.tokenMs = 150;
      wecom.expiresIn = ONE_SECOND_LEFT;
      await flood();
      expect(wecom.tokens).to.have.length(1);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      wecom.expiresIn = 7_200;
      await flood();
      expect(wecom.tokens).to.have.length(2);
      wecom.tokens.push('made-elsewhere');
      await flood();
      expect(wecom.tokens).to.have.length(4);
      expect(wecom.got).to.have.length(18);
    });
  });
}
