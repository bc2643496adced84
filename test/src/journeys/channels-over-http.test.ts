import fs from 'node:fs';
import { ALWAYS, loadConfig } from '@bailing/app';
import { definePlugin, points, type Channel } from '@bailing/plugin-api';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { until } from '../support/desk.js';
import { deskModelPlugin } from '../support/desk-model.js';
import { ask, eventsOf, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const bare = (database: string) => `hub: { port: 0, token: ${SERVER_TOKEN}, database: "${database}" }
credentials:
  - { name: script, provider: desk-script }
plugins:
  - use: gate-parameters
    config: { rules: [{ channels: [ops], external: { params: [to], inside: [example.com] } }] }
`;

const ODD_TOKEN = 'token-planted-in-a-channel';
const ODD = { type: 'object', properties: { gives: { type: 'string' }, token: { type: 'string', writeOnly: true } } } as const;
interface Odd {
  readonly gives: 'a rejection' | 'a number' | 'a channel that throws' | 'a channel that says it';
  readonly token: string;
}

/** What a plugin that is not checked by a compiler may open. */
function openOdd({ gives, token }: Odd): unknown {
  const why = `token ${token} at https://x.example/?t=${encodeURIComponent(token)}`;
  if (gives === 'a rejection') return Promise.reject(new Error(why));
  if (gives === 'a number') return 7;
  const deliver = () => {
    if (gives === 'a channel that throws') throw Object.assign(new Error(why), { name: token });
    return Promise.resolve({ is: 'refused', why });
  };
  return { prepare: () => Promise.resolve([{ says: token, body: 0 }]), deliver };
}

for (const fixture of await databases())
  describe(`journey: channels configured over HTTP (${fixture.name})`, function () {
    this.timeout(30_000);
    let world: World;
    let database: FreshDatabase;
    let first: RunningHub;
    let second: RunningHub;
    let here: Mailroom;
    let there: Mailroom;
    before(async () => {
      [world, database, here, there] = await Promise.all([makeWorld(), fixture.create(), startMailroom(), startMailroom()]);
      fs.writeFileSync(world.configFile, bare(database.url));
      [first, second] = [await startOne(), await startOne()];
    });
    after(async () => {
      await Promise.all([first.hub.stop(), second.hub.stop()]);
      await Promise.all([world.close(), here.close(), there.close()]);
      await database.drop();
    });
    beforeEach(() => [here, there].forEach(({ got }) => (got.length = 0)));

    /** Runs while a message is judged. */
    const meanwhile: { run?: () => Promise<void> } = {};
    const gatePlugin = definePlugin({
      id: 'gate-meanwhile',
      provides: (add) => [
        add(points.gate, 'meanwhile', () => ({
          judge: async () => {
            await meanwhile.run?.();
            return { is: 'allow' };
          },
        })),
      ],
    });
    const oddPlugin = definePlugin({
      id: 'channel-odd',
      provides: (add) => [
        add(points.channel, 'odd', () => ({ row: ODD, open: ({ config }) => openOdd(config as unknown as Odd) as Channel })),
      ],
    });
    const startOne = () => startHub(world, { plugins: [...ALWAYS, deskModelPlugin, gatePlugin, oddPlugin], duties: { pollMs: 20 } });
    const admin = (method: string, at: string, body?: unknown, hub = first) => ask(hub.url, method, `/admin/api/${at}`, body, SERVER_TOKEN);
    const withTag = (method: string, at: string, headers: Record<string, string>, body?: unknown) =>
      fetch(`${first.url}/admin/api/${at}`, {
        method,
        headers: { authorization: `Bearer ${SERVER_TOKEN}`, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const ops = (config: object = {}, more: object = {}) => ({
      ...{ name: 'ops', kind: 'webhook', config: { url: `${here.url}/in`, secret: CHANNEL_SECRET, ...config }, ...more },
    });
    const send = (id: string, more: object = {}) =>
      ask(first.url, 'POST', '/send', { request_id: id, channel: 'ops', to: 'u1', text: id, ...more }, CLIENT_TOKEN);
    const problems = ({ body }: { body: Record<string, unknown> }) => (body.problems as { at: string }[] | undefined)?.map(({ at }) => at);

    it('the first channel comes while the hub runs, and messages go through it at once, whichever hub takes them', async () => {
      expect((await admin('POST', 'channels', ops())).body).to.deep.equal({ ok: true, name: 'ops', created: true });
      const client = { app_id: 'back-office', token: CLIENT_TOKEN, allowed_routes: ['*'], allowed_channels: ['ops'] };
      expect((await admin('POST', 'clients', client)).status).to.equal(200);
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => send(`c:${String(n)}`)));
      expect(answers.map(({ status, body }) => (status === 200 ? 200 : JSON.stringify(body)))).to.deep.equal(Array(12).fill(200));
      expect(here.got).to.have.length(12);
    });

    it('is shown without its secrets, sealed in the database, and written down by the names of its members', async () => {
      const read = await withTag('GET', 'channels/ops', {});
      expect(read.headers.get('etag')).to.match(/^"\d+"$/);
      expect(await read.json()).to.deep.include({ kind: 'webhook', managed: 'database', config: { url: `${here.url}/in`, secret: '…' } });
      const [row] = await database.query("SELECT doc FROM bz_objects WHERE kind = 'channels'");
      expect(JSON.parse(String(row?.doc)))
        .to.have.property('config')
        .that.matches(/^sealed:v1:/);
      const lines = JSON.stringify(await database.query("SELECT detail FROM bz_audit WHERE event = 'config_change'"));
      expect(lines)
        .to.match(/"kind\W+channels\W+name\W+ops\W+change\W+created/)
        .and.not.include(CHANNEL_SECRET);
    });

    it('keeps a secret that is blank or as it was shown, but takes it to no other address', async () => {
      for (const secret of ['', '…']) {
        const saved = await admin('POST', 'channels', ops({ secret }, { description: `with ${secret}` }));
        expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
      }
      expect((await send('c:kept')).status).to.equal(200);
      const moved = await admin('POST', 'channels', ops({ url: `${there.url}/in`, secret: '' }));
      expect([moved.status, moved.body.code, problems(moved)]).to.deep.equal([400, 'BAILING_SECRET_MOVED', ['config.url']]);
      for (const [url, at] of [
        ['', 'config.url'],
        [null, 'config.url'],
        ['ftp://x', 'config.url'],
        [undefined, 'config.url'],
      ] as const) {
        const wrong = await admin('POST', 'channels', ops({ url, secret: '' }));
        expect([wrong.body.code, problems(wrong)], String(url)).to.deep.equal(['BAILING_OBJECT_INVALID', [at]]);
      }
      const copied = await admin('POST', 'channels', { ...ops({ secret: '…' }), name: 'copy' });
      expect([copied.body.code, problems(copied)]).to.deep.equal(['BAILING_SECRET_MASKED', ['config.secret']]);
      const applied = await admin('POST', 'config/apply', { objects: { channels: [ops({ url: `${there.url}/in`, secret: '' })] } });
      expect(problems(applied)).to.deep.equal(['channels[0].config.url']);
    });

    it('refuses what its kind cannot open, field by field, and what changed meanwhile; what works goes on', async () => {
      for (const [config, at] of [
        [{ url: 'nowhere' }, 'config.url'],
        [{ secret: 'short' }, 'config.secret'],
        [{ urll: 'typo' }, 'config.urll'],
      ] as const) {
        const wrong = await admin('POST', 'channels', ops(config));
        expect([wrong.status, wrong.body.code, problems(wrong)]).to.deep.equal([400, 'BAILING_OBJECT_INVALID', [at]]);
      }
      const unknown = await admin('POST', 'channels', { name: 'fax', kind: 'fax' });
      expect(problems(unknown)).to.deep.equal(['kind']);
      const mail = await admin('POST', 'channels', { name: 'mail', kind: 'email', config: { host: 'h', from: 'a@b', user: 'x' } });
      expect(problems(mail)).to.deep.equal(['config']);
      expect((await withTag('PUT', 'channels/ops', {}, ops())).status).to.equal(428);
      expect((await withTag('PUT', 'channels/ops', { 'if-match': '"1"' }, ops())).status).to.equal(412);
      expect((await admin('GET', 'channels?limit=1')).body).to.have.length(1);
      expect((await send('c:still')).status).to.equal(200);
    });

    it('never give way to what is no channel, and nothing that one says holds its secret', async () => {
      const odd = (gives: Odd['gives']) => ({ name: 'ops', kind: 'odd', config: { gives, token: ODD_TOKEN } });
      const said: unknown[] = [];
      for (const [gives, what] of [
        ['a rejection', 'a promise'],
        ['a number', 'gave number'],
      ] as const) {
        const wrong = await admin('POST', 'channels', odd(gives));
        expect([wrong.status, wrong.body.code, problems(wrong)]).to.deep.equal([400, 'BAILING_OBJECT_INVALID', ['config']]);
        expect(JSON.stringify(wrong.body)).to.include(what);
        said.push(wrong.body);
      }
      expect((await send('c:works')).status).to.equal(200);
      for (const [gives, end] of [
        ['a channel that says it', 'token … at https://x.example/?t=…'],
        ['a channel that throws', 'possibly_sent'],
      ] as const) {
        expect((await admin('POST', 'channels', odd(gives))).status).to.equal(200);
        const { status, body } = await send(`c:${gives}`);
        expect([status, JSON.stringify(body).includes(end)], JSON.stringify(body)).to.deep.equal([502, true]);
        said.push(body, await eventsOf(first.url, String(body.job_id)), (await admin('GET', 'unresolved')).body);
      }
      expect((await admin('POST', 'channels', ops())).status).to.equal(200);
      const rows = await database.query('SELECT * FROM bz_audit');
      expect(JSON.stringify([said, rows, first.logged, second.logged])).to.not.include(ODD_TOKEN);
    });

    it('a change while a message is judged: it is judged once more and goes to the new address; one that never rests is told what to do', async () => {
      const route = { route_key: 'restless', target_config: { credential: 'script' } };
      await admin('POST', 'routes', { ...route, tools: { builtin: { send_message: { channels: ['ops'] } } } });
      const run = async (id: string) => {
        const script = [[{ tool: 'send_message', arguments: { to: 'ann@example.com', text: id } }]];
        const asked = { request_id: id, route: 'restless', input: JSON.stringify(script) };
        const job = String((await ask(first.url, 'POST', '/run', asked, CLIENT_TOKEN)).body.job_id);
        const ended = await waitForEnd(first.url, job);
        return { text: (ended.result as { text: string }).text, events: (await eventsOf(first.url, job)).map(({ event }) => event) };
      };
      let changes = 1;
      meanwhile.run = async () => {
        if (changes <= 0) return;
        changes -= 1;
        const to = changes % 2 === 0 ? there : here;
        expect((await admin('POST', 'channels', ops({ url: `${to.url}/in` }))).status).to.equal(200);
      };
      try {
        const moved = await run('c:moved');
        expect(moved.text).to.include('Sent through ops to 1 recipient.');
        expect([here.got, there.got.map(({ text }) => text)]).to.deep.equal([[], ['c:moved']]);
        expect(moved.events.filter((event) => event.startsWith('builtin_send'))).to.deep.equal([
          ...['builtin_send_call', 'builtin_send_error', 'builtin_send_call', 'builtin_send'],
        ]);
        changes = 2;
        const restless = await run('c:restless');
        expect(restless.text)
          .to.include('The channel was changed before the message left')
          .and.include('Send it again under a new request_id.');
        expect(restless.text).to.not.include('base URL');
        expect([here.got.length, there.got.length]).to.deep.equal([0, 1]);
      } finally {
        delete meanwhile.run;
        expect((await admin('POST', 'channels', ops())).status).to.equal(200);
        await admin('DELETE', 'routes/restless');
      }
    });

    it('a change of its address is followed by both hubs; a message that was approved for the old one does not go to the new', async () => {
      await admin('POST', 'routes', {
        route_key: 'desk',
        target_config: { credential: 'script' },
        tools: { builtin: { send_message: { channels: ['ops'] } } },
      });
      const script = [[{ tool: 'send_message', arguments: { to: 'eve@elsewhere.org', text: 'Held' } }]];
      const asked = { request_id: 'c:held', route: 'desk', input: JSON.stringify(script) };
      const job = String((await ask(first.url, 'POST', '/run', asked, CLIENT_TOKEN)).body.job_id);
      const approval = await until(async () => {
        const rows = (await admin('GET', 'tool-approvals')).body as unknown as { id: number; job_id: string }[];
        return rows.find((one) => one.job_id === job)?.id;
      });
      const changed = await admin('POST', 'channels', ops({ url: `${there.url}/in` }));
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
      await admin('POST', `tool-approvals/${String(approval)}/approve`, { approver: 'cleo' });
      await until(async () => (await eventsOf(first.url, job)).some(({ detail }) => JSON.stringify(detail).includes('request_changed')));
      expect([here.got, there.got]).to.deep.equal([[], []]);
      expect((await waitForEnd(first.url, job)).status).to.equal('done');
      await until(async () => {
        const { config } = (await admin('GET', 'channels/ops', undefined, second)).body as { config: { url: string } };
        return config.url.startsWith(there.url);
      });
      expect((await send('c:there')).status).to.equal(200);
      expect([here.got, there.got.map(({ text }) => text)]).to.deep.equal([[], ['c:there']]);
    });

    it('what a route, a delivery or a client names is not deleted, by name; what nothing names goes, on every hub', async () => {
      const clients = (allowed: string[]) =>
        admin('POST', 'clients', { app_id: 'back-office', allowed_routes: ['*'], allowed_channels: allowed });
      const route = (more: object) => admin('POST', 'routes', { route_key: 'desk', target_config: { credential: 'script' }, ...more });
      const refused = async () => {
        const { status, body } = await admin('DELETE', 'channels/ops');
        return [status, body.code, String(body.detail ?? body.error).match(/(?:routes|clients) [a-z-]+/g)];
      };
      expect(await refused()).to.deep.equal([409, 'BAILING_OBJECT_IN_USE', ['routes desk', 'clients back-office']]);
      await clients([]);
      await route({ delivery: { type: 'channel', channel: 'ops', to: 'boss' } });
      expect(await refused()).to.deep.equal([409, 'BAILING_OBJECT_IN_USE', ['routes desk']]);
      await route({});
      await clients(['*']);
      expect((await admin('DELETE', 'channels/ops')).body).to.deep.equal({ ok: true });
      expect((await send('c:gone')).body).to.include({ code: 'BAILING_CHANNEL_UNKNOWN' });
      expect((await admin('GET', 'channels')).body).to.deep.equal([]);
    });

    it('channels of the file are read again by SIGHUP, shown as the file’s, and changed there only', async () => {
      const reread = (channels: string) => {
        fs.writeFileSync(world.configFile, `${bare(database.url)}channels: [${channels}]\n`);
        first.hub.reconfigure(loadConfig(world.configFile, {}).config);
      };
      const row = (url: string, more = '') =>
        `{ name: filed, kind: webhook, config: { url: '${url}/in', secret: ${CHANNEL_SECRET} }${more} }`;
      reread(row(here.url));
      expect((await send('f:1', { channel: 'filed' })).status).to.equal(200);
      reread(row(there.url));
      expect((await send('f:2', { channel: 'filed' })).status).to.equal(200);
      expect([here.got.map(({ text }) => text), there.got.map(({ text }) => text)]).to.deep.equal([['f:1'], ['f:2']]);
      expect((await admin('GET', 'channels/filed')).body).to.deep.include({
        managed: 'file',
        config: { url: `${there.url}/in`, secret: '…' },
      });
      expect((await admin('POST', 'channels', ops({}, { name: 'filed' }))).body).to.include({ code: 'BAILING_OBJECT_FILE_OWNED' });
      expect(() => reread(`${row(here.url)}, { name: fax, kind: fax }`))
        .to.throw()
        .with.property('at', 'channels fax, kind');
      expect((await send('f:3', { channel: 'filed' })).status).to.equal(200);
      reread(row(there.url, ', enabled: false'));
      expect((await send('f:4', { channel: 'filed' })).body).to.include({ code: 'BAILING_CHANNEL_UNKNOWN' });
      expect(there.got.map(({ text }) => text)).to.deep.equal(['f:2', 'f:3']);
    });
  });
