import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { verifyLedger } from '@bailing/store';
import { databases, type DatabaseFixture, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { ask, waitForEnd } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, type World } from '../support/world.js';

const run = promisify(execFile);
const payout = { tool: 'refund_execute', arguments: { order_no: 'A-1001', amount: 200, reason: 'damaged' } };
const look = { tool: 'order_read', arguments: { order_no: 'A-1001' } };

for (const fixture of await databases()) restoring(fixture);

/** Copies a database that is in use into another one, as docs/how-to/operate.md says. */
async function copied(fixture: DatabaseFixture, from: FreshDatabase, to: FreshDatabase): Promise<void> {
  const file = ({ url }: FreshDatabase) => url.slice('sqlite:'.length);
  if (fixture.name === 'sqlite') return void (await run('sqlite3', [file(from), `.backup ${file(to)}`]));
  const of = ({ url }: FreshDatabase) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const secret = password === '' ? [] : [`--password=${decodeURIComponent(password)}`];
    return { who: ['-h', hostname, '-P', port || '3306', '-u', username, ...secret], name: pathname.slice(1) };
  };
  const [source, target] = [of(from), of(to)];
  const dumped = await run('mariadb-dump', [...source.who, '--single-transaction', '--skip-lock-tables', source.name], {
    maxBuffer: 2 ** 28,
  });
  const restore = run('mariadb', [...target.who, target.name]);
  restore.child.stdin?.end(dumped.stdout);
  await restore;
}

function restoring(fixture: DatabaseFixture): void {
  describe(`A backup of a hub that runs (${fixture.name})`, function () {
    this.timeout(120_000);
    let world: World;
    let original: FreshDatabase;
    let copy: FreshDatabase;
    const hubs: RunningHub[] = [];

    before(async () => {
      [original, copy] = await Promise.all([fixture.create(), fixture.create()]);
      world = await deskWorld({ database: original.url, approval: () => '{ type: console }' });
    });
    after(async () => {
      for (const { hub } of hubs) await hub.stop();
      await world.close();
      await Promise.all([original.drop(), copy.drop()]);
    });

    async function start(): Promise<RunningHub> {
      const hub = await deskHub(world);
      hubs.push(hub);
      return hub;
    }

    it('is one moment of it; restored it starts paused, verifies, and goes on with what waited', async () => {
      const hub = await start();
      const held = await submitScript(hub.url, 'b:held', [[payout]]);
      await ended(hub.url, held);
      // Jobs go on while the copy is made.
      const busy = Promise.all(Array.from({ length: 30 }, (_, n) => submitScript(hub.url, `b:${String(n)}`, [[look]])));
      await copied(fixture, original, copy);
      for (const job of await busy) expect((await waitForEnd(hub.url, job)).status).to.equal('done');
      await hub.hub.stop();

      await copy.query("INSERT INTO bz_stops (what, set_by, at) VALUES ('hub', 'restore', 0)");
      const configFile = path.join(world.folder, 'bailing.yaml');
      fs.writeFileSync(configFile, fs.readFileSync(configFile, 'utf8').replace(original.url, copy.url));
      const restored = await start();
      expect((await ask(restored.url, 'GET', '/health')).body['paused']).to.equal(true);
      expect(world.service.refunds()).to.deep.equal([]);
      expect((await bailing(restored.url, 'stops', 'clear', 'hub')).code).to.equal(0);
      const decision = { decision: 'approved', approver: 'u-cleo' };
      expect((await ask(restored.url, 'POST', '/approvals/1/decision', decision, CLIENT_TOKEN)).status).to.equal(200);
      await until(() => world.service.refunds().length === 1);
      const jobs = await copy.query("SELECT id FROM bz_jobs WHERE status <> 'done'");
      for (const { id } of jobs) expect((await waitForEnd(restored.url, String(id))).status).to.equal('done');
      await restored.hub.stop();
      expect((await verifyLedger(copy.url)).found).to.deep.equal([]);
    });
  });
}
