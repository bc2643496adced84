import http from 'node:http';
import { loadConfig } from '@bailing/app';
import { expect } from 'chai';
import { ask, eventsOf, submit, waitForEnd, type Answer } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SECRET, SERVER_TOKEN, type World } from '../support/world.js';

const TOKEN = 'executor-token-of-the-tests-01';
const OTHER = 'executor-token-of-others-00001';
const MORE = `
targets:
  - { name: my-agent }
  - { name: other-agent }
executor_tokens:
  - { name: workers, token: ${TOKEN}, allowed_targets: [my-agent] }
  - { name: others, token: ${OTHER}, allowed_targets: [other-agent] }`;

describe('journey: an executor works on jobs from outside', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;
  before(async () => {
    world = await makeWorld({ more: MORE, route: 'target: my-agent' });
    hub = await startHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const claim = (wait = 0, token = TOKEN, targets = ['my-agent']) =>
    ask(hub.url, 'POST', '/executor/claim', { executor_id: 'worker-01', targets, wait_ms: wait }, token);
  const invoke = (job: Work, tool: string, args: unknown, token = job.tools.tool_token) =>
    ask(hub.url, 'POST', job.tools.invoke_url, { tool, arguments: args }, token);
  const result = (body: object, token = TOKEN) => ask(hub.url, 'POST', '/executor/result', body, token);

  interface Work {
    readonly job_id: string;
    readonly claim_token: string;
    readonly tools: {
      readonly tool_token: string;
      readonly invoke_url: string;
      readonly mode: string;
      readonly max_calls: number;
      readonly defs: readonly { readonly name: string; readonly risk: string }[];
    };
  }

  async function work(requestId: string): Promise<Work> {
    await submit(hub.url, requestId, 'do something with order A-1001');
    const { body } = await claim(2_000);
    return body.job as Work;
  }
  const refund = { order_no: 'A-1001', amount: 20, reason: 'late' };

  it('gets nothing when there is nothing, at once or after its wait', async () => {
    const started = Date.now();
    expect((await claim(0)).body).to.deep.equal({ job: null });
    expect((await claim(300)).body).to.deep.equal({ job: null });
    expect(Date.now() - started).to.be.within(280, 3_000);
  });

  it('waiting already, gets a new job in milliseconds', async () => {
    const waiting = claim(5_000).then((answer) => ({ answer, at: Date.now() }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { body } = await submit(hub.url, 'e:wait', 'x');
    const accepted = Date.now();
    const { answer, at } = await waiting;
    const job = answer.body.job as Work;
    expect(job.job_id).to.equal(body.job_id);
    expect(at - accepted).to.be.below(250);
    await result({ job_id: job.job_id, ok: true, output: { text: 'done' }, claim_token: job.claim_token });
    expect((await waitForEnd(hub.url, job.job_id)).result).to.deep.equal({ text: 'done' });
  });

  it('sees the same tools, risks and exit as any other brain, and its own token reaches only its job', async () => {
    const job = await work('e:tools');
    expect(job.tools).to.include({ mode: 'inline', max_calls: 5 });
    expect(job.tools.defs.map(({ name, risk }) => `${name}:${risk}`)).to.deep.equal([
      'order_read:low',
      'refund_execute:high',
      'refund_request_create:medium',
    ]);
    const read = await invoke(job, 'order_read', { order_no: 'A-1001' });
    expect(read.body).to.include({ ok: true, status: 200 });
    expect((await invoke(job, 'order_read', { order_no: 'A-1001' }, 'f'.repeat(64))).status).to.equal(401);
    expect(
      (await ask(hub.url, 'GET', `/jobs/${job.job_id}/tools/defs?names=order_read,nope`, undefined, job.tools.tool_token)).body.defs,
    ).to.have.length(1);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
    expect((await invoke(job, 'order_read', { order_no: 'A-1001' })).status).to.equal(401);
  });

  it('is refused like everyone: undeclared keys, text for numbers, unknown tools, high risk, glued JSON', async () => {
    const job = await work('e:refused');
    const before = world.arrived.length;
    const text = async (tool: string, args: unknown) => (await invoke(job, tool, args)).body;
    expect(await text('refund_request_create', { ...refund, on_behalf_of: 'u-cleo' })).to.include({ ok: false, status: 0 });
    expect(await text('refund_request_create', { ...refund, amount: '20' })).to.include({ ok: false });
    expect(await text('ghost', {})).to.include({ ok: false });
    expect(await text('refund_request_create', [refund])).to.include({ ok: false });
    expect(await text('order_read', { order_no: '../admin' })).to.include({ ok: false });
    expect(await text('refund_execute', refund)).to.include({ ok: false });
    expect(await text('refund_request_create', { ...refund, amount: 5_000, order_no: 'A-1002' })).to.include({ ok: false });
    expect(world.arrived.length).to.equal(before);
    const reasons = (await eventsOf(hub.url, job.job_id))
      .filter(({ event }) => event === 'tool_blocked')
      .map(({ detail }) => detail.reason);
    expect(reasons).to.deep.equal([
      'tool_args_schema_invalid',
      'tool_args_schema_invalid',
      'tool_not_granted',
      'tool_args_not_json_object',
      'tool_args_schema_invalid',
    ]);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
  });

  it('sends an identical write once, however often and at once it is invoked', async () => {
    const job = await work('e:once');
    const before = world.service.refunds().length;
    const answers = await Promise.all(Array.from({ length: 12 }, () => invoke(job, 'refund_request_create', refund)));
    expect(new Set(answers.map(({ body }) => body.text)).size).to.equal(1);
    expect(answers.every(({ body }) => body.ok === true)).to.equal(true);
    expect(world.service.refunds().length - before).to.equal(1);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
  });

  it('keeps the call budget exactly under parallel calls', async () => {
    const job = await work('e:budget');
    const before = world.arrived.length;
    const answers = await Promise.all(Array.from({ length: 24 }, () => invoke(job, 'order_read', { order_no: 'A-1002' })));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(5);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(19);
    expect(world.arrived.length - before).to.equal(5);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
  });

  it('cannot work on, report on or claim what its token does not allow', async () => {
    const job = await work('e:foreign');
    expect((await claim(0, TOKEN, ['other-agent'])).status).to.equal(403);
    expect((await claim(0, TOKEN, ['nowhere'])).status).to.equal(400);
    expect((await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token }, OTHER)).status).to.equal(403);
    expect((await result({ job_id: job.job_id, ok: true, output: {} })).status).to.equal(400);
    expect((await result({ job_id: job.job_id, ok: true, output: 'text', claim_token: job.claim_token })).status).to.equal(400);
    expect(
      (await result({ job_id: job.job_id, ok: true, output: {}, claim_token: '00000000-0000-4000-8000-000000000000' })).body,
    ).to.include({ ok: true, status: 'dispatched' });
    expect((await ask(hub.url, 'GET', `/jobs/${job.job_id}`, undefined, TOKEN)).status).to.equal(403);
    expect(
      (await result({ job_id: job.job_id, ok: false, output: {}, error: 'gave up', claim_token: job.claim_token })).body,
    ).to.deep.equal({ ok: true });
    expect(await waitForEnd(hub.url, job.job_id)).to.include({ status: 'error', error: 'gave up' });
  });

  it('is told without the secrets it quotes: in errors, outputs, the ledger and what is tried again', async () => {
    const job = await work('e:secrets');
    const secrets = [SERVER_TOKEN, TOKEN, job.tools.tool_token, job.claim_token, SECRET];
    const quoted = secrets.join(' ');
    const error = `${'x'.repeat(1_950)} Bearer ${'Z'.repeat(20)} ${quoted}`;
    const report = { job_id: job.job_id, ok: false, output: { text: quoted, deep: [{ [TOKEN]: quoted }] }, usage: { of: quoted }, error };
    await result({ ...report, claim_token: job.claim_token });
    const ended = await waitForEnd(hub.url, job.job_id);
    expect(ended.error).to.match(/^x+ Bearer \[secret\]/);
    const five = Array.from(secrets, () => '[secret]').join(' ');
    expect(ended.result).to.deep.equal({ text: five, deep: [{ '[secret]': five }] });
    const told = JSON.stringify([ended, await eventsOf(hub.url, job.job_id)]);
    for (const secret of secrets) expect(told).to.not.include(secret);
    expect(told).to.not.include('ZZZ');
  });

  it('feels a narrowed allow list, a disabled route, client and provider, and a pause at its very next call', async () => {
    const job = await work('e:stops');
    const { config } = loadConfig(world.configFile, {});
    const [route] = config.routes;
    const [client] = config.clients;
    const [provider] = config.tool_providers;
    if (!route?.tools || !client || !provider) throw new Error('the configuration is not as expected');
    const narrowed = {
      ...route,
      tools: { ...route.tools, sources: [{ provider: 'orders', allow: ['refund.*'], subject_field: 'operator_uid' }] },
    };
    const changes = [
      ['tool_not_granted', { ...config, routes: [narrowed] }],
      ['disabled', { ...config, routes: [{ ...route, enabled: false }] }],
      ['disabled', { ...config, clients: [{ ...client, enabled: false }] }],
      ['disabled', { ...config, tool_providers: [{ ...provider, enabled: false }] }],
    ] as const;
    const before = world.arrived.length;
    const last = async () => (await eventsOf(hub.url, job.job_id)).filter(({ event }) => event === 'tool_blocked').at(-1)?.detail.reason;
    for (const [reason, changed] of changes) {
      hub.hub.reconfigure(changed);
      expect((await invoke(job, 'order_read', { order_no: 'A-1001' })).body).to.include({ ok: false });
      expect(await last()).to.equal(reason);
    }
    hub.hub.reconfigure(config);
    await ask(hub.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
    expect((await invoke(job, 'order_read', { order_no: 'A-1001' })).body).to.include({ ok: false });
    expect(await last()).to.equal('stopped');
    await ask(hub.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
    expect(world.arrived.length).to.equal(before);
    expect((await invoke(job, 'order_read', { order_no: 'A-1001' })).body).to.include({ ok: true });
    hub.hub.reconfigure({ ...config, clients: [], executor_tokens: config.executor_tokens.filter(({ name }) => name !== 'workers') });
    expect((await ask(hub.url, 'GET', `/jobs/${job.job_id}`)).status).to.equal(401);
    expect((await claim(0)).status).to.equal(401);
    hub.hub.reconfigure(config);
    expect((await ask(hub.url, 'GET', `/jobs/${job.job_id}`)).status).to.equal(200);
    expect(() => hub.hub.reconfigure({ ...config, hub: { ...config.hub, port: 1 } })).to.throw(/restart/);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
  });

  it('that drops its long poll does not swallow a job', async () => {
    const dropped = http.request(`${hub.url}/executor/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    dropped.on('error', () => undefined);
    dropped.end(JSON.stringify({ executor_id: 'gone', targets: ['my-agent'], wait_ms: 20_000 }));
    await new Promise((resolve) => setTimeout(resolve, 250));
    dropped.destroy();
    const { body } = await submit(hub.url, 'e:dropped', 'x');
    const claimed: Answer = await claim(3_000);
    const job = claimed.body.job as Work;
    expect(job.job_id).to.equal(body.job_id);
    await result({ job_id: job.job_id, ok: true, output: {}, claim_token: job.claim_token });
  });
});

describe('journey: an executor with several jobs at once', () => {
  let world: World;
  let hub: RunningHub;
  let ahead = 0;
  before(async () => {
    world = await makeWorld({ more: MORE, route: 'target: my-agent' });
    hub = await startHub(world, { clock: { now: () => Date.now() + ahead }, duties: { tickMs: 50 } });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const claim = async (id: string) => {
    const asked = { executor_id: id, targets: ['my-agent'], wait_ms: 0 };
    const { body } = await ask(hub.url, 'POST', '/executor/claim', asked, TOKEN);
    return (body.job as { readonly job_id: string } | null)?.job_id ?? null;
  };

  it('keeps the one it works on while it asks for the next, until two hours after it got it', async () => {
    const job = (await submit(hub.url, 'busy:1', 'a long piece of work')).body.job_id;
    expect(await claim('busy')).to.equal(job);
    const seen = async () => (await ask(hub.url, 'GET', '/admin/api/executors', undefined, SERVER_TOKEN)).body.items as object[];
    await claim('idle');
    for (const end = Date.now() + 2_000; (await seen()).length < 2 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const [busy, idle] = await seen();
    expect(busy).to.include({ executor_id: 'busy', token: 'workers', online: true, jobs: 1 });
    expect(busy).to.have.property('oldest_job_at').that.is.a('string');
    expect(idle).to.deep.include({ executor_id: 'idle', token: 'workers', online: true, jobs: 0, oldest_job_at: null });
    // The lease is four minutes.
    for (const minutes of [3, 6, 9]) {
      ahead = minutes * 60_000;
      expect(await claim('busy'), `it asks after ${String(minutes)} minutes`).to.equal(null);
      expect(await claim('idle'), `another asks after ${String(minutes)} minutes`).to.equal(null);
    }
    for (let minutes = 12; minutes <= 120; minutes += 3) {
      ahead = minutes * 60_000;
      await claim('busy');
    }
    ahead = 125 * 60_000;
    expect([await claim('busy'), await claim('idle')]).to.include(job);
  });

  it('is gone, and its job waits again by itself, for whoever comes next', async () => {
    const job = String((await submit(hub.url, 'gone:1', 'a piece of work')).body.job_id);
    expect(await claim('gone')).to.equal(job);
    ahead += 241_000;
    const status = async () => (await ask(hub.url, 'GET', `/jobs/${job}`)).body.status;
    for (const end = Date.now() + 5_000; (await status()) !== 'queued' && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await status()).to.equal('queued');
    const [line] = (await eventsOf(hub.url, job)).filter(({ event }) => event === 'recovered');
    expect(line?.detail).to.deep.include({ scope: 'stale', prev_status: 'dispatched', executor_id: 'workers/gone' });
    // The job of the test before waits as well.
    expect([await claim('next'), await claim('next')]).to.include(job);
  });
});
