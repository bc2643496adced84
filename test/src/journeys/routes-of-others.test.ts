import fs from 'node:fs';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const EXECUTOR_TOKEN = 'executor-token-of-the-desk-robot';

const bare = (database: string) => `hub: { port: 0, token: ${SERVER_TOKEN}, database: "${database}" }
targets: [{ name: desk }]
executor_tokens: [{ name: robot, token: ${EXECUTOR_TOKEN}, allowed_targets: [desk] }]
`;

for (const fixture of await databases())
  describe(`journey: a job of a route that another hub has just got (${fixture.name})`, () => {
    let world: World;
    let database: FreshDatabase;
    let told: RunningHub;
    let untold: RunningHub;
    before(async () => {
      [world, database] = await Promise.all([makeWorld(), fixture.create()]);
      fs.writeFileSync(world.configFile, bare(database.url));
      told = await startHub(world);
      // As good as never: what this hub learns, it learns because a job made it look.
      untold = await startHub(world, { duties: { pollMs: 3_600_000 } });
    });
    after(async () => {
      await Promise.all([told.hub.stop(), untold.hub.stop()]);
      await world.close();
      await database.drop();
    });

    it('is handed to an executor by the hub that had not heard of its route', async () => {
      const admin = (at: string, body: unknown) => ask(told.url, 'POST', at, body, SERVER_TOKEN);
      expect((await admin('/admin/api/routes', { route_key: 'new', target: 'desk' })).status).to.equal(200);
      const { status, body } = await admin('/run', { request_id: 'new:1', route: 'new', input: 'count the chairs' });
      expect(status, JSON.stringify(body)).to.equal(202);
      const claimed = await ask(untold.url, 'POST', '/executor/claim', { executor_id: 'r1', targets: ['desk'] }, EXECUTOR_TOKEN);
      expect(claimed.status, JSON.stringify(claimed.body)).to.equal(200);
      expect(JSON.stringify(claimed.body)).to.include(String(body.job_id));
    });
  });
