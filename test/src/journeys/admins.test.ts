import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const PASSWORD = 'planted-password-of-ann';

describe('journey: administrators with sessions and roles', () => {
  let world: World;
  let one: RunningHub;
  let two: RunningHub;
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  before(async () => {
    world = await makeWorld();
    const hub = `hub:\n  port: 0\n  token: ${SERVER_TOKEN}\n  database: sqlite:${path.join(world.folder, 'hub.db')}\n`;
    fs.writeFileSync(world.configFile, `${hub}admins: [{ username: file-admin, role: admin, password: password-of-the-file }]\n`);
    one = await startHub(world, { clock, duties: { pollMs: 20 } });
    two = await startHub(world, { clock, duties: { pollMs: 20 } });
  });
  after(async () => {
    await one.hub.stop();
    await two.hub.stop();
    await world.close();
  });

  type Headers = Readonly<Record<string, string>>;
  const send = async (hub: RunningHub, method: string, at: string, headers: Headers, body?: unknown) => {
    const response = await fetch(hub.url + at, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return {
      status: response.status,
      cookie: response.headers.get('set-cookie'),
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const token = { authorization: `Bearer ${SERVER_TOKEN}` };
  const login = (username: string, password: string, hub = one) => send(hub, 'POST', '/admin/login', {}, { username, password });
  const sessionOf = async (username: string, password: string): Promise<Headers> => {
    const { cookie } = await login(username, password);
    return { cookie: cookie?.split(';')[0] ?? '' };
  };

  it('are made over HTTP; one without a password gets one, told once', async () => {
    const ann = await send(one, 'POST', '/admin/api/admins', token, {
      username: 'ann',
      role: 'admin',
      password: PASSWORD,
      display_name: 'Ann',
    });
    expect(ann.body).to.deep.equal({ ok: true, username: 'ann', created: true });
    const { body } = await send(one, 'POST', '/admin/api/admins', token, { username: 'vic', role: 'viewer' });
    expect(body.password).to.be.a('string').with.length(16);
    expect((await login('vic', String(body.password))).status).to.equal(200);
    const shown = (await send(one, 'GET', '/admin/api/admins', token)).body as unknown as object[];
    expect(JSON.stringify(shown)).to.not.include(PASSWORD).and.not.include('s2$');
    const short = await send(one, 'POST', '/admin/api/admins', token, { username: 'x1', role: 'admin', password: 'short' });
    expect([short.status, short.body.at]).to.deep.equal([400, 'password']);
  });

  it('log in with a cookie that programs of the page cannot read, and are known on every hub', async () => {
    const answer = await login('ann', PASSWORD);
    expect(answer.body).to.deep.equal({ ok: true, username: 'ann', display_name: 'Ann' });
    expect(answer.cookie).to.match(/^bz_sess=[0-9a-f]{48}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
    const tls = await send(one, 'POST', '/admin/login', { 'x-forwarded-proto': 'https, http' }, { username: 'ann', password: PASSWORD });
    expect(tls.cookie).to.include('; Secure;');
    const me = await send(two, 'GET', '/admin/api/me', { cookie: answer.cookie ?? '' });
    expect(me.body).to.deep.equal({ username: 'ann', via: 'session', role: 'admin', perms: ['*'], capabilities: {} });
    expect((await login('file-admin', 'password-of-the-file')).status).to.equal(200);
    expect((await send(one, 'GET', '/admin/api/me', token)).body).to.include({ username: 'admin', via: 'token' });
  });

  it('may do what their role says, and machines’ work not at all', async () => {
    const made = await send(one, 'POST', '/admin/api/admins', token, { username: 'vic', role: 'viewer', password: 'another-password' });
    expect(made.status).to.equal(200);
    const viewer = await sessionOf('vic', 'another-password');
    expect((await send(one, 'GET', '/admin/api/runs', viewer)).status).to.equal(200);
    for (const [method, at] of [
      ['GET', '/admin/api/clients'],
      ['POST', '/admin/api/clients'],
      ['GET', '/admin/api/admins'],
      ['POST', '/admin/pause'],
      ['GET', '/admin/api/executor-tokens/x/token'],
      ['POST', '/run'],
      ['POST', '/executor/claim'],
    ] as const)
      expect((await send(one, method, at, viewer, method === 'POST' ? {} : undefined)).status, at).to.equal(403);
    expect((await send(one, 'POST', '/executor/claim', await sessionOf('ann', PASSWORD), {})).status).to.equal(403);
  });

  it('change nothing from pages of another host', async () => {
    const ann = await sessionOf('ann', PASSWORD);
    const { host } = new URL(one.url);
    const client = { app_id: 'made-by-ann', allowed_routes: ['*'] };
    for (const foreign of [
      { origin: 'http://evil.example' },
      { referer: 'https://evil.example/page' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await send(one, 'POST', '/admin/api/clients', { ...ann, ...foreign }, client)).status, JSON.stringify(foreign)).to.equal(403);
    expect((await send(one, 'GET', '/admin/api/clients', { ...ann, origin: 'http://evil.example' })).status).to.equal(200);
    expect((await send(one, 'POST', '/admin/api/clients', { ...ann, origin: `http://${host}` }, client)).status).to.equal(200);
  });

  it('lose their sessions with their password, their role, their leave and by logging out', async () => {
    const ann = await sessionOf('ann', PASSWORD);
    const other = await sessionOf('ann', PASSWORD);
    expect((await send(one, 'POST', '/admin/logout', other)).cookie).to.include('Max-Age=0');
    expect((await send(two, 'GET', '/admin/api/me', other)).status).to.equal(401);
    const wrong = await send(one, 'POST', '/admin/api/password', ann, { old_password: 'no', new_password: 'a-new-password' });
    expect(wrong.status).to.equal(401);
    expect(
      (await send(one, 'POST', '/admin/api/password', ann, { old_password: PASSWORD, new_password: `${PASSWORD}-2` })).status,
    ).to.equal(200);
    expect((await send(one, 'GET', '/admin/api/me', ann)).status).to.equal(401);
    const again = await sessionOf('ann', `${PASSWORD}-2`);
    expect((await send(one, 'POST', '/admin/api/admins', token, { username: 'ann', role: 'viewer' })).status).to.equal(200);
    expect((await send(one, 'GET', '/admin/api/clients', again)).status).to.equal(403);
    await send(one, 'POST', '/admin/api/admins', token, { username: 'ann', role: 'viewer', enabled: false });
    expect((await send(one, 'GET', '/admin/api/me', again)).status).to.equal(401);
    expect((await login('ann', `${PASSWORD}-2`)).status).to.equal(401);
  });

  it('are not guessed: five failures of a name, counted for all hubs together also when they come at once, and none of it forever', async () => {
    const missing = await send(one, 'POST', '/admin/login', {}, { username: 'ann' });
    expect([missing.status, missing.body.at]).to.deep.equal([400, 'password']);
    const at = Array.from({ length: 12 }, (_, i) => login('vic', 'guess', i % 2 ? one : two));
    const statuses = (await Promise.all(at)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length(5);
    expect(statuses.filter((status) => status === 429)).to.have.length(7);
    expect((await login('vic', 'another-password')).status).to.equal(429);
    expect((await login('file-admin', 'password-of-the-file')).status).to.equal(200);
    clock.offset += 600_001;
    expect((await login('vic', 'another-password')).status).to.equal(200);
  });

  it('who logs in for real keeps no count against the name', async () => {
    for (let i = 0; i < 7; i += 1) expect((await login('vic', 'another-password')).status).to.equal(200);
  });

  it('the first one can come from the environment, and comes only where there is none', async () => {
    const env = { BAILING_BOOTSTRAP_ADMIN_USERNAME: 'first', BAILING_BOOTSTRAP_ADMIN_PASSWORD: 'password-of-first' };
    const configFile = path.join(world.folder, 'empty.yaml');
    fs.writeFileSync(configFile, `hub: { port: 0, token: ${SERVER_TOKEN}, database: "sqlite:${path.join(world.folder, 'empty.db')}" }\n`);
    const hub = await startHub({ configFile }, { env });
    expect((await login('first', 'password-of-first', hub)).status).to.equal(200);
    await hub.hub.stop();
    const later = await startHub({ configFile }, { env: { ...env, BAILING_BOOTSTRAP_ADMIN_USERNAME: 'second' } });
    expect((await login('second', 'password-of-first', later)).status).to.equal(401);
    await later.hub.stop();
    const half = await startHub({ configFile }, { env: { BAILING_BOOTSTRAP_ADMIN_USERNAME: 'first' } }).catch((error: unknown) => error);
    expect(half).to.have.property('code', 'BAILING_CONFIG_INVALID');
  });

  it('leave no password in logs', () => {
    expect(one.logged.join('\n')).to.not.include(PASSWORD).and.not.include('another-password');
  });
});
