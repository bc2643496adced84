import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DebugBundle } from '@bailing/engine';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { ask } from '../support/http.js';
import { ShopWorld, type WorkItem } from '../support/shop-world.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN } from '../support/world.js';

/** Planted where a caller or a business may write; none may leave in a bundle. */
const PLANTED = {
  key: 'sk-PLANTED0000000000000001',
  bearer: 'PLANTED0000000000000002',
  password: 'PLANTED-password-3',
  email: 'planted4@example.com',
  phone: '13800138005',
};

const [fixture] = await databases();
if (!fixture) throw new Error('there is no database to test on');

describe('A debug bundle', function () {
  this.timeout(30_000);
  let world: ShopWorld;
  let work: WorkItem;

  before(async () => {
    const body = JSON.stringify({ ok: true, api_key: PLANTED.key, note: `call ${PLANTED.phone}` });
    const react = () => ({ is: 'answer', status: 200, body }) as const;
    world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', maxCalls: 6, allow: ['order.read', 'refund.create'] }, react });
    work = await world.work(`Refund it. My key is ${PLANTED.key}, mail ${PLANTED.email}.`, {
      operator_uid: 'u-ada',
      password: PLANTED.password,
      nested: { access_token: PLANTED.bearer },
      auth: `Bearer ${PLANTED.bearer}`,
    });
    await world.invoke(work, 'note_set', { order_no: 'A-1001', note: 'x' });
    await world.invoke(work, 'refund_create', { order_no: 'nonsense', amount: 5 });
    await world.invoke(work, 'refund_create', { order_no: 'A-1001', amount: 5_000, note: `${PLANTED.email} ${PLANTED.phone}` });
    for (let i = 0; i < 7; i += 1) await world.invoke(work, 'order_read', { order_no: 'A-1001' });
    await world.report(work, { ok: true, output: { text: 'done', secret: PLANTED.password } });
    await world.settled(work.job_id);
  });
  after(() => world.close());

  const bundle = async (): Promise<DebugBundle> =>
    (await ask(world.url, 'GET', `/admin/api/runs/${work.job_id}/bundle`, undefined, SERVER_TOKEN)).body as unknown as DebugBundle;

  it('tells a stranger why each call was refused: the fence, the setting and the fix', async () => {
    const { diagnosis } = await bundle();
    const refused = diagnosis.filter(({ code }) => code === 'call_refused');
    expect(refused.map(({ title, setting, next_action: fix, times }) => ({ title, setting, fix, times }))).to.deep.equal([
      {
        title: 'note_set was refused by: scope',
        setting: 'routes[orders].tools.sources[shop].allow',
        fix: 'Add "order.note" to the allow list, if this route may do that.',
        times: 1,
      },
      {
        title: 'refund_create was refused by: arguments',
        setting: 'document of shop, POST /refunds: parameters and requestBody',
        fix: 'Correct the named fields and call again.',
        times: 1,
      },
      {
        title: 'order_read was refused by: budget',
        setting: 'routes[orders].tools.max_calls',
        fix: 'Answer with what is known, or raise tools.max_calls of the route.',
        times: 2,
      },
    ]);
    expect(diagnosis.find(({ code }) => code === 'approval_pending')?.title).to.equal('refund_create waits for a decision');
  });

  it('has what the contract names, and the whole trace', async () => {
    const { kind, identifiers, counts, events, outcome } = await bundle();
    expect([kind, identifiers['job_id'], identifiers['route_key'], outcome['status']]).to.deep.equal([
      'bailing-job-debug-bundle',
      work.job_id,
      'orders',
      'done',
    ]);
    expect(events.map(({ event }) => event)).to.include.members([
      'received',
      'tool_blocked',
      'tool_approval_pending',
      'tool_call',
      'finished',
    ]);
    expect(counts['audit_events']).to.equal(events.length);
  });

  it('holds no secret that was planted anywhere, and neither does the report', async () => {
    const markdown = await fetch(`${world.url}/admin/api/runs/${work.job_id}/bundle?format=markdown`, {
      headers: { authorization: `Bearer ${SERVER_TOKEN}` },
    });
    expect(markdown.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    const texts = { bundle: JSON.stringify(await bundle()), report: await markdown.text() };
    for (const [name, text] of Object.entries(texts))
      for (const secret of [...Object.values(PLANTED), SECRET, SERVER_TOKEN, CLIENT_TOKEN]) expect(text, name).not.to.contain(secret);
    expect(texts.bundle).to.contain('[REDACTED_EMAIL]').and.contain('[REDACTED_PHONE]').and.contain('[REDACTED_SECRET]');
    expect(texts.report).to.contain('fence: scope').and.contain('routes[orders].tools.sources[shop].allow');
  });

  it('is not found for a job nobody knows, and not for clients', async () => {
    const at = (job: string, token: string) => ask(world.url, 'GET', `/admin/api/runs/${job}/bundle`, undefined, token);
    expect((await at('11111111-2222-4333-8444-555555555555', SERVER_TOKEN)).status).to.equal(404);
    expect((await at(work.job_id, CLIENT_TOKEN)).status).to.equal(403);
  });

  it('comes from the command line, into a file that only its owner reads', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-bundle-'));
    const file = path.join(folder, 'job.md');
    const { code, out } = await bailing(world.url, 'bundle', work.job_id, '--markdown', '--out', file);
    expect(code, out).to.equal(0);
    expect(fs.statSync(file).mode & 0o777).to.equal(0o600);
    expect(fs.readFileSync(file, 'utf8')).to.contain(`# Job ${work.job_id}`);
    fs.rmSync(folder, { recursive: true });
  });
});
