import { expect } from 'chai';
import { ask, eventsOf } from '../support/http.js';
import { until } from '../support/desk.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { startModelServer, type ModelServer } from '../support/model-server.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

/** In the prompt of whoever keeps the notes. */
const NOTES = 'notes of a conversation';

describe('journey: a conversation', function () {
  this.timeout(20_000);
  let world: World;
  let model: ModelServer;
  let hub: RunningHub;

  before(async () => {
    model = await startModelServer((messages) =>
      String(messages[0]?.content).includes(NOTES) ? 'Ada asked about A-1001.' : 'It has left the warehouse.',
    );
    world = await makeWorld({
      route: `session_policy: per_key
    session_key_field: chat
    target_config: { credential: local }
    memory: { recent_messages: 2, summary_enabled: true, summary_trigger_chars: 500, summary_keep_recent: 2 }`,
      more: `credentials:\n  - { name: local, provider: openai, base_url: '${model.url}', api_key: key-of-the-tests, default_model: m }`,
    });
    hub = await startHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await model.close();
    await world.close();
  });

  async function say(requestId: string, input: string, token?: string): Promise<{ job: string; sent: string }> {
    const before = model.asked.length;
    const request = { request_id: requestId, route: 'orders', input, metadata: { chat: 'c-1', operator_uid: 'u-ada' } };
    const { body } = await ask(hub.url, 'POST', '/run', request, token);
    const job = String(body.job_id);
    await until(async () => (await ask(hub.url, 'GET', `/jobs/${job}`, undefined, SERVER_TOKEN)).body.status === 'done');
    const asked = model.asked.slice(before).find(([system]) => !String(system?.content).includes(NOTES));
    return { job, sent: String(asked?.[1]?.content) };
  }

  it('is remembered by the next job of its client, over a restart, and by nobody else’s; its older part becomes notes', async () => {
    expect((await say('c:1', 'Where is order A-1001?')).sent).to.equal('Where is order A-1001?');
    await hub.hub.stop();
    hub = await startHub(world);
    const second = await say('c:2', `And when does it arrive? ${'Please. '.repeat(80)}`);
    expect(second.sent).to.match(
      /^【会话背景】\nUser:\n {2}Where is order A-1001\?\n\nAssistant:\n {2}It has left the warehouse\.\n【\/会话背景】\n\n<task>\nAnd when/,
    );
    const events = await until(async () => {
      const found = await eventsOf(hub.url, second.job);
      return found.some(({ event }) => event === 'memory_summarized') && found;
    });
    expect(events.find(({ event }) => event === 'memory_added')?.detail).to.include({ messages: 2, summarised: false });
    expect(events.find(({ event }) => event === 'memory_summarized')?.detail).to.include({ from_id: 0, to_id: 1, evicted: 2, kept: 2 });
    const third = await say('c:3', 'Thanks');
    expect(third.sent).to.match(/^【会话背景】\nSummary of what was said before:\n {2}Ada asked about A-1001\.\n\nUser:\n {2}And when/);
    expect((await say('c:4', 'What did the others say?', SERVER_TOKEN)).sent).to.equal('What did the others say?');
  });
});
