import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@bailing/app';
import { channelWebhookPlugin } from '@bailing/channel-webhook';
import { openConfigDoor, rotateConfigSecrets, type ConfigDoor } from '@bailing/hub';
import { exportYaml, jsonSchemas, readObjectFiles } from '@bailing/resources';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { root } from '../support/root.js';
import { SERVER_TOKEN } from '../support/world.js';

const BIN = path.join(root, 'packages', 'app', 'dist', 'bin.js');
const CRM = 'planted-token-of-the-crm-client';
const ORDERS = 'planted-secret-of-the-orders';
const KEY = 'planted-key-of-the-credential';
const HOOK = 'planted-secret-of-the-channel';

const SECRETS = {
  CLIENTS_CRM_TOKEN: CRM,
  TOOL_PROVIDERS_ORDERS_SECRET: ORDERS,
  CREDENTIALS_MAIN_API_KEY: KEY,
  CHANNELS_OPS_CONFIG_SECRET: HOOK,
};
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const OBJECTS = `clients:
  - { app_id: crm, token: "\${CLIENTS_CRM_TOKEN}", allowed_routes: [desk] }
tool_providers:
  - name: orders
    base_url: http://127.0.0.1:9/
    spec_file: ./orders.json
    secret: \${TOOL_PROVIDERS_ORDERS_SECRET}
`;
const MORE = `credentials:
  - { name: main, base_url: "http://127.0.0.1:9/v1", api_key: "\${CREDENTIALS_MAIN_API_KEY}", default_model: m }
channels:
  - { name: ops, kind: webhook, config: { url: "http://127.0.0.1:9/in", secret: "\${CHANNELS_OPS_CONFIG_SECRET}" }, timeout_ms: 5000 }
routes:
  - route_key: desk
    target_config: { credential: main, system_prompt: "A literal $\${X} stays" }
    tools: { sources: [{ provider: orders, allow: ['order.*'] }] }
`;

describe('journey: configuration as code', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-code-'));
    fs.mkdirSync(path.join(folder, 'objects'));
    write('objects/a.yaml', OBJECTS);
    write('objects/b.yml', MORE);
    write('objects/orders.json', '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}');
    for (const name of ['one', 'two'])
      write(`${name}.yaml`, `hub: { port: 0, token: ${SERVER_TOKEN}, database: "sqlite:${path.join(folder, name)}.db" }\n`);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(folder, name), text);
  }
  function bailing(args: readonly string[], more: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
    const { BAILING_URL: _url, BAILING_TOKEN: _token, ...env } = process.env;
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [BIN, ...args],
        { cwd: folder, env: { ...env, ...SECRETS, NO_COLOR: '1', ...more } },
        (error, out, err) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err });
        },
      );
    });
  }

  /** The database of a configuration, as commands open it. */
  async function door<R>(name: string, work: (door: ConfigDoor) => Promise<R>): Promise<R> {
    const opened = await openConfigDoor(reaching(name));
    return work(opened).finally(() => opened.close());
  }
  const reaching = (name: string) => ({
    ...loadConfig(path.join(folder, `${name}.yaml`), {}),
    env: {},
    log: silent,
    plugins: [channelWebhookPlugin],
  });
  const objectsOf = (...names: string[]) => {
    const files = names.map((name) => {
      const full = path.join(folder, name);
      return {
        name,
        text: fs.readFileSync(full, 'utf8'),
        readFile: (beside: string) => fs.readFileSync(path.join(path.dirname(full), beside), 'utf8'),
      };
    });
    return readObjectFiles(files, SECRETS).objects as Record<string, readonly unknown[]>;
  };
  const cause = { by: { kind: 'admin', name: 'cli' }, method: 'POST', path: 'test' } as const;

  it('an export applied to an empty hub gives the same export, and no secret is in it', async () => {
    const applied = await bailing(['apply', '-c', 'one.yaml', '-f', 'objects']);
    expect(applied.err).to.match(/a key for secrets at rest was made/);
    expect(applied.out).to.include('+ create routes desk').and.include('5 to create, 0 to update, 0 to delete.');
    const exported = await bailing(['export', '-c', 'one.yaml', '-o', 'export.yaml']);
    const first = fs.readFileSync(path.join(folder, 'export.yaml'), 'utf8');
    expect(first).to.include('${CLIENTS_CRM_TOKEN}').and.include('A literal $${X} stays');
    expect(first).to.include('url: http://127.0.0.1:9/in').and.include('secret: ${CHANNELS_OPS_CONFIG_SECRET}');
    await door('two', async ({ objects }) => {
      await objects.apply({ objects: objectsOf('export.yaml'), prune: true, dry_run: false }, cause);
      expect(exportYaml(await objects.export(), 'env').text).to.equal(first);
      // What a channel's kind says of its settings is held against them here too.
      const wrong = { channels: [{ name: 'ops', kind: 'webhook', config: { url: 'nowhere', secret: HOOK } }] };
      const refusal = await objects.apply({ objects: wrong, prune: false, dry_run: true }, cause).catch((error: unknown) => error);
      expect(refusal).to.include({ code: 'BAILING_OBJECT_INVALID', at: 'channels[0].config.url' });
      const same = await objects.apply({ objects: objectsOf('objects/a.yaml', 'objects/b.yml'), prune: true, dry_run: true }, cause);
      expect(same.changes).to.deep.equal([]);
    });
    expect(first + applied.out + applied.err + exported.err).to.not.include('planted-');
  });

  it('the same over the admin API of a running hub: refusals with file and line, a plan, and secrets kept where they are left out', async () => {
    const hub: RunningHub = await startHub({ configFile: path.join(folder, 'two.yaml') });
    const apply = async (objects: object, more: object = {}) =>
      (await ask(hub.url, 'POST', '/admin/api/config/apply', { objects, ...more }, SERVER_TOKEN)).body;
    try {
      write(
        'bad.yaml',
        'clients:\n  - app_id: crm\n    allowed_routes: [nowhere]\nroutes:\n  - route_key: desk\n    tools: { sources: [] }\n',
      );
      const refused = await bailing(['apply', '-f', 'bad.yaml'], { BAILING_URL: hub.url, BAILING_TOKEN: SERVER_TOKEN });
      expect([refused.code, refused.err]).to.deep.equal([
        1,
        'bad.yaml:6:5 BAILING_OBJECT_INVALID routes[0].tools: It grants nothing: name sources, or channels under builtin.send_message.\n' +
          'bad.yaml:3:22 BAILING_OBJECT_INVALID clients[0].allowed_routes[0]: There is no route "nowhere".\n',
      ]);
      const clients = [
        { app_id: 'crm', allowed_routes: ['*'] },
        { app_id: 'new-one', token: `${CRM}-2`, allowed_routes: ['*'] },
      ];
      const plan = [
        { member: 'clients', name: 'crm', change: 'update', fields: ['allowed_routes'] },
        { member: 'clients', name: 'new-one', change: 'create', fields: [] },
      ];
      expect((await apply({ clients }, { prune: true, dry_run: true })).changes).to.deep.equal(plan);
      expect((await ask(hub.url, 'GET', '/admin/api/clients/new-one', undefined, SERVER_TOKEN)).status).to.equal(404);
      expect((await apply({ clients })).changes).to.deep.equal(plan);
      expect((await ask(hub.url, 'GET', '/admin/api/clients/crm/token', undefined, SERVER_TOKEN)).body.token).to.equal(CRM);
      const pruned = await apply({ clients: clients.slice(0, 1) }, { prune: true });
      expect(pruned.changes).to.deep.equal([{ member: 'clients', name: 'new-one', change: 'delete', fields: [] }]);
      expect((await ask(hub.url, 'GET', '/admin/api/routes/desk', undefined, SERVER_TOKEN)).status).to.equal(200);
      const masked = await apply({ clients: [{ app_id: 'x1', token: '…' }] });
      expect(masked.problems).to.deep.equal([{ at: 'clients[0].token', says: 'It is masked.' }]);
      const unnamed = await apply({ clients: [{ app_id: 'x1', tokn: 1, allowed_routes: ['*'] }] });
      expect((unnamed.problems as { at: string }[]).map(({ at }) => at)).to.deep.equal(['clients[0].token', 'clients[0].tokn']);
    } finally {
      await hub.hub.stop();
    }
  });

  it('a rotation seals everything under a new key, a hub opens it all, and another rotation is gone on with where it stopped', async () => {
    const key = path.join(folder, '.bailing', 'secret.key');
    const before = fs.readFileSync(key, 'utf8');
    expect(await rotateConfigSecrets(reaching('two'), false)).to.include({ how: 'made', resealed: 4, dropped: 0 });
    // As after a run that made the key and was interrupted: the other database is sealed under the old one still.
    expect(await rotateConfigSecrets(reaching('one'), true)).to.include({ how: 'resumed', resealed: 4, dropped: 1 });
    expect(fs.readFileSync(key, 'utf8')).to.not.include(before.split('\n')[1] ?? '');
    expect(fs.statSync(key).mode & 0o777).to.equal(0o600);
    const secret = await door('one', ({ objects }) => objects.reveal('tool_providers', 'orders', cause.by));
    expect(secret).to.equal(ORDERS);
  });

  it('a hub without the key does not start, and says which key it lacks', async () => {
    const configFile = path.join(folder, 'one.yaml');
    const failed = await startHub({ configFile }, { env: { BAILING_SECRET_KEY: 'another-key-of-more-than-32-characters' } }).catch(
      (error: unknown) => error,
    );
    expect(failed).to.have.property('code', 'BAILING_SECRET_UNREADABLE');
    expect(String(failed)).to.match(/sealed under key [0-9a-f]{12}, which this hub does not have/);
    expect(String(failed)).to.not.include('planted-');
  });

  it('the first administrator comes from the command line, and what a check finds has file and line', async () => {
    const added = await bailing(['admins', 'add', 'ann', '-c', 'one.yaml', '--generate']);
    const password = added.out.trim();
    const hub = await startHub({ configFile: path.join(folder, 'one.yaml') });
    expect((await ask(hub.url, 'POST', '/admin/login', { username: 'ann', password }, null)).status).to.equal(200);
    const index = (await ask(hub.url, 'GET', '/schemas', undefined, null)).body.schemas as string[];
    const schemas = await Promise.all(index.map(async (at) => (await ask(hub.url, 'GET', at, undefined, null)).body));
    expect(schemas).to.deep.equal([...jsonSchemas().values()]);
    await hub.hub.stop();
    write('wrong.yaml', 'routes:\n  - route_key: desk\n    target: nowhere\n');
    expect((await bailing(['check', '-c', 'one.yaml', '-f', 'wrong.yaml'])).err).to.match(
      /^wrong\.yaml:3:5 BAILING_CONFIG_INVALID routes\[0\]\.target: There is no target "nowhere"\./,
    );
  });
});
