import fs from 'node:fs';
import { toolToken } from '@bailing/contract';
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

    /** A job of a route that only one hub knows, claimed there. */
    async function claimed(route: string, more: object = {}): Promise<{ readonly job_id: string; readonly claim_token: string }> {
      const admin = (at: string, body: unknown) => ask(told.url, 'POST', at, body, SERVER_TOKEN);
      expect((await admin('/admin/api/routes', { route_key: route, target: 'desk', ...more })).status).to.equal(200);
      expect((await admin('/run', { request_id: `${route}:1`, route, input: 'count the lamps' })).status).to.equal(202);
      const { body } = await ask(told.url, 'POST', '/executor/claim', { executor_id: 'r2', targets: ['desk'] }, EXECUTOR_TOKEN);
      expect(body.job).to.include.keys('job_id', 'claim_token');
      return body.job as { readonly job_id: string; readonly claim_token: string };
    }

    it('has its tools at the hub that had not heard of its route', async () => {
      const { job_id: job, claim_token: claim } = await claimed('tooled');
      const defs = await ask(untold.url, 'GET', `/jobs/${job}/tools/defs`, undefined, toolToken(SERVER_TOKEN, job, claim));
      // Its token is good; that the job has no tools is another matter.
      expect(defs.body).to.include({ code: 'BAILING_REQUEST_MALFORMED', at: 'names' });
    });

    it('is reported to the hub that had not heard of its route, and delivered as its route wants it', async () => {
      const { job_id: job, claim_token: claim } = await claimed('told', { delivery: { type: 'webhook', url: 'http://127.0.0.1:9/told' } });
      const report = { executor_id: 'r2', job_id: job, claim_token: claim, ok: true, output: { text: 'four' } };
      expect((await ask(untold.url, 'POST', '/executor/result', report, EXECUTOR_TOKEN)).status).to.equal(200);
      expect(await database.query(`SELECT kind FROM bz_outbox WHERE job_id = '${job}'`)).to.deep.equal([{ kind: 'delivery' }]);
    });
  });
