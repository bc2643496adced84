import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask, submit, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { root } from '../support/root.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const mysql = (await databases()).find(({ name }) => name === 'mysql');
const page = fs.readFileSync(path.join(root, 'docs', 'how-to', 'secure.md'), 'utf8');

(mysql ? describe : describe.skip)('The rights that docs/how-to/secure.md gives a hub in its database', function () {
  this.timeout(60_000);
  const user = `bailing_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  let database: FreshDatabase;
  let world: World | undefined;
  let running: RunningHub | undefined;

  before(async () => {
    if (!mysql) throw new Error('there is no MariaDB');
    database = await mysql.create();
    const name = new URL(database.url).pathname.slice(1);
    const grant = /^GRANT .*$/m.exec(page)?.[0] ?? '';
    for (const at of ['%', 'localhost']) {
      await database.query(`CREATE USER '${user}'@'${at}' IDENTIFIED BY '${password}'`);
      await database.query(grant.replace('bailing.*', `${name}.*`).replace("'bailing'@'%'", `'${user}'@'${at}'`));
    }
  });
  after(async () => {
    await running?.hub.stop();
    await world?.close();
    for (const at of ['%', 'localhost']) await database.query(`DROP USER '${user}'@'${at}'`);
    await database.drop();
  });

  it('are enough to make the tables, to work, and to be found whole', async () => {
    const url = new URL(database.url);
    url.username = user;
    url.password = password;
    world = await makeWorld({ database: url.href });
    running = await startHub(world);
    const { body } = await submit(running.url, 'r:1', 'Look up order A-1001');
    expect((await waitForEnd(running.url, String(body['job_id']))).status).to.equal('done');
    const found = await ask(running.url, 'GET', '/admin/api/diagnostics', undefined, SERVER_TOKEN);
    expect(JSON.stringify(found.body)).to.not.include('"fail"');
  });
});
