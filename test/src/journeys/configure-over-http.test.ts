import fs from 'node:fs';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask, eventsOf, type Answer } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SECRET, SERVER_TOKEN, type World } from '../support/world.js';

/** A configuration file of nothing but the process: everything else comes over HTTP. */
const bare = (database: string) =>
  `hub:\n  port: 0\n  token: ${SERVER_TOKEN}\n  database: ${database}\ntargets: [{ name: kept-in-file }]\n`;

for (const fixture of await databases())
  describe(`journey: a hub configured over HTTP (${fixture.name})`, () => {
    let world: World;
    let database: FreshDatabase;
    let first: RunningHub;
    let second: RunningHub;
    let etag = '';
    before(async () => {
      world = await makeWorld();
      database = await fixture.create();
      fs.writeFileSync(world.configFile, bare(database.url));
      first = await startHub(world, { duties: { pollMs: 20 } });
      second = await startHub(world, { duties: { pollMs: 20 } });
    });
    after(async () => {
      await first.hub.stop();
      await second.hub.stop();
      await world.close();
      await database.drop();
    });

    const admin = (method: string, at: string, body?: unknown, hub = first) => ask(hub.url, method, `/admin/api/${at}`, body, SERVER_TOKEN);
    const withTag = (method: string, at: string, headers: Record<string, string>, body?: unknown) =>
      fetch(`${first.url}/admin/api/${at}`, {
        method,
        headers: { authorization: `Bearer ${SERVER_TOKEN}`, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const until = async (check: () => Promise<boolean>) => {
      for (const end = Date.now() + 5_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10)))
        if (await check()) return;
      throw new Error('it did not come to pass within five seconds');
    };
    const provider = () => ({
      name: 'orders',
      base_url: `${world.service.url}/`,
      spec_source: 'url',
      spec_url: `${world.service.url}/.well-known/bailing/tools.json`,
      secret: SECRET,
    });
    const route = { route_key: 'orders', tools: { sources: [{ provider: 'orders', allow: ['order.*'], subject_field: 'operator_uid' }] } };
    let token = '';
    const run = async (hub: RunningHub, id: string): Promise<Answer['body']> => {
      const accepted = await ask(
        hub.url,
        'POST',
        '/run',
        { request_id: id, route: 'orders', input: 'Look up order A-1001', metadata: { operator_uid: 'u-ada' } },
        token,
      );
      expect(accepted.status, JSON.stringify(accepted.body)).to.equal(202);
      return (await admin('GET', `runs/${String(accepted.body.job_id)}`)).body;
    };

    it('takes a provider, a route and a client, and says at once what its document and its business are worth', async () => {
      const saved = await admin('POST', 'tool-providers', provider());
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
      expect(saved.body).to.deep.include({ ok: true, name: 'orders', created: true });
      expect((saved.body.authz_probe as { status: string }).status).to.equal('pass');
      expect((await admin('POST', 'routes', route)).body).to.deep.equal({ ok: true, route_key: 'orders', created: true });
      const client = (await admin('POST', 'clients', { app_id: 'crm', name: 'CRM', allowed_routes: ['orders'] })).body;
      expect(client).to.include({ ok: true, app_id: 'crm', created: true });
      token = String(client.token);
      expect(token).to.match(/^[0-9a-f]{32}$/);
    });

    it('runs a job with them right away, on the hub that was told and within moments on the other', async () => {
      const job = await run(first, 'http:1');
      expect(['queued', 'running', 'done']).to.include(job.status);
      await until(
        async () => (await ask(second.url, 'GET', '/jobs/00000000-0000-4000-8000-000000000000', undefined, token)).status === 404,
      );
      await until(async () => (await admin('GET', 'tool-providers/orders', undefined, second)).body.has_spec === true);
      const events = await runToEnd(second, 'http:2');
      expect(events).to.include.members(['tool_call', 'tool_result', 'finished']);
    });

    async function runToEnd(hub: RunningHub, id: string): Promise<readonly string[]> {
      const { job_id: id2 } = await run(hub, id);
      for (;;) {
        const job = (await admin('GET', `runs/${String(id2)}`)).body;
        if (job.status === 'done') return (await eventsOf(hub.url, String(id2))).map(({ event }) => event);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    it('shows objects with masked secrets, an ETag, and whose they are; the whole secret only where it is asked for, and noted', async () => {
      const shown = (await admin('GET', 'clients/crm')).body;
      expect(shown).to.include({
        app_id: 'crm',
        token: `${token.slice(0, 5)}…${token.slice(-4)}`,
        managed: 'database',
        updated_by: 'admin',
      });
      const whole = (await admin('GET', 'tool-providers/orders')).body;
      expect(whole).to.include({ secret: '…', base_url: world.service.url, managed: 'database', has_spec: true });
      expect((await admin('GET', 'clients/crm/token')).body).to.deep.equal({ app_id: 'crm', token });
      expect((await admin('GET', 'tool-providers/orders/secret')).body).to.deep.equal({ name: 'orders', secret: SECRET });
      expect((await admin('GET', 'targets')).body).to.deep.include.members([
        { name: 'kept-in-file', kind: 'executor', stateless: false, timeout_ms: 0, enabled: true, managed: 'file' },
      ]);
      expect((await admin('GET', 'clients/nobody')).status).to.equal(404);
    });

    it('changes nothing of the file, and says what to do', async () => {
      for (const [method, at, body] of [
        ['POST', 'targets', { name: 'kept-in-file' }],
        ['DELETE', 'targets/kept-in-file', undefined],
      ] as const) {
        const answer = await admin(method, at, body);
        expect([answer.status, answer.body.code]).to.deep.equal([409, 'BAILING_OBJECT_FILE_OWNED']);
        expect(answer.body.fix).to.match(/SIGHUP/);
      }
    });

    it('refuses a change of something that was changed meanwhile, and a replacement without knowing what is replaced', async () => {
      const read = await withTag('GET', 'routes/orders', {});
      etag = read.headers.get('etag') ?? '';
      const body = (await read.json()) as object;
      expect((await withTag('PUT', 'routes/orders', {}, body)).status).to.equal(428);
      expect((await withTag('PUT', 'routes/orders', { 'if-match': etag }, { ...body, description: 'by ann' })).status).to.equal(200);
      const late = await withTag('PUT', 'routes/orders', { 'if-match': etag }, { ...body, description: 'by bob' });
      expect([late.status, ((await late.json()) as { code: string }).code]).to.deep.equal([412, 'BAILING_OBJECT_CHANGED']);
      expect((await withTag('DELETE', 'routes/orders', { 'if-match': etag })).status).to.equal(412);
      expect((await withTag('POST', 'routes', { 'if-none-match': '*' }, route)).status).to.equal(412);
      expect((await admin('GET', 'routes/orders')).body.description).to.equal('by ann');
    });

    it('names every wrong field with its path, and repeats no value', async () => {
      const wrong = await admin('POST', 'routes', {
        route_key: 'x y',
        nmae: 'typo',
        tools: { sources: [{ provider: 'nobody', allow: [] }], max_calls: 51 },
        target_config: { system_prompt: 5 },
      });
      expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'BAILING_OBJECT_INVALID']);
      const at = (wrong.body.problems as { at: string }[]).map((one) => one.at);
      expect(at).to.include.members(['route_key', 'nmae', 'tools.sources[0].allow', 'tools.max_calls', 'target_config.system_prompt']);
      const nowhere = await admin('POST', 'routes', { ...route, tools: { sources: [{ provider: 'nobody', allow: ['*'] }] } });
      expect(nowhere.body.problems).to.deep.equal([{ at: 'tools.sources[0].provider', says: 'There is no tool provider "nobody".' }]);
      for (const secret of ['short', `${token.slice(0, 5)}…${token.slice(-3)}`]) {
        const answer = await admin('POST', 'clients', { app_id: 'crm', token: secret });
        expect(answer.status).to.equal(400);
        expect(JSON.stringify(answer.body)).to.not.include(secret);
      }
      expect((await admin('POST', 'clients', [])).status).to.equal(400);
      const long = await admin('POST', 'tool-providers', { ...provider(), name: 'n'.repeat(65), secret: 's'.repeat(129) });
      expect((long.body.problems as { at: string }[]).map((one) => one.at)).to.have.members(['name', 'secret']);
    });

    it('keeps secrets that are left out, blank or sent back as shown, and makes another token only when told', async () => {
      const shown = (await admin('GET', 'clients/crm')).body;
      for (const body of [
        shown,
        { app_id: 'crm', name: 'CRM', allowed_routes: ['orders'], token: '' },
        { app_id: 'crm', allowed_routes: ['*'] },
      ]) {
        expect((await admin('POST', 'clients', body)).status).to.equal(200);
        expect((await admin('GET', 'clients/crm/token')).body.token).to.equal(token);
      }
      const rotated = String((await admin('POST', 'clients', { ...shown, rotate_token: true })).body.token);
      expect(rotated)
        .to.match(/^[0-9a-f]{32}$/)
        .and.not.equal(token);
      expect((await ask(first.url, 'GET', '/jobs/x', undefined, token)).status).to.equal(401);
      token = rotated;
      await until(async () => (await ask(second.url, 'GET', '/jobs/x', undefined, token)).status === 404);
    });

    it('deletes nothing that is referred to, and everything else', async () => {
      const used = await admin('DELETE', 'tool-providers/orders');
      expect([used.status, used.body.code]).to.deep.equal([409, 'BAILING_OBJECT_IN_USE']);
      expect(used.body.error).to.include('routes orders, tools.sources[0].provider');
      for (const at of ['clients/crm', 'routes/orders', 'tool-providers/orders'])
        expect((await admin('DELETE', at)).status, at).to.equal(200);
      expect((await admin('GET', 'tool-providers')).body).to.deep.equal([]);
      expect((await ask(first.url, 'GET', '/jobs/x', undefined, token)).status).to.equal(401);
      await until(async () => (await ask(second.url, 'GET', '/jobs/x', undefined, token)).status === 401);
    });

    it('lists in pages that go on where they ended', async () => {
      for (const name of ['t-1', 't-2', 't-3']) await admin('POST', 'targets', { name });
      const page = await withTag('GET', 'targets?limit=2', {});
      const cursor = page.headers.get('x-next-cursor') ?? '';
      const rest = await withTag('GET', `targets?cursor=${cursor}`, {});
      const names = [...((await page.json()) as { name: string }[]), ...((await rest.json()) as { name: string }[])].map(
        ({ name }) => name,
      );
      expect(names).to.deep.equal(['kept-in-file', 't-1', 't-2', 't-3']);
      expect(rest.headers.get('x-next-cursor')).to.equal(null);
    });

    it('is all there after a restart, with secrets that open, none of which stands in the database in the clear', async () => {
      await admin('POST', 'tool-providers', provider());
      await second.hub.stop();
      const docs = (await database.query('SELECT doc FROM bz_objects')).map(({ doc }) => String(doc));
      expect(docs.join('')).to.include('sealed:v1:').and.not.include(SECRET).and.not.include(token);
      expect(fs.statSync(path.join(world.folder, '.bailing', 'secret.key')).mode & 0o777).to.equal(0o600);
      second = await startHub(world, { duties: { pollMs: 20 } });
      expect((await admin('GET', 'tool-providers/orders/secret', undefined, second)).body.secret).to.equal(SECRET);
    });

    it('swaps nothing when the file and the database would name one object twice', async () => {
      fs.writeFileSync(world.configFile, `${bare(database.url)}credentials: [{ name: t-1, provider: rules }]\n`);
      await admin('POST', 'credentials', { name: 't-1', provider: 'rules' });
      const twice = await startHub(world).catch((error: unknown) => error);
      expect(twice).to.have.property('code', 'BAILING_OBJECT_TWICE');
      expect(String(twice)).to.include('credentials t-1');
    });

    it('leaves a line for every change, with names of fields and no secret', async () => {
      const rows = await database.query("SELECT event, detail FROM bz_audit WHERE request_id = 'config' ORDER BY id");
      const lines = rows.map(({ event, detail }) => ({
        event: String(event),
        detail: JSON.parse(String(detail)) as Record<string, unknown>,
      }));
      expect(lines.find(({ event }) => event === 'config_change')?.detail).to.deep.include({
        by: 'admin',
        method: 'POST',
        path: '/admin/api/tool-providers',
        kind: 'tool_providers',
        name: 'orders',
        change: 'created',
      });
      expect(lines.map(({ event }) => event)).to.include.members(['client_token_revealed', 'tool_secret_revealed']);
      expect(JSON.stringify(lines)).to.not.include(SECRET).and.not.include(token);
      expect(first.logged.join('\n')).to.not.include(SECRET).and.not.include(token);
    });
  });
