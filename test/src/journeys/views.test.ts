import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { deskHub, ended, SCRIPTED } from '../support/desk.js';
import { ask } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { makeWorld, SECRET, SERVER_TOKEN, type World } from '../support/world.js';

for (const fixture of await databases())
  describe(`The views of whoever runs the hub, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: World;
    let hub: RunningHub;
    let drop: () => Promise<void>;
    const script = JSON.stringify([[{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]]);

    before(async () => {
      const database = await fixture.create();
      drop = () => database.drop();
      const route = `${SCRIPTED.route}\n    session_policy: per_key\n    session_key_field: chat`;
      world = await makeWorld({ ...SCRIPTED, route, database: database.url });
      hub = await deskHub(world);
      for (const chat of ['c-1', 'c-1', 'c-2']) {
        const request = { request_id: `v:${String(Math.random())}`, route: 'orders', input: script, metadata: { operator_uid: 'u', chat } };
        const { body } = await ask(hub.url, 'POST', '/run', request);
        await ended(hub.url, String(body.job_id));
      }
    });
    after(async () => {
      await hub.hub.stop();
      await world.close();
      await drop();
    });
    const get = async (at: string) => {
      const { status, body } = await ask(hub.url, 'GET', `/admin/api/${at}`, undefined, SERVER_TOKEN);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };

    it('say how the hub is, which version it is, and what waits', async () => {
      expect(await get('status')).to.include({ paused: false, ready: true, backend: fixture.name });
      const version = (await fetch(`${hub.url}/version`).then((answer) => answer.json())) as object;
      expect(await get('version')).to.deep.equal(version);
      const held = await ask(hub.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
      expect(held.status).to.equal(200);
      expect(await get('dispatch-status')).to.deep.include({
        ...{ paused: true, queued: { count: 0, oldest_at: null }, held: { count: 0, expired: 0 }, targets: [], unresolved: [] },
        ...{ approvals: { pending: 0, oldest_at: null }, outbox: { waiting: 0, next_at: null, dead: 0 } },
      });
      await ask(hub.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
    });

    it('tell what jobs cost, by route and client', async () => {
      const { days, total, items } = await get('cost');
      expect(days).to.equal(30);
      const [row] = items as Record<string, unknown>[];
      expect(row).to.include({ route: 'orders', client_app_id: 'back-office', jobs: 3 });
      expect(total).to.deep.equal({ jobs: 3, tokens: row?.['tokens'], cost_usd: row?.['cost_usd'] });
    });

    it('show conversations and their jobs, page by page', async () => {
      const first = await get('threads?limit=1');
      expect(first.items).to.have.length(1);
      const second = await get(`threads?limit=1&cursor=${String(first.next_cursor)}`);
      expect(second).not.to.have.property('next_cursor');
      const [older] = second.items as { id: number; job_count: number; route: string }[];
      expect(older).to.include({ job_count: 2, route: 'orders' });
      const { body: one } = await ask(hub.url, 'GET', `/admin/api/threads/${String(older?.id)}?limit=1`, undefined, SERVER_TOKEN);
      const { body: rest } = await ask(
        hub.url,
        'GET',
        `/admin/api/threads/${String(older?.id)}?limit=1&cursor=${String(one.next_cursor)}`,
        undefined,
        SERVER_TOKEN,
      );
      const jobs = [one, rest].flatMap((page) => page.jobs as { job_id: string; thread_id: number }[]);
      expect(new Set(jobs.map(({ job_id }) => job_id)).size).to.equal(2);
      expect(jobs.map(({ thread_id }) => thread_id)).to.deep.equal([older?.id, older?.id]);
      expect(rest).not.to.have.property('next_cursor');
    });

    it('tell who changed what, newest first, and nothing of what was in it', async () => {
      const row = { name: 'asked', provider: 'rules', api_key: 'key-that-is-secret' };
      expect((await ask(hub.url, 'POST', '/admin/api/credentials', row, SERVER_TOKEN)).status).to.equal(200);
      const { items, next_cursor: next } = await get('config-audit?limit=1');
      expect((items as object[])[0]).to.deep.include({ event: 'config_change', by: 'admin' });
      const { items: before } = await get(`config-audit?cursor=${String(next)}`);
      expect((before as { event: string }[]).map(({ event }) => event)).to.include.members(['hub_paused', 'hub_resumed']);
      expect(JSON.stringify([items, before]))
        .not.to.contain('key-that-is-secret')
        .and.not.contain(SECRET);
    });

    it('say what of the configuration leads nowhere, and count every check', async () => {
      const spare = { name: 'spare', base_url: world.service.url, spec_json: '{"openapi":"3.1.0","paths":{}}', secret: 'secret-of-spare' };
      expect((await ask(hub.url, 'POST', '/admin/api/tool-providers', spare, SERVER_TOKEN)).status).to.equal(200);
      const idle = { route_key: 'idle', tools: { sources: [{ provider: 'orders', allow: ['nothing.*', 'order.*'] }] } };
      expect((await ask(hub.url, 'POST', '/admin/api/routes', idle, SERVER_TOKEN)).status).to.equal(200);
      const { checks } = await get('config-diagnostics');
      const said = (about: string) => (checks as { check: string; says: string; fix: string }[]).filter(({ check }) => check === about);
      expect(said('provider spare')[0]?.says).to.equal('No route uses it.');
      expect(said('route idle').map(({ says }) => says)).to.deep.equal(['Its allow entry "nothing.*" grants nothing of orders.']);
      expect(said('route idle')[0]?.fix).to.match(/\w/);
      expect(said('route orders')).to.have.length(1);
      const { status, body } = await ask(hub.url, 'POST', '/admin/api/smoke', {}, SERVER_TOKEN);
      expect(status).to.equal(200);
      const { pass, warn, fail, skip, checks: all, run } = body as Record<string, number> & { checks: object[]; run: null };
      expect(pass! + warn! + fail! + skip!).to.equal(all.length);
      expect([fail, run]).to.deep.equal([0, null]);
      expect(warn).to.be.greaterThan(0);
    });

    it('ask a model endpoint one short question, and say what it said', async () => {
      const { status, body } = await ask(hub.url, 'POST', '/admin/api/credentials/asked/verify', {}, SERVER_TOKEN);
      expect([status, body.ok, body.capability], JSON.stringify(body)).to.deep.equal([200, true, 'chat']);
      const dead = {
        name: 'dead',
        provider: 'openai',
        base_url: 'http://127.0.0.1:9/v1',
        api_key: 'key-that-is-secret',
        default_model: 'm',
      };
      expect((await ask(hub.url, 'POST', '/admin/api/credentials', dead, SERVER_TOKEN)).status).to.equal(200);
      const gone = await ask(hub.url, 'POST', '/admin/api/credentials/dead/verify', { timeout_ms: 2_000 }, SERVER_TOKEN);
      expect([gone.status, gone.body.ok], JSON.stringify(gone.body)).to.deep.equal([200, false]);
      expect(gone.body.message).to.match(/\w/).and.not.contain('key-that-is-secret');
      const { items } = await get('config-audit?limit=1');
      expect((items as object[])[0]).to.deep.include({ event: 'credential_verify', by: 'admin' });
    });
  });
