import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { documentOf, operation } from '../support/changing-business.js';
import { eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { root } from '../support/root.js';
import { eventually, SpecWorld } from '../support/spec-world.js';
import { SERVER_TOKEN } from '../support/world.js';

const [sqlite] = await databases();
const MINUTE = 60_000;

describe('journey: documents kept fresh', function () {
  this.timeout(30_000);
  let database: FreshDatabase;
  let world: SpecWorld;
  beforeEach(async () => {
    if (!sqlite) throw new Error('there is no database');
    database = await sqlite.create();
  });
  afterEach(async () => {
    await world.close();
    await database.drop();
  });

  const make = async (document: object | null, provider: object = {}) => {
    world = await SpecWorld.make({ document, database: database.url, provider });
    return world;
  };
  const noted = async (event: string) =>
    (await database.query(`SELECT detail FROM bz_audit WHERE event = '${event}' ORDER BY id`)).map(
      ({ detail }) => JSON.parse(String(detail)) as Record<string, unknown>,
    );
  const provider = async (hub: RunningHub) => ((await world.admin(hub, 'GET')).body as unknown as Record<string, unknown>[])[0] ?? {};

  it('by one hub of several when its time has come, and by nobody before', async () => {
    await make(documentOf(operation('a')), { auto_refresh_min: 5 });
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    const [one, two] = [await world.hub({ clock }), await world.hub({ clock })];
    const reads = () => Promise.resolve(world.business.reads);
    const started = world.business.reads;
    world.business.document = documentOf(operation('a'), operation('b'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(world.business.reads).to.equal(started);
    ahead = 6 * MINUTE;
    await eventually('the automatic refresh', reads, (count) => count > started);
    const tools = async () => [(await provider(one)).tools, (await provider(two)).tools];
    await eventually('the new tool at both hubs', tools, (counts) => counts.every((count) => count === 2));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(world.business.reads).to.equal(started + 1);
    expect((await noted('spec_refreshed')).map(({ via }) => via)).to.deep.equal(['boot', 'auto']);
  });

  it('keep what was there through any failure, say so apart from what was expected, and alert only where nobody asked', async () => {
    await make(documentOf(operation('a')));
    const hub = await world.hub();
    for (const [broken, code] of [
      [null, /BAILING_SPEC_UNREADABLE/],
      [{ swagger: '2.0', paths: {} }, /BAILING_SPEC_UNREADABLE: .*Swagger 2\.0/],
    ] as const) {
      world.business.document = broken;
      const refused = await world.admin(hub, 'POST', 'refresh');
      expect(refused.status).to.equal(400);
      expect(refused.body).to.include({ code: 'BAILING_SPEC_REFRESH_FAILED' });
      expect(refused.body.error).to.match(code);
      expect(JSON.stringify(refused.body)).to.not.include(world.business.url);
    }
    world.business.document = documentOf(operation('a'), operation('b'));
    world.business.open = true;
    expect((await world.admin(hub, 'POST', 'refresh')).body.error).to.match(/BAILING_SPEC_ACCESS/);
    expect(await provider(hub)).to.deep.include({ spec_access_policy: 'signed_required', tools: 1, has_spec: true });
    expect((await provider(hub)).spec_access_probe).to.include({ status: 'public', signed_http: 200, unsigned_http: 200 });
    expect(await noted('spec_refresh_failed')).to.have.length(3);
    expect(await noted('alert')).to.deep.equal([]);
    expect((await world.work(hub)).tools.defs.map(({ name }) => name)).to.deep.equal(['a']);
    world.business.open = false;
    expect((await world.admin(hub, 'POST', 'refresh')).body).to.include({ ok: true, tools: 2 });
    expect((await provider(hub)).spec_access_probe).to.include({ status: 'protected' });
  });

  it('that were never readable leave their provider alone without tools, alert, and heal', async () => {
    await make(null);
    const hub = await world.hub();
    const job = await world.work(hub);
    expect(job).to.not.have.property('tools');
    const events = await eventsOf(hub.url, job.job_id);
    expect(events.find(({ event }) => event === 'tools_unavailable')?.detail.error).to.match(/shop: no readable document/);
    expect((await noted('alert')).map(({ key }) => key)).to.deep.equal(['spec_refresh_fail_shop']);
    expect((await world.admin(hub, 'GET', 'tools')).body).to.deep.include({ tools: [] });
    world.business.document = documentOf(operation('a'));
    expect((await world.admin(hub, 'POST', 'refresh')).body).to.include({ ok: true, tools: 1 });
    expect((await world.work(hub)).tools.defs).to.have.length(1);
  });

  it('serve from the cache after a restart, before the business answers again', async () => {
    await make(documentOf(operation('a')));
    await (await world.hub()).hub.stop();
    world.business.document = null;
    const again = await world.hub();
    expect((await world.work(again)).tools.defs.map(({ name }) => name)).to.deep.equal(['a']);
    expect((await noted('alert')).map(({ key }) => key)).to.deep.equal(['spec_refresh_fail_shop']);
  });

  it('say what becomes readable where an operator chooses public_allowed', async () => {
    await make(documentOf(operation('a')), { spec_access_policy: 'public_allowed' });
    world.business.open = true;
    const hub = await world.hub();
    const { body } = await world.admin(hub, 'POST', 'refresh');
    expect(body.warnings).to.have.length(1);
    expect((body.warnings as string[])[0]).to.match(/may be read by anyone.*all 1 operations.*Calls still need a signature/);
    expect(await provider(hub)).to.deep.include({ spec_access_policy: 'public_allowed', warnings: body.warnings });
    expect((await provider(hub)).spec_access_probe).to.include({ status: 'public' });
    expect(hub.logged.some((row) => row.startsWith('warn') && row.includes('may be read by anyone'))).to.equal(true);
  });

  it('are probed for authorisation: suspect evidence is alerted and never blocks', async () => {
    await make({ ...documentOf(operation('a')), 'x-bailing-authz-probe': { method: 'POST', path: '/authz' } });
    world.business.authz = { status: 200, body: '{"authorized":true}' };
    const hub = await world.hub();
    await eventually(
      'the probe of the start',
      () => noted('authorize_probe'),
      (lines) => lines.length === 1,
    );
    expect((await noted('alert')).map(({ key }) => key)).to.deep.equal(['authz_probe_shop']);
    expect((await provider(hub)).authz_probe).to.include({ status: 'suspect', http: 200, mode: 'dedicated' });
    expect((await world.work(hub)).tools.defs).to.have.length(1);
    world.business.authz = { status: 403, body: '' };
    expect((await world.admin(hub, 'POST', 'authz-probe')).body).to.include({ status: 'pass', http: 403 });
    expect((await world.admin(hub, 'POST', 'refresh')).body.authz_probe).to.include({ status: 'pass' });
    expect(world.business.calls).to.deep.equal(['POST /authz', 'POST /authz', 'POST /authz']);
  });

  it('take an overlay that declares capabilities on a document of somebody else, judged like any change', async () => {
    const bare = { openapi: '3.1.0', info: { title: 'Foreign', version: '1' }, paths: operation('a', { enabled: false }) };
    const declares = (risk: string, target = "$.paths['/a'].post") => ({
      overlay: '1.0.0',
      info: { title: 'Ours', version: '1' },
      actions: [{ target, update: { 'x-agent-capability': { version: 1, enabled: true, scope: 'shop.a', risk: { level: risk } } } }],
    });
    await make(bare, { overlay: declares('high') });
    const first = await world.hub();
    expect((await world.work(first)).tools.defs).to.deep.include.members([]);
    expect(await provider(first)).to.include({ tools: 1, overlay: true });
    await first.hub.stop();
    const second = await world.hub({}, { overlay: declares('low') });
    expect((await noted('spec_loosened')).flatMap(({ facts }) => (facts as { code: string }[]).map(({ code }) => code))).to.deep.equal([
      'risk_lowered',
    ]);
    await second.hub.stop();
    const third = await world.hub({}, { overlay: declares('low', "$.paths['/nowhere'].post") });
    expect(await provider(third)).to.include({ tools: 0 });
    const said = (await world.admin(third, 'GET', 'tools')).body.warnings as { code: string; message: string }[];
    expect(said.find(({ code }) => code === 'overlay_no_match')?.message).to.match(/stays off/);
  });

  it('are refreshed and accepted from the command line', async () => {
    await make(documentOf(operation('refund', { risk: { level: 'high' } })), { on_looser: 'freeze' });
    const hub = await world.hub();
    const bailing = async (...args: string[]) => {
      const reach = ['--url', hub.url, '--token', SERVER_TOKEN];
      const run = promisify(execFile)(process.execPath, [path.join(root, 'packages/app/dist/bin.js'), 'refresh', ...args, ...reach]);
      return run.then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stderr: string }).stderr,
      );
    };
    world.business.document = documentOf(operation('refund', { risk: { level: 'low' } }));
    const refreshed = await bailing('shop');
    expect(refreshed).to.match(/LOOSER refund: The risk went from high to low/);
    expect(refreshed).to.match(/frozen refund since .*--accept 'refund'/);
    expect(await bailing('shop', '--accept', 'refund')).to.match(/Accepted: refund\./);
    expect(await bailing('shop', '--accept', 'refund')).to.match(/None of these tools is frozen/);
    expect(await bailing('nobody')).to.match(/404/);
  });
});

describe('journey: a document looked at before anybody serves it', function () {
  this.timeout(20_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-lint-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  const lint = async (...args: string[]) => {
    const run = promisify(execFile)(process.execPath, [path.join(root, 'packages/app/dist/bin.js'), 'lint', ...args]);
    return run.then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    );
  };
  const file = (name: string, content: object | string) => {
    fs.writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return path.join(folder, name);
  };

  it('ends with 0 where it is clean, 1 where operations are refused, 2 where nothing can be read', async () => {
    const good = operation('refund', { risk: { level: 'high' }, subject: { required: true } });
    expect((await lint(file('good.json', documentOf(good)))).code).to.equal(0);
    const bad = await lint(file('bad.json', documentOf(good, operation('free', { version: 7 }))));
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.match(/POST \/free: refused\s+error \S+ {2}.*bad\.json:\d+:\d+/);
    expect(await lint(file('none.yaml', 'openapi: ['))).to.include({ code: 2 });
    expect((await lint(path.join(folder, 'not-there.yaml'))).code).to.equal(2);
  });

  it('tells machines the same as people, with every operation and place', async () => {
    const { stdout } = await lint('--json', file('two.json', documentOf(operation('a'), operation('b', { version: 7 }))));
    const report = JSON.parse(stdout) as {
      operations: { outcome: string; diagnostics: { code: string; line: number }[] }[];
      summary: object;
    };
    expect(report.operations.map(({ outcome }) => outcome)).to.deep.equal(['imported_with_warnings', 'refused']);
    expect(report.operations[1]?.diagnostics[0]?.line).to.be.a('number');
    expect(report.summary).to.include({ operations: 2, refused: 1 });
  });

  it('reads an address as well, private or not, because somebody typed it', async () => {
    const world = await SpecWorld.make({ document: documentOf(operation('a')) });
    world.business.open = true;
    const read = await lint(`${world.business.url}/tools.json`);
    expect(read.stdout).to.match(/1 operations: 1 imported/);
    world.business.document = null;
    expect(await lint(`${world.business.url}/tools.json`)).to.include({ code: 2 });
    await world.close();
  });
});
