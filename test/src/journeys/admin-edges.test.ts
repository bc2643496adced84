import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0001';
const LOGIN = 'http://user:pw-planted@127.0.0.1:9/in';
const KEY = 'key-that-nobody-may-take-away';

describe('journey: mistakes and tricks of whoever configures a hub', () => {
  let world: World;
  let hub: RunningHub;
  before(async () => {
    world = await makeWorld();
    const database = `sqlite:${path.join(world.folder, 'hub.db')}`;
    const process = `hub:\n  port: 0\n  token: ${SERVER_TOKEN}\n  database: ${database}\n  metrics: { token: ${METRICS_TOKEN} }\n`;
    fs.writeFileSync(world.configFile, `${process}admins: [{ username: of-the-file, role: admin, password: password-of-the-file }]\n`);
    hub = await startHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const admin = (method: string, at: string, body?: unknown) => ask(hub.url, method, `/admin/api/${at}`, body, SERVER_TOKEN);
  const refusal = async (at: string, body: unknown) => {
    const { status, body: said } = await admin('POST', at, body);
    return [status, said.code, said.at];
  };
  const desk = { route_key: 'desk', tools: { sources: [{ provider: 'orders', allow: ['*'] }] } };
  const orders = { name: 'orders', base_url: 'http://127.0.0.1:9/shop', spec_json: '{}', secret: 'secret-of-orders' };

  it('a client without a name is a mistake, and so is a token without what it may reach', async () => {
    expect(await refusal('clients', {})).to.deep.equal([400, 'BAILING_OBJECT_INVALID', 'name']);
    expect(await refusal('clients', '')).to.deep.equal([400, 'BAILING_OBJECT_INVALID', 'name']);
    expect(await refusal('clients', { name: 'CRM' })).to.deep.equal([400, 'BAILING_OBJECT_INVALID', 'allowed_routes']);
    expect(await refusal('executor-tokens', { name: 'workers' })).to.deep.equal([400, 'BAILING_OBJECT_INVALID', 'allowed_targets']);
    expect((await admin('GET', 'clients')).body).to.deep.equal([]);
    const named = await admin('POST', 'clients', { name: 'CRM', allowed_routes: ['*'] });
    expect(String(named.body.app_id)).to.match(/^app-[0-9a-f]{8}$/);
    // A change that leaves it out does not widen it.
    expect((await admin('POST', 'clients', { app_id: named.body.app_id, name: 'CRM' })).status).to.equal(400);
  });

  it('no client and no executor has the token of the metrics, over HTTP or in a file', async () => {
    expect(await refusal('clients', { app_id: 'm1', allowed_routes: ['*'], token: METRICS_TOKEN })).to.deep.equal([
      400,
      'BAILING_OBJECT_INVALID',
      'token',
    ]);
    expect(await refusal('executor-tokens', { name: 'm1', allowed_targets: ['*'], token: METRICS_TOKEN })).to.include('token');
    const configFile = path.join(world.folder, 'shared.yaml');
    const clients = `clients: [{ app_id: m1, token: ${METRICS_TOKEN}, allowed_routes: ['*'] }]`;
    fs.writeFileSync(configFile, `hub: { port: 0, token: ${SERVER_TOKEN}, metrics: { token: ${METRICS_TOKEN} } }\n${clients}\n`);
    const started = await startHub({ configFile }).catch((error: unknown) => String(error));
    expect(started).to.include('clients[0].token').and.include('metrics token').and.not.include(METRICS_TOKEN);
  });

  it('what cannot be opened is told by its field, is the fault of whoever sent it, and is no failure of the hub', async () => {
    for (const [at, body, field] of [
      ['tool-providers', { ...orders, base_url: 'http://user:pw-planted@127.0.0.1:9' }, 'base_url'],
      [
        'tool-providers',
        { ...orders, spec_source: 'url', spec_json: undefined, spec_url: 'http://u:pw-planted@127.0.0.1:9/x' },
        'spec_url',
      ],
      ['tool-providers', { ...orders, base_url: 'http://127.0.0.1:9/?a=pw-planted' }, 'base_url'],
      ['tool-providers', { ...orders, base_url: 'http://[pw-planted' }, 'base_url'],
      ['tool-providers', { ...orders, kind: 'nobody-brings-it' }, 'kind'],
      ['credentials', { name: 'c1', provider: 'nobody-brings-it' }, 'provider'],
      ['credentials', { name: 'c1', base_url: 'http://u:pw-planted@127.0.0.1:9', api_key: 'k' }, 'base_url'],
      ['credentials', { name: 'c1', base_url: 'http://127.0.0.1:9', api_key: 'pw-planted with spaces' }, 'api_key'],
      ['alert-rules', { id: 'a1', url: LOGIN }, 'url'],
      ['channels', { name: 'c1', kind: 'webhook', config: { url: LOGIN, secret: 'pw-planted-for-the-tests' } }, 'config\\.url'],
      [
        'channels',
        { name: 'c1', kind: 'wecom', config: { corpid: 'c', agentid: 1, secret: 'pw-planted', base_url: LOGIN } },
        'config\\.base_url',
      ],
      ['routes', { ...desk, default_callback_url: LOGIN }, 'default_callback_url'],
      ['routes', { ...desk, delivery: { type: 'webhook', url: LOGIN } }, 'delivery\\.url'],
      ['routes', { ...desk, tools: { ...desk.tools, approval: { type: 'webhook', url: LOGIN } } }, 'tools\\.approval\\.url'],
      [
        'routes',
        { route_key: 'r1', tools: { sources: [{ provider: 'orders', allow: ['*'] }], approval: { type: 'nobody-brings-it' } } },
        'tools',
      ],
    ] as const) {
      const { status, body: said } = await admin('POST', at, body);
      expect([status, said.code], JSON.stringify(said)).to.deep.equal([400, 'BAILING_OBJECT_INVALID']);
      expect(String(said.at)).to.match(new RegExp(`^${field}`));
      expect(JSON.stringify(said)).to.not.include('pw-planted');
    }
    const applied = await admin('POST', 'config/apply', { objects: { credentials: [{ name: 'c1', provider: 'nobody-brings-it' }] } });
    expect([applied.status, applied.body.at]).to.deep.equal([400, 'credentials[0].provider']);
    expect(hub.logged.join('\n')).to.not.include('request failed').and.not.include('pw-planted');
  });

  it('a stored key goes nowhere but where it was given for, unless it is given again', async () => {
    const credential = { name: 'model', base_url: 'https://models.example/v1', api_key: KEY };
    expect((await admin('POST', 'credentials', credential)).status).to.equal(200);
    const moved = { ...credential, base_url: 'https://thief.example/v1' };
    for (const api_key of [undefined, '', '…'])
      expect(await refusal('credentials', { ...moved, api_key })).to.deep.equal([400, 'BAILING_SECRET_MOVED', 'base_url']);
    const applied = await admin('POST', 'config/apply', { objects: { credentials: [{ ...moved, api_key: '' }] } });
    expect([applied.status, applied.body.at]).to.deep.equal([400, 'credentials[0].base_url']);
    const same = { ...credential, base_url: 'https://models.example/v2', api_key: '' };
    expect((await admin('POST', 'credentials', same)).status).to.equal(200);
    expect((await admin('POST', 'credentials', moved)).status).to.equal(200);

    expect((await admin('POST', 'tool-providers', orders)).status).to.equal(200);
    const { secret, spec_json, ...kept } = orders;
    const elsewhere = 'http://127.0.0.1:10/tools.json';
    const byUrl = { ...kept, spec_source: 'url' };
    expect(await refusal('tool-providers', { ...kept, spec_json, base_url: 'http://127.0.0.1:10/shop' })).to.include('base_url');
    expect(await refusal('tool-providers', { ...byUrl, spec_url: elsewhere })).to.deep.equal([400, 'BAILING_SECRET_MOVED', 'spec_url']);
    expect((await admin('POST', 'tool-providers', { ...byUrl, spec_url: 'http://127.0.0.1:9/tools.json' })).status).to.equal(200);
    expect((await admin('POST', 'tool-providers', { ...byUrl, spec_url: elsewhere, secret })).status).to.equal(200);
  });

  it('without a credential one is told the credential of the path', async () => {
    const job = '/jobs/00000000-0000-4000-8000-000000000000';
    for (const [method, at, says] of [
      ['GET', '/admin/api/clients', /server token.*\/admin\/login/],
      ['POST', '/executor/claim', /executor token/],
      ['GET', '/metrics', /metrics token/],
      ['GET', job, /client token/],
      ['GET', '/nowhere', /a token that this path takes/],
    ] as const) {
      const { status, body } = await ask(hub.url, method, at, undefined, null);
      expect(status, at).to.equal(401);
      expect(body.fix, at).to.match(says);
    }
  });

  it('an unknown name takes as long as one of the file, and who guessed too often is told when to come back', async () => {
    const login = (username: string, password = 'a-wrong-guess') =>
      fetch(`${hub.url}/admin/login`, { method: 'POST', body: JSON.stringify({ username, password }) });
    const fastest = async (username: string) => {
      const times: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        const begun = performance.now();
        expect((await login(username)).status).to.equal(401);
        times.push(performance.now() - begun);
      }
      return Math.min(...times);
    };
    await login('warm-up');
    const unknown = await fastest('nobody');
    expect(await fastest('of-the-file')).to.be.above(unknown / 2);
    for (let i = 3; i < 5; i += 1) await login('nobody');
    const refused = await login('nobody');
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 600);
  });
});
