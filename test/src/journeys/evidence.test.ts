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

  it('has every member of WIRE §15.4, and no other but those named here', async () => {
    const { diagnosis, approvals, messages, ...whole } = (await bundle()) as DebugBundle & {
      approvals: readonly object[];
      messages: readonly object[];
    };
    const MEMBERS: Readonly<Record<string, readonly string[] | null>> = {
      ...{ kind: null, version: null, generated_at: null, principal: null, delivery_dlq: null, events: null, raw_input_preview: null },
      redaction: ['applied', 'rules', 'note'],
      identifiers: ['job_id', 'request_id', 'client_app_id', 'thread_id', 'route_key', 'principal_id'],
      dispatch: [
        ...['status', 'target', 'profile', 'project', 'route_key', 'route_name', 'run_after', 'claimed_at', 'lease_until', 'executor_id'],
        ...['dispatched_at', 'attempts', 'has_claim_token', 'updated_at', 'created_at'],
      ],
      route: ['current_exists', 'current', 'job_snapshot'],
      outcome: ['status', 'error', 'usage', 'result_preview'],
      counts: ['audit_events', 'approvals', 'messages', 'delivery_dlq', 'trace_errors', 'trace_warnings'],
      trace: [
        ...['job_id', 'request_id', 'status', 'stage_count', 'event_count', 'error_count', 'warning_count', 'tool_calls', 'tool_results'],
        ...['approvals', 'deliveries', 'llm_requests', 'perceptions', 'knowledge_events', 'message_count', 'duration_ms'],
      ],
      // Ours beside the contract's: writes nobody knows the outcome of.
      unresolved: null,
    };
    expect(Object.keys(whole).sort()).to.deep.equal(Object.keys(MEMBERS).sort());
    for (const [name, members] of Object.entries(MEMBERS))
      if (members) expect(Object.keys(whole[name] as object).sort(), name).to.deep.equal([...members].sort());
    const { dispatch, trace, counts } = whole as unknown as Record<string, Record<string, unknown>>;
    for (const time of ['run_after', 'claimed_at', 'dispatched_at', 'updated_at']) expect(dispatch?.[time], time).to.match(/^20\d\d-.*Z$/);
    expect(dispatch).to.include({ executor_id: 'workers/w', has_claim_token: '[REDACTED_SECRET]' });
    expect(trace).to.include({ event_count: counts?.['audit_events'], approvals: approvals.length, message_count: messages.length });
    for (const one of diagnosis) expect(one).to.include.keys('severity', 'code', 'title', 'detail');
  });

  it('comes with the trace, as JSON and as a report, and so it does where a lookup finds one job', async () => {
    for (const at of [`/admin/api/runs/${work.job_id}/trace`, `/admin/api/runs/trace?job_id=${work.job_id}`]) {
      const { body } = await ask(world.url, 'GET', at, undefined, SERVER_TOKEN);
      expect(body).to.include.keys('job', 'trace', 'approvals', 'messages', 'lookup', 'debug_bundle', 'debug_report');
      const { generated_at: _, ...inTrace } = body.debug_bundle as Record<string, unknown>;
      const { generated_at: __, ...alone } = (await bundle()) as Record<string, unknown>;
      expect(inTrace).to.deep.equal(alone);
      expect(body.debug_report).to.contain('- **warning** note_set was refused by: scope').and.contain('fix: Add "order.note"');
      for (const secret of Object.values(PLANTED)) expect(body.debug_report).not.to.contain(secret);
    }
  });

  it('goes on with the events behind one that was seen, counting all of them', async () => {
    const at = `/admin/api/runs/${work.job_id}`;
    const rows = (await ask(world.url, 'GET', `${at}/audit`, undefined, SERVER_TOKEN)).body as unknown as { seq: number; event: string }[];
    const { body } = await ask(world.url, 'GET', `${at}/trace?after_seq=${String(rows[2]?.seq)}`, undefined, SERVER_TOKEN);
    const { events, summary } = body.trace as { events: { event: string }[]; summary: { event_count: number } };
    expect(events.map(({ event }) => event)).to.deep.equal(rows.slice(3).map(({ event }) => event));
    expect(summary.event_count).to.equal(rows.length);
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
