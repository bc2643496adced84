import { readConfig } from '@bailing/resources';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { admin, until } from '../support/desk.js';
import { submit } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { PAGER_TOKEN, startPager } from '../support/pager.js';
import { startReceiver } from '../support/receiver.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

function configOf(database: string, pager: string, receiver: string): string {
  const text = JSON.stringify({
    hub: { port: 0, token: SERVER_TOKEN, database, log_level: 'warn', lease_ms: 1_000, shutdown_drain_ms: 2_000 },
    clients: [{ app_id: 'back-office', token: CLIENT_TOKEN, allowed_routes: ['orders'], rate_limit_per_min: 0 }],
    credentials: [{ name: 'script', provider: 'script' }],
    channels: [{ name: 'on-call', kind: 'pages', timeout_ms: 1_000, config: { url: pager, token: PAGER_TOKEN } }],
    alert_rules: [{ event_prefix: 'delivery_failed_', channel: 'on-call', recipients: ['p1'] }],
    routes: [{ route_key: 'orders', target_config: { credential: 'script' }, delivery: { type: 'webhook', url: receiver } }],
  });
  const read = readConfig(text, { env: {}, readFile: () => '' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return JSON.stringify(read.config);
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 while an alert goes out, on ${fixture.name}`, function () {
    this.timeout(60_000);

    it('it is sent once, its dead letter says that it may have arrived, and nobody has to settle it', async () => {
      const [database, pager, receiver] = [await fixture.create(), await startPager(), await startReceiver(SERVER_TOKEN)];
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-alerts-'));
      const configFile = path.join(folder, 'config.json');
      fs.writeFileSync(configFile, configOf(database.url, pager.url, `${receiver.url}/delivery`));
      let hub: HubProcess | null = null;
      try {
        receiver.answers.push(410);
        hub = await startHubProcess({ configFile, lean: true });
        if (!hub) throw new Error('the hub died before it listened');
        const dying = hub;
        pager.react = async (): Promise<'hang-up'> => {
          await dying.kill();
          return 'hang-up';
        };
        await submit(hub.url, 'alerting:1', '[]');
        expect(await hub.ended).to.equal('SIGKILL');
        pager.react = () => 202;
        hub = await startHubProcess({ configFile, lean: true });
        const url = hub?.url ?? '';
        const letters = async () =>
          (await admin(url, 'GET', '/delivery-dlq')).body.items as { channel: string; error: string; attempts: number }[];
        const letter = await until(async () => (await letters()).find(({ channel }) => channel === 'on-call'));
        expect(letter.error).to.match(/^It may have been sent/);
        expect(letter.attempts).to.equal(1);
        expect((await admin(url, 'GET', '/unresolved')).body.items).to.deep.equal([]);
        expect(pager.got).to.have.length(1);
      } finally {
        await hub?.kill();
        await Promise.all([pager.close(), receiver.close()]);
        fs.rmSync(folder, { recursive: true, force: true });
        await database.drop();
      }
    });
  });
}
