import type { DebugBundle } from '@bailing/engine';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { deskHub, ended, SCRIPTED, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

describe('Jobs of one conversation', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;
  let hold: Promise<void> | undefined;
  const script = JSON.stringify([[{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]]);

  before(async () => {
    const route = `${SCRIPTED.route}\n    session_policy: per_key\n    session_key_field: chat`;
    world = await makeWorld({ ...SCRIPTED, route, hub: '  concurrency: 4', service: { onCall: () => hold } });
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const run = async (requestId: string, metadata: object) =>
    (
      await ask(hub.url, 'POST', '/run', {
        request_id: requestId,
        route: 'orders',
        input: script,
        metadata: { operator_uid: 'u-ada', ...metadata },
      })
    ).body;

  it('run one after the other in one session, six at most, while others go on', async () => {
    let letGo = (): void => undefined;
    hold = new Promise((resolve) => (letGo = resolve));
    const jobs = [];
    for (let i = 0; i < 7; i += 1) jobs.push(await run(`t:${String(i)}`, { chat: 'c-1' }));
    expect(jobs.map(({ status }) => status)).to.deep.equal([...Array<string>(6).fill('queued'), 'rejected']);
    expect(jobs.slice(0, 3).map((job) => job.continue)).to.deep.equal([false, true, true]);
    expect(new Set(jobs.map((job) => job.session_id)).size).to.equal(1);
    const refused = (await ask(hub.url, 'GET', `/jobs/${String(jobs[6]?.job_id)}`)).body;
    expect(String(refused.error)).to.match(/^thread_inflight_quota/);
    const said = (await eventsOf(hub.url, String(jobs[6]?.job_id))).find(({ event }) => event === 'rejected');
    expect(said?.detail).to.include({ reason: 'thread_inflight_quota', quota: 6 });
    const bundle = async (id: unknown) =>
      (await ask(hub.url, 'GET', `/admin/api/runs/${String(id)}/bundle`, undefined, SERVER_TOKEN)).body as unknown as DebugBundle;
    const waiting = (await bundle(jobs[1]?.job_id)).diagnosis[0];
    expect(waiting).to.include({ code: 'queued_thread_fifo' });
    expect(waiting?.next_action).to.contain(String(jobs[0]?.job_id));
    const beside = await run('t:beside', {});
    await until(() => world.arrived.length === 2);
    expect((await ask(hub.url, 'GET', `/jobs/${String(jobs[1]?.job_id)}`)).body.status).to.equal('queued');
    expect((await ask(hub.url, 'GET', `/jobs/${String(beside.job_id)}`)).body)
      .to.include({ status: 'running' })
      .and.not.have.property('thread_id');
    letGo();
    hold = undefined;
    for (const { job_id: id } of jobs.slice(0, 6)) expect((await ended(hub.url, String(id))).status).to.equal('done');
    const { messages, counts } = await bundle(jobs[2]?.job_id);
    const heard = messages as readonly { role: string; content_preview: string }[];
    expect(heard.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
    expect(heard[4]?.content_preview).to.equal(script);
    expect(counts['messages']).to.equal(6);
    const thread = Number(refused.thread_id);
    const found = await ask(hub.url, 'GET', `/admin/api/runs/trace?thread_id=${String(thread)}`, undefined, SERVER_TOKEN);
    expect(JSON.stringify(found.body)).to.contain(String(jobs[0]?.job_id));
  });
});

describe('Jobs of one conversation whose model stumbles', function () {
  this.timeout(20_000);

  it('keep their order: what is tried again later goes before what was said later', async () => {
    const asked: string[] = [];
    const model = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const name = /say (\w+)\./.exec(body)?.[1] ?? '';
        asked.push(name);
        const stumbles = (name === 'one' && asked.length < 3) || asked.filter((one) => one === name).length === 1;
        response.writeHead(stumbles ? 500 : 200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(stumbles ? { error: { message: 'busy' } } : { choices: [{ message: { content: name }, finish_reason: 'stop' }] }),
        );
      });
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${String((model.address() as AddressInfo).port)}/v1`;
    const world = await makeWorld({
      more: `credentials: [{ name: busy, provider: openai, base_url: '${base}', default_model: m }]`,
      route: `target_config: { credential: busy }\n    session_policy: fixed\n    retry: { max: 3, backoff_ms: 500 }`,
      hub: '  concurrency: 4',
    });
    const hub = await deskHub(world);
    try {
      const names = ['one', 'two', 'three'];
      const ids: string[] = [];
      for (const name of names) {
        const request = { request_id: `stumble:${name}`, route: 'orders', input: `say ${name}.`, metadata: {} };
        ids.push(String((await ask(hub.url, 'POST', '/run', request)).body.job_id));
      }
      for (const [index, id] of ids.entries()) {
        expect(await ended(hub.url, id)).to.include({ status: 'done', text: names[index] });
        const retries = (await eventsOf(hub.url, id)).filter(({ event }) => event === 'retry_scheduled');
        expect(retries).to.have.length(index === 0 ? 2 : 1);
      }
      expect(asked).to.deep.equal(['one', 'one', 'one', 'two', 'two', 'three', 'three']);
    } finally {
      await hub.hub.stop();
      await world.close();
      model.closeAllConnections();
      model.close();
    }
  });
});
