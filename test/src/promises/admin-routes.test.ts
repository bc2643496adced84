import fs from 'node:fs';
import path from 'node:path';
import { objectKinds, readYaml } from '@bailing/resources';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { root } from '../support/root.js';
import { submit } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

interface Ask {
  readonly at?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Refusal extends Ask {
  readonly status: number;
}
/** How one route is asked. `null` says that it cannot be: it takes no body, or there is nothing it could conflict with. */
interface Row {
  readonly success: Ask | 'in openapi.test.ts' | 'in views.test.ts';
  readonly malformed: Refusal | null;
  readonly conflict: Refusal | null;
}

const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  clients: { app_id: 'made', allowed_routes: ['*'] },
  'executor-tokens': { name: 'made', allowed_targets: ['made'] },
  targets: { name: 'made' },
  credentials: { name: 'made', provider: 'rules', api_key: 'k' },
  'tool-providers': { name: 'made', base_url: 'http://127.0.0.1:9', spec_json: '{}', secret: 'secret-of-made' },
  channels: { name: 'made', kind: 'webhook', config: { url: 'http://127.0.0.1:9/in', secret: 'secret-of-made-channel' } },
  routes: { route_key: 'made' },
  'alert-rules': { id: 'made', url: 'http://127.0.0.1:9/alerts' },
  admins: { username: 'made', role: 'viewer', password: 'password-of-made' },
};
const JOB = '00000000-0000-4000-8000-000000000000';
const bad = (at: string, status = 400): Refusal => ({ at, status });
const missing = (at: string): Refusal => ({ at, status: 404 });
const settled = 'in openapi.test.ts' as const;

const ROWS: Readonly<Record<string, Row>> = {
  'POST /admin/pause': { success: {}, malformed: null, conflict: null },
  'POST /admin/resume': { success: {}, malformed: null, conflict: null },
  'GET /admin/api/stops': { success: {}, malformed: null, conflict: null },
  'POST /admin/api/stops': { success: { body: { what: 'route:orders' } }, malformed: { body: { what: 5 }, status: 400 }, conflict: null },
  'DELETE /admin/api/stops/{what}': {
    success: { at: '/admin/api/stops/route:orders' },
    malformed: null,
    conflict: null,
  },
  'POST /admin/api/routes/auto-preview': {
    success: { body: { text: 'x' } },
    malformed: { body: { input: ' ' }, status: 400 },
    conflict: null,
  },
  'POST /admin/api/explain': { success: { body: { route: 'orders' } }, malformed: { body: { route: 5 }, status: 400 }, conflict: null },
  ...Object.fromEntries(
    ['status', 'version', 'dispatch-status', 'executors', 'config-diagnostics'].map((name) => [
      `GET /admin/api/${name}`,
      { success: {}, malformed: null, conflict: null },
    ]),
  ),
  'GET /admin/api/cost': { success: {}, malformed: bad('/admin/api/cost?days=0'), conflict: null },
  'GET /admin/api/threads': { success: {}, malformed: bad('/admin/api/threads?limit=0'), conflict: null },
  'GET /admin/api/threads/{id}': { success: 'in views.test.ts', malformed: null, conflict: missing('/admin/api/threads/999') },
  'GET /admin/api/config-audit': { success: {}, malformed: bad('/admin/api/config-audit?cursor=x'), conflict: null },
  'POST /admin/api/smoke': { success: {}, malformed: { body: { more: 1 }, status: 400 }, conflict: null },
  'POST /admin/api/credentials/{name}/verify': {
    success: { at: '/admin/api/credentials/made/verify', body: {} },
    malformed: { at: '/admin/api/credentials/made/verify', body: { capability: 'embedding' }, status: 400 },
    conflict: missing('/admin/api/credentials/none/verify'),
  },
  'GET /admin/api/runs': { success: {}, malformed: bad('/admin/api/runs?limit=0'), conflict: null },
  'GET /admin/api/runs/trace': { success: {}, malformed: bad('/admin/api/runs/trace?limit=0'), conflict: null },
  ...Object.fromEntries(
    ['', '/audit', '/trace', '/bundle'].map((end) => [
      `GET /admin/api/runs/{job}${end}`,
      { success: { at: `/admin/api/runs/{JOB}${end}` }, malformed: null, conflict: missing(`/admin/api/runs/${JOB}${end}`) },
    ]),
  ),
  'POST /admin/api/runs/{job}/rerun': { success: settled, malformed: null, conflict: missing(`/admin/api/runs/${JOB}/rerun`) },
  'GET /admin/api/tool-approvals': { success: {}, malformed: bad('/admin/api/tool-approvals?status=maybe'), conflict: null },
  'GET /admin/api/tool-approvals/{id}': { success: settled, malformed: null, conflict: missing('/admin/api/tool-approvals/999') },
  'POST /admin/api/tool-approvals/{id}/approve': {
    success: settled,
    malformed: null,
    conflict: missing('/admin/api/tool-approvals/999/approve'),
  },
  'POST /admin/api/tool-approvals/{id}/deny': {
    success: settled,
    malformed: null,
    conflict: missing('/admin/api/tool-approvals/999/deny'),
  },
  'GET /admin/api/unresolved': { success: {}, malformed: bad('/admin/api/unresolved?limit=0'), conflict: null },
  'POST /admin/api/unresolved/{id}/settle': {
    success: settled,
    malformed: { at: '/admin/api/unresolved/999/settle', body: { verdict: 'x' }, status: 400 },
    conflict: { at: '/admin/api/unresolved/999/settle', body: { verdict: 'applied', evidence: 'e' }, status: 404 },
  },
  'GET /admin/api/delivery-dlq': { success: {}, malformed: bad('/admin/api/delivery-dlq?limit=0'), conflict: null },
  'POST /admin/api/delivery-dlq/{id}/resend': {
    success: settled,
    malformed: null,
    conflict: missing('/admin/api/delivery-dlq/999/resend'),
  },
  'POST /admin/api/delivery-dlq/{id}/resolve': {
    success: settled,
    malformed: null,
    conflict: missing('/admin/api/delivery-dlq/999/resolve'),
  },
  'POST /admin/api/tool-providers/{name}/refresh': {
    success: { at: '/admin/api/tool-providers/orders/refresh' },
    malformed: null,
    conflict: missing('/admin/api/tool-providers/none/refresh'),
  },
  'GET /admin/api/tool-providers/{name}/tools': {
    success: { at: '/admin/api/tool-providers/orders/tools' },
    malformed: null,
    conflict: missing('/admin/api/tool-providers/none/tools'),
  },
  'POST /admin/api/tool-providers/{name}/authz-probe': {
    success: { at: '/admin/api/tool-providers/orders/authz-probe' },
    malformed: null,
    conflict: missing('/admin/api/tool-providers/none/authz-probe'),
  },
  'POST /admin/api/tool-providers/{name}/accept': {
    success: 'in openapi.test.ts',
    malformed: { at: '/admin/api/tool-providers/orders/accept', body: {}, status: 400 },
    conflict: { at: '/admin/api/tool-providers/none/accept', body: { tools: ['*'] }, status: 404 },
  },
  'POST /admin/api/tool-providers/{name}/debug-invoke': {
    success: { at: '/admin/api/tool-providers/orders/debug-invoke', body: { tool: 'order_read', args: { order_no: 'A-1001' } } },
    malformed: { at: '/admin/api/tool-providers/orders/debug-invoke', body: { tool: 5 }, status: 400 },
    conflict: { at: '/admin/api/tool-providers/orders/debug-invoke', body: { tool: 'order_read', job_id: '{JOB}' }, status: 409 },
  },
  'GET /admin/api/diagnostics': { success: {}, malformed: null, conflict: null },
  'POST /admin/api/tool-providers/{name}/signature-check': {
    success: { at: '/admin/api/tool-providers/orders/signature-check', body: { method: 'GET', target: '/x', headers: {} } },
    malformed: { at: '/admin/api/tool-providers/orders/signature-check', body: { method: 5 }, status: 400 },
    conflict: { at: '/admin/api/tool-providers/none/signature-check', body: { method: 'GET', target: '/x', headers: {} }, status: 404 },
  },
  'POST /admin/logout': { success: {}, malformed: null, conflict: null },
  'GET /admin/api/me': { success: {}, malformed: null, conflict: null },
  'POST /admin/api/password': {
    success: { headers: { cookie: 'ADMIN' }, body: { old_password: 'password-of-root', new_password: 'password-of-root-2' } },
    malformed: { headers: { cookie: 'ADMIN' }, body: { old_password: 'x', new_password: 'short' }, status: 400 },
    conflict: { body: { old_password: 'password-of-root', new_password: 'another-password' }, status: 403 },
  },
  'POST /admin/api/config/apply': {
    success: { body: { objects: { targets: [{ name: 'applied' }] } } },
    malformed: { body: { objects: { nonsense: [] } }, status: 400 },
    conflict: { body: { objects: { clients: [{ app_id: 'back-office', token: 'x'.repeat(32), allowed_routes: ['*'] }] } }, status: 400 },
  },
  'GET /admin/api/config/export': { success: {}, malformed: null, conflict: null },
  ...Object.assign({}, ...objectKinds.map(({ collection, reveals }) => objectRows(collection, reveals?.field))),
};

function objectRows(collection: string, reveals: string | undefined): Readonly<Record<string, Row>> {
  const all = `/admin/api/${collection}`;
  const doc = KINDS[collection];
  const stale = { 'if-match': '"1"' };
  return {
    [`GET ${all}`]: { success: {}, malformed: bad(`${all}?limit=0`), conflict: null },
    [`POST ${all}`]: {
      success: { body: doc },
      malformed: { body: { ...doc, nonsense: 1 }, status: 400 },
      conflict: { body: doc, headers: { 'if-none-match': '*' }, status: 412 },
    },
    [`GET ${all}/{key}`]: { success: { at: `${all}/made` }, malformed: null, conflict: missing(`${all}/none`) },
    [`PUT ${all}/{key}`]: {
      success: { at: `${all}/made`, body: doc, headers: { 'if-match': '*' } },
      malformed: { at: `${all}/made`, body: [], headers: { 'if-match': '*' }, status: 400 },
      conflict: { at: `${all}/made`, body: doc, headers: stale, status: 412 },
    },
    ...(reveals && {
      [`GET ${all}/{key}/${reveals}`]: {
        success: { at: `${all}/made/${reveals}` },
        malformed: null,
        conflict: missing(`${all}/none/${reveals}`),
      },
    }),
    [`DELETE ${all}/{key}`]: {
      success: { at: `${all}/made` },
      malformed: null,
      conflict: { at: `${all}/made`, headers: stale, status: 412 },
    },
  };
}

const [sqlite] = await databases();
const described = readYaml(fs.readFileSync(path.join(root, 'packages/http/openapi.yaml'), 'utf8'));
const { paths } = (described.ok ? described.text.value : {}) as { readonly paths: Readonly<Record<string, object>> };
const routes = Object.entries(paths)
  .flatMap(([at, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`))
  .filter((key) => key.includes(' /admin/') && key !== 'POST /admin/login');

describe('promises: every admin route is closed to strangers and wrong roles, and says what is wrong', () => {
  let world: World;
  let database: FreshDatabase;
  let hub: RunningHub;
  let job = '';
  const cookies: Record<string, string> = {};
  before(async () => {
    if (!sqlite) throw new Error('there is no database');
    database = await sqlite.create();
    world = await makeWorld({
      database: database.url,
      more: 'admins:\n  - { username: viewer, role: viewer, password: password-of-viewer }\n  - { username: editor, role: kb_editor, password: password-of-editor }\n',
    });
    hub = await startHub(world);
    await send('POST', '/admin/api/admins', token, { body: { username: 'root', role: 'admin', password: 'password-of-root' } });
    for (const name of ['viewer', 'editor', 'root']) {
      const answer = await send('POST', '/admin/login', {}, { body: { username: name, password: `password-of-${name}` } });
      cookies[name] = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    }
    job = String((await submit(hub.url, 'rows:1', 'Look up order A-1001')).body.job_id);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await database.drop();
  });

  const token = { authorization: `Bearer ${SERVER_TOKEN}` };
  async function send(
    method: string,
    at: string,
    credential: Readonly<Record<string, string>>,
    { body, headers = {} }: Ask = {},
  ): Promise<Response> {
    const own = headers.cookie === 'ADMIN' ? { ...headers, cookie: cookies.root ?? '' } : headers;
    const response = await fetch(hub.url + at.replace('{JOB}', job), {
      method,
      headers: { ...(own.cookie === undefined && credential), ...own },
      ...(body !== undefined && { body: JSON.stringify(body).replace('{JOB}', job) }),
    });
    return response;
  }
  const split = (key: string) => key.split(' ') as [string, string];
  const concrete = (at: string) => at.replace(/\{\w+\}/g, 'made');

  it('each has its row here, and no row is without its route', () => {
    expect(Object.keys(ROWS).sort()).to.deep.equal([...routes].sort());
  });

  it('without a credential: 401', async () => {
    for (const key of routes) {
      const [method, at] = split(key);
      expect((await send(method, concrete(at), {})).status, key).to.equal(401);
    }
  });

  it('for a client, and for roles that may not: 403', async () => {
    for (const key of routes) {
      const [method, at] = split(key);
      expect((await send(method, concrete(at), { authorization: `Bearer ${CLIENT_TOKEN}` })).status, key).to.equal(403);
      if (['GET /admin/api/me', 'POST /admin/api/password', 'POST /admin/logout'].includes(key)) continue;
      expect((await send(method, concrete(at), { cookie: cookies.editor ?? '' })).status, `${key} as editor`).to.equal(403);
      const reads =
        /^GET \/admin\/api\/(runs|threads|status|dispatch-status|executors|cost|tool-approvals|delivery-dlq|unresolved|executor-tokens)\b(?!.*\/token$)/.test(
          key,
        );
      const status = (await send(method, concrete(at), { cookie: cookies.viewer ?? '' })).status;
      if (reads) expect(status, `${key} as viewer`).to.be.oneOf([200, 404]);
      else expect(status, `${key} as viewer`).to.equal(403);
    }
  });

  it('asked rightly: 200; malformed and in conflict: refused with a code and what to do', async () => {
    const here =
      fs.readFileSync(path.join(root, 'packages/http/src/openapi.test.ts'), 'utf8') +
      fs.readFileSync(path.join(root, 'packages/http/src/routes/admin-tool-providers.test.ts'), 'utf8');
    const views = fs.readFileSync(path.join(root, 'test/src/journeys/views.test.ts'), 'utf8');
    for (const [key, row] of Object.entries(ROWS).sort(([a], [b]) => order(a) - order(b))) {
      const [method, at] = split(key);
      if (row.success === 'in openapi.test.ts') {
        const there = here.includes(`['${key}', 200,`) || (key.endsWith('/accept') && here.includes("'/shop/accept'"));
        expect(there, `${key} is tried in packages/http`).to.equal(true);
      } else if (row.success === 'in views.test.ts') {
        expect(views, `${key} is tried in journeys`).to.contain('/admin/api/threads/${');
      } else if (!last(key)) await succeeds(key, row.success);
      for (const refusal of [row.malformed, row.conflict]) {
        if (!refusal) continue;
        const answer = await send(method, refusal.at ?? at, token, refusal);
        const body = (await answer.json()) as { code: string; fix: string; error: string };
        expect(answer.status, `${key}: ${JSON.stringify(body)}`).to.equal(refusal.status);
        expect(body.code, key).to.match(/^BAILING_/);
        expect(body.fix, key).to.match(/\w/);
      }
      if (last(key) && typeof row.success !== 'string') await succeeds(key, row.success);
    }
  });

  /** What leaves nothing to be refused. */
  const last = (key: string) => key.startsWith('DELETE') || key.endsWith('/password');

  async function succeeds(key: string, ask: Ask): Promise<void> {
    const [method, at] = split(key);
    const answer = await send(method, ask.at ?? at, token, ask);
    expect(answer.status, `${key}: ${await answer.text()}`).to.equal(200);
  }

  /** What is made is there before it is read, and goes last; a pause ends before anything else needs it. */
  function order(key: string): number {
    if (key.includes('/admin/api/password')) return 9;
    if (key.startsWith('DELETE')) return 8;
    if (key.endsWith('/verify')) return 4;
    return key === 'POST /admin/pause' ? 0 : key === 'POST /admin/resume' ? 1 : key.startsWith('POST') ? 2 : 3;
  }

  it('a secret planted in any field shows in no answer, no log, no line, no export and not in the database', async () => {
    const PLANTED = 'PLANTED-0123456789-PLANTED';
    const answers: string[] = [];
    const say = async (method: string, at: string, ask: Ask) => answers.push(await (await send(method, at, token, ask)).text());
    for (const kind of objectKinds) {
      const all = `/admin/api/${kind.collection}`;
      const secrets = Object.fromEntries(
        kind.secrets.filter((one) => one !== 'password_hash').map((one) => [one, PLANTED + kind.collection]),
      );
      const planted = { ...KINDS[kind.collection], ...secrets, [kind.key]: 'planted' };
      // Settings of a plugin: what its own schema calls secret.
      const doc = kind.settings ? { ...planted, config: { url: 'http://127.0.0.1:9/in', secret: PLANTED + kind.collection } } : planted;
      // What a caller sends is told once, to whoever sent it: a made or given token.
      expect((await send('POST', all, token, { body: doc })).status, kind.collection).to.equal(200);
      await say('POST', all, { body: doc });
      await say('GET', all, {});
      await say('GET', `${all}/planted`, {});
      for (const field of [...kind.secrets, kind.key, 'enabled', 'nonsense'])
        await say('POST', all, { body: { ...doc, [field]: { deep: [PLANTED] } } });
      await say('POST', all, { body: { ...doc, [kind.key]: `${PLANTED} with spaces` } });
      await say('POST', '/admin/api/config/apply', { body: { objects: { [kind.member]: [{ ...doc, nonsense: PLANTED }, PLANTED] } } });
      // The same secret twice is refused without repeating it.
      await say('POST', all, { body: { ...doc, [kind.key]: 'planted-2' } });
    }
    await say('GET', '/admin/api/config/export', {});
    await say('POST', '/admin/login', { body: { username: PLANTED, password: PLANTED } });
    const rows = await database.query('SELECT detail, summary, title FROM bz_audit');
    const docs = await database.query('SELECT doc FROM bz_objects');
    const records = await database.query('SELECT record_key, value FROM bz_plugin_records');
    for (const [what, text] of Object.entries({
      answers: answers.join('\n'),
      log: hub.logged.join('\n'),
      audit: JSON.stringify(rows),
      objects: JSON.stringify(docs),
      records: JSON.stringify(records),
    }))
      expect(
        text.includes('PLANTED'),
        `${what}: ${text.slice(Math.max(0, text.indexOf('PLANTED') - 200), text.indexOf('PLANTED') + 80)}`,
      ).to.equal(false);
  });
});
