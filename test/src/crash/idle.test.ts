import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { submit, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { cpuSeconds } from '../support/cpu.js';
import { shopConfig } from '../support/shop.js';
import { SECRET } from '../support/world.js';

const WINDOW_MS = 10_000;
/** Starting, compiling and the first passes of everything are over by then. */
const SETTLE_MS = 3_000;
/** Share of one core that a hub with nothing to do may take. */
const MOST = 0.02;

for (const fixture of await databases()) {
  const count = fixture.name === 'mysql' ? 4 : 1;
  describe(`crash: ${String(count)} idle hub${count > 1 ? 's' : ''} on ${fixture.name}`, function () {
    this.timeout(90_000);
    let database: FreshDatabase;
    let business: CountingBusiness;
    let folder: string;
    let hubs: HubProcess[] = [];

    before(async () => {
      database = await fixture.create();
      business = await startCountingBusiness({ secret: SECRET });
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-idle-'));
      const configFile = path.join(folder, 'bailing.json');
      const shop = JSON.parse(shopConfig({ database: database.url, url: business.url, leaseMs: 60_000 })) as object;
      const alert_rules = [{ url: `${business.url}/alerts` }];
      // What a hub of many parts looks for: executors, alerts, messages, approvals, unknowns.
      fs.writeFileSync(configFile, JSON.stringify({ ...shop, alert_rules, credentials: [{ name: 'script', provider: 'rules' }] }));
      for (let i = 0; i < count; i += 1) {
        const hub = await startHubProcess({ configFile });
        if (hub) hubs.push(hub);
      }
      // Each has worked once, so that what is measured is rest and not a hub that was never awake.
      for (const [index, hub] of hubs.entries()) {
        const { body } = await submit(hub.url, `idle:${String(index)}`, 'Read order A-1001');
        await waitForEnd(hub.url, String(body.job_id));
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    });
    after(async () => {
      await Promise.all(hubs.map((hub) => hub.kill('SIGTERM')));
      hubs = [];
      await business.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    it(`each take${count > 1 ? '' : 's'} less than ${String(MOST * 100)} % of a core`, async function () {
      const before = hubs.map(({ pid }) => cpuSeconds(pid));
      if (before.includes(null)) return this.skip();
      const from = performance.now();
      await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
      const seconds = (performance.now() - from) / 1_000;
      const shares = hubs.map(({ pid }, index) => ((cpuSeconds(pid) ?? NaN) - (before[index] ?? NaN)) / seconds);
      process.stdout.write(`      ${shares.map((share) => `${(share * 100).toFixed(2)} %`).join(', ')} of a core\n`);
      expect(hubs).to.have.length(count);
      for (const share of shares) expect(share).to.be.within(0, MOST);
    });
  });
}
