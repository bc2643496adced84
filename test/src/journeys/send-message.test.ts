import { expect } from 'chai';
import { admin, deskHub, deskWorld, ended, submitScript, until } from '../support/desk.js';
import { ask, eventsOf, waitForEnd } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';
import { EXECUTOR_TOKEN } from '../support/shop.js';
import { SERVER_TOKEN, type World } from '../support/world.js';

const say = (text: string, more: object = {}) => ({ tool: 'send_message', arguments: { to: 'u1|u2', text, ...more } });

describe('journey: an agent sends messages', function () {
  this.timeout(40_000);
  let mailroom: Mailroom;
  let world: World;
  let hub: RunningHub;

  before(async () => {
    mailroom = await startMailroom();
    world = await deskWorld({
      hub: `  allow_private_hosts: ['${new URL(mailroom.url).host}']`,
      route: [
        'target_config: { credential: script }',
        '  - { route_key: worked, target: my-agent, tools: { builtin: { send_message: { channels: [ops, other] } } } }',
        '  - route_key: messages',
        '    target_config: { credential: script }',
        `    tools: { max_calls: 1, builtin: { send_message: { channels: [ops] } }, sources: [{ provider: orders, allow: ['order.*'] }] }`,
      ].join('\n'),
      more: [
        'targets:\n  - { name: my-agent }',
        `executor_tokens:\n  - { name: workers, token: ${EXECUTOR_TOKEN}, allowed_targets: [my-agent] }`,
        'credentials:\n  - { name: script, provider: desk-script }',
        'channels:',
        `  - { name: ops, kind: webhook, timeout_ms: 2000, config: { url: '${mailroom.url}/in', secret: ${CHANNEL_SECRET} } }`,
        `  - { name: other, kind: webhook, config: { url: '${mailroom.url}/other', secret: ${CHANNEL_SECRET} } }`,
        'plugins:',
        '  - use: gate-parameters',
        '    config: { rules: [{ channels: [ops], external: { params: [to], inside: [example.com] } }, { tools: [send_message], sensitive: { params: [none] } }] }',
      ].join('\n'),
    });
    hub = await deskHub(world);
  });
  beforeEach(() => {
    mailroom.got.length = 0;
    mailroom.reactions.length = 0;
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await mailroom.close();
  });

  const insiders = (text: string, more: object = {}) => say(text, { to: 'ann@example.com', ...more });
  async function run(requestId: string, ...turns: readonly (readonly object[])[]) {
    const request = { request_id: requestId, route: 'messages', input: JSON.stringify(turns), metadata: {} };
    const { status, body } = await ask(hub.url, 'POST', '/run', request, SERVER_TOKEN);
    expect(status, JSON.stringify(body)).to.equal(202);
    return String(body.job_id);
  }
  const end = async (job: string) => (await admin(hub.url, 'GET', `/runs/${job}`)).body;
  async function finished(job: string) {
    return until(async () => {
      const body = await end(job);
      return ['done', 'error'].includes(String(body.status)) && body;
    });
  }
  const named = async (job: string, event: string) => (await eventsOf(hub.url, job)).filter((one) => one.event === event);

  it('once each, signed, journalled and audited, without using up the calls of the job', async () => {
    const file = { name: 'note.txt', content: 'hello\n' };
    const turns = [[insiders('Hi', { files: [file] })], [insiders('Hi', { files: [file] }), insiders('And more')]];
    const job = await run('m:1', ...turns);
    const done = await finished(job);
    expect(done.status).to.equal('done');
    expect(mailroom.got.map(({ to, text }) => ({ to, text }))).to.deep.equal([
      { to: ['ann@example.com'], text: 'Hi' },
      { to: ['ann@example.com'], text: 'And more' },
    ]);
    expect(Buffer.from(mailroom.got[0]?.files[0]?.base64 ?? '', 'base64').toString()).to.equal('hello\n');
    expect((done.result as { text: string }).text).to.include('Sent through ops to 1 recipient.');
    expect(done.result).to.deep.include({ tool_budget: { used: 0, limit: 1, remaining: 1, exhausted: false } });
    const [call] = await named(job, 'builtin_send_call');
    expect(call?.detail).to.include({ channel: 'ops', to: 'ann@example.com', recipients: 1, chars: 2 });
    expect(call?.detail.idempotency_key).to.equal(mailroom.got[0]?.message_id);
    expect(await named(job, 'builtin_send')).to.have.length(2);
    expect(await named(job, 'builtin_send_deduped')).to.have.length(1);
    expect(JSON.stringify(await eventsOf(hub.url, job))).not.to.include(CHANNEL_SECRET);
  });

  it('is held by the rule about messages that leave the house, approved, and sent by the hub itself, once', async () => {
    const job = await run('m:2', [say('To a stranger', { to: 'eve@elsewhere.org' })]);
    const first = await finished(job);
    expect(mailroom.got).to.deep.equal([]);
    const [pending] = (first.result as { governance: { pending: { approval_id: number }[] } }).governance.pending;
    const asked = await admin(hub.url, 'GET', `/tool-approvals/${String(pending?.approval_id)}`);
    const intent = asked.body.intent as { policy: string; request: { method: string; target: string; body: string } };
    expect(intent).to.include({ policy: 'parameters_external_message' });
    expect(intent.request).to.include({ method: 'SEND', target: 'channel:ops' });
    expect(JSON.parse(intent.request.body)).to.include({ channel: 'ops', text: 'To a stranger' });
    await admin(hub.url, 'POST', `/tool-approvals/${String(pending?.approval_id)}/approve`, { approver: 'cleo' });
    await until(() => mailroom.got.length === 1);
    await until(async () => (await end(job)).status === 'done' && (await named(job, 'builtin_send_deduped')).length === 1);
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['To a stranger']);
  });

  it('may have arrived: the receiver hangs up after it took the message, so the job ends frozen and nothing is sent again', async () => {
    mailroom.reactions.push('hang-up');
    const job = await run('m:3', [insiders('Did it arrive?'), insiders('The second')], [insiders('The third')]);
    const last = await finished(job);
    expect(last).to.include({ status: 'error', error: 'tool_execution_reconciliation_required' });
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['Did it arrive?']);
    expect(await named(job, 'builtin_send_reconciliation_required')).to.have.length(1);
    const rows = (await admin(hub.url, 'GET', '/unresolved')).body.items as { id: number; job_id: string; tool: string; attempt: number }[];
    const row = rows.find((one) => one.job_id === job);
    expect(row?.tool).to.equal('send_message');
    const settled = await admin(hub.url, 'POST', `/unresolved/${String(row?.id)}/settle`, {
      ...{ verdict: 'applied', evidence: 'ann has it', attempt: row?.attempt, operator: 'cleo' },
      rerun: true,
    });
    expect(settled.status, JSON.stringify(settled.body)).to.equal(200);
    const done = await until(async () => {
      const body = await end(job);
      return body.status === 'done' && body;
    });
    expect((done.result as { text: string }).text).to.include('ann has it');
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['Did it arrive?', 'The second', 'The third']);
  });

  it('was refused: the model reads why, and the same message is not tried again; "not now" may be', async () => {
    mailroom.reactions.push({ status: 422 }, { status: 200 }, { status: 503 });
    const job = await run('m:4', [insiders('No')], [insiders('No')], [insiders('Yes')], [insiders('Later')], [insiders('Later')]);
    const last = await finished(job);
    expect(last.status).to.equal('done');
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['Yes', 'Later']);
    expect((last.result as { text: string }).text).to.include('Not sent: the receiver answered 422');
    expect(await named(job, 'builtin_send_error')).to.have.length(2);
  });

  it('reached some of the recipients: that is neither success nor failure, and freezes the whole message', async () => {
    mailroom.reactions.push({ status: 200, body: { refused: ['bob@example.com'] } });
    const job = await run('m:5', [say('Both', { to: ['ann@example.com', 'bob@example.com'] })]);
    const last = await finished(job);
    expect(last).to.include({ status: 'error', error: 'tool_execution_reconciliation_required' });
    const [noted] = await named(job, 'builtin_send_reconciliation_required');
    expect(noted?.detail.reason).to.equal('recipients_refused: 1 of 2 did not get it: bob@example.com');
  });

  it('fetches a file by its address, and sends nothing where it cannot be had', async () => {
    const url = `${mailroom.url}/files/report.csv`;
    const job = await run(
      'm:6',
      [insiders('', { files: [{ name: 'r.csv', url }] })],
      [insiders('x', { files: [{ name: 'r', url: 'http://127.0.0.1:9/x' }] })],
      [insiders('y', { files: [{ name: 'r', url: `${mailroom.url}/files/bomb` }] })],
    );
    expect((await finished(job)).status).to.equal('done');
    expect(mailroom.got).to.have.length(1);
    expect(Buffer.from(mailroom.got[0]?.files[0]?.base64 ?? '', 'base64').toString()).to.equal('the content of /files/report.csv');
    const [failed, bombed] = await named(job, 'builtin_send_error');
    expect(String(failed?.detail.resp)).to.include('Not sent: This address may not be reached');
    expect(String(bombed?.detail.resp)).to.include('Not sent: ');
  });

  it('sends at most twenty in one job, and refuses what is no message before anything is written down', async () => {
    const many = Array.from({ length: 21 }, (_, n) => insiders(`no. ${String(n)}`));
    const job = await run('m:7', [say('', { to: '' }), say('x', { channel: 'other' }), ...many]);
    const last = await finished(job);
    expect(last.status).to.equal('done');
    expect(mailroom.got).to.have.length(20);
    const codes = (await named(job, 'builtin_send_blocked')).map(({ detail }) => detail.code);
    expect(codes).to.deep.equal(['BAILING_ARGS_INVALID', 'BAILING_ARGS_INVALID', 'BAILING_SEND_LIMIT']);
  });

  it('is offered to executors first, with what the contract says of it, and answers them with the uncertainty', async () => {
    await ask(hub.url, 'POST', '/run', { request_id: 'm:x', route: 'worked', input: 'work', metadata: {} }, SERVER_TOKEN);
    const claim = { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 };
    const { body } = await ask(hub.url, 'POST', '/executor/claim', claim, EXECUTOR_TOKEN);
    const { tools } = body.job as { tools: { invoke_url: string; tool_token: string; mode: string; defs: Record<string, unknown>[] } };
    const { parameters, ...facts } = tools.defs[0] ?? {};
    expect(tools.mode).to.equal('inline');
    expect(facts).to.deep.include({
      ...{ name: 'send_message', scope: 'builtin.send', risk: 'low', confirm_required: false, readonly: false, idempotent: false },
    });
    expect(facts).not.to.have.property('confirm_when');
    expect(parameters).to.have.nested.property('properties.channel.enum').that.deep.equals(['ops', 'other']);
    const invoke = (args: object) => ask(hub.url, 'POST', tools.invoke_url, { tool: 'send_message', arguments: args }, tools.tool_token);
    const sent = await invoke({ channel: 'other', to: 'u1', text: 'From afar' });
    expect(sent.body).to.deep.equal({ ok: true, text: 'Sent through other to 1 recipient.', status: 200 });
    mailroom.reactions.push('hang-up');
    const lost = (await invoke({ channel: 'other', to: 'u1', text: 'Lost' })).body;
    expect(lost).to.include({ ok: false, governance_state: 'reconciliation_required', auto_retry_allowed: false });
    expect(lost.uncertainty).to.deep.include({ state: 'uncertain', tool: 'send_message', scope: 'builtin.send_message' });
    expect(mailroom.got.map(({ text }) => text)).to.deep.equal(['From afar', 'Lost']);
  });

  it('is no tool of a route that grants no channel', async () => {
    const job = await submitScript(hub.url, 'm:8', [[say('x')]]);
    expect((await ended(hub.url, job)).text).to.include('There is no tool named \\"send_message\\" here'.replaceAll('\\', ''));
    expect(await waitForEnd(hub.url, job)).to.include({ status: 'done' });
    expect(mailroom.got).to.deep.equal([]);
  });
});
