import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore } from '@bailing/store';
import { databases, type DatabaseFixture, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { ask, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { writeShop } from '../support/shop.js';
import { SECRET } from '../support/world.js';

const HUBS = 6;
/** Somewhere in the middle of the list. */
const MIDDLE = 'migrate:after-0030-outbox';
/** Long enough for a hub that does not wait to be through. */
const PATIENCE_MS = 1_500;

for (const fixture of await databases()) migrating(fixture);

function migrating(fixture: DatabaseFixture): void {
  describe(`Six hubs that begin at once on an empty database (${fixture.name})`, function () {
    this.timeout(120_000);
    let database: FreshDatabase;
    let business: CountingBusiness;
    let folder: string;
    let configFile: string;
    let hubs: (HubProcess | null)[];

    beforeEach(async () => {
      hubs = [];
      database = await fixture.create();
      business = await startCountingBusiness({ secret: SECRET });
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-migrating-'));
      configFile = writeShop(folder, { database: database.url, url: business.url });
    });
    afterEach(async () => {
      for (const hub of hubs) await hub?.kill();
      await business.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const start = (count: number) => Array.from({ length: count }, () => startHubProcess({ configFile, lean: true }));
    /** All of them, so that those that did start are ended where another did not. */
    async function allOf(starting: readonly Promise<HubProcess | null>[]): Promise<void> {
      const ended = await Promise.allSettled(starting);
      hubs = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    }
    const marks = async () => (await database.query('SELECT name FROM bz_migrations ORDER BY name')).map(({ name }) => String(name));

    /** Every step is marked once, each hub is ready and each works on the same jobs. */
    async function allWork(): Promise<void> {
      expect(hubs.filter((hub) => hub !== null)).to.have.length(hubs.length);
      const store = await openStore({ url: database.url, replica: 'asks' });
      const { migrations } = await store.health();
      await store.close();
      expect(migrations).to.deep.include({ status: 'ok', pending: 0 });
      expect(new Set(await marks()).size).to.equal(migrations.total);
      const [first] = hubs;
      const input = JSON.stringify([[{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]]);
      const request = { request_id: 'm:1', route: 'orders', input, metadata: { operator_uid: 'u-ada' } };
      const { status, body } = await ask(first?.url ?? '', 'POST', '/run', request);
      expect(status, JSON.stringify(body)).to.equal(202);
      for (const hub of hubs) {
        expect((await ask(hub?.url ?? '', 'GET', '/health/ready', undefined, null)).status).to.equal(200);
        expect((await waitForEnd(hub?.url ?? '', String(body['job_id']))).status).to.equal('done');
      }
    }

    it('all start, and the database is whole', async () => {
      await allOf(start(HUBS));
      await allWork();
    });

    it('wait for the one that migrates, and go on where it was killed in the middle', async () => {
      let pid = 0;
      // It stops between a step and its mark, as a process does that lost its processor, and holds the lock.
      const stopped = startHubProcess({ configFile, lean: true, failpoint: MIDDLE, signal: 'SIGSTOP', started: (child) => (pid = child) });
      await untilStopped(() => pid);
      let through = 0;
      const others = start(HUBS - 1).map((one) => one.finally(() => (through += 1)));
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
      expect(through).to.equal(0);
      if (fixture.name === 'mysql')
        expect(await marks())
          .to.have.length.greaterThan(10)
          .and.not.include(MIDDLE.slice('migrate:after-'.length));
      process.kill(pid, 'SIGKILL');
      expect(await stopped).to.equal(null);
      await allOf(others);
      await allWork();
    });
  });
}

async function untilStopped(pidOf: () => number): Promise<void> {
  for (let left = 400; left > 0; left -= 1) {
    const pid = pidOf();
    if (pid > 0 && /\) T /.test(fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the first hub did not come to the middle of its migrations');
}
