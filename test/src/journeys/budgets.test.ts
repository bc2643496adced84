import { expect } from 'chai';
import { deskHub, SCRIPTED, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const EXECUTOR_TOKEN = 'executor-token-of-the-tests-0001';

describe('A budget that is used up', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver(SERVER_TOKEN);
    const route = `${SCRIPTED.route}\n  - { route_key: worked, target: my-agent, budget: { hard_tokens: 100, soft_tokens: 50, window: hour } }`;
    const more = `${SCRIPTED.more}
targets: [{ name: my-agent, kind: executor }]
executor_tokens: [{ name: agents, token: ${EXECUTOR_TOKEN}, allowed_targets: [my-agent] }]
alert_rules: [{ event_prefix: budget_soft_, url: '${receiver.url}/alerts' }]`;
    world = await makeWorld({ route, more });
    hub = await deskHub(world, { duties: { tickMs: 50 } });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await receiver.close();
  });

  const run = async (requestId: string) =>
    (await ask(hub.url, 'POST', '/run', { request_id: requestId, route: 'worked', input: 'x' }, SERVER_TOKEN)).body;
  const work = async (tokens: number) => {
    const { body } = await ask(
      hub.url,
      'POST',
      '/executor/claim',
      { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 },
      EXECUTOR_TOKEN,
    );
    const { job_id, claim_token } = body.job as { job_id: string; claim_token: string };
    await ask(
      hub.url,
      'POST',
      '/executor/result',
      { job_id, claim_token, ok: true, output: { text: 'done' }, usage: { tokens } },
      EXECUTOR_TOKEN,
    );
  };

  it('lets no further job begin, and says so in the job and its audit', async () => {
    for (const [requestId, tokens] of [
      ['b:1', 60],
      ['b:2', 60],
    ] as const) {
      expect((await run(requestId)).status).to.equal('queued');
      await work(tokens);
    }
    const refused = await run('b:3');
    expect(refused.status).to.equal('rejected');
    expect(await run('b:3')).to.deep.equal({ job_id: refused.job_id, status: 'rejected', request_id: 'b:3' });
    const told = await until(() => receiver.got.length > 0 && receiver.got);
    expect(told.map(({ signed, body }) => [signed, body.key])).to.deep.equal([[true, 'budget_soft_route_worked']]);
    const job = (await ask(hub.url, 'GET', `/jobs/${String(refused.job_id)}`, undefined, SERVER_TOKEN)).body;
    expect(String(job.error)).to.match(/^budget_route_tokens_exceeded: .*120 of 100 tokens in 1 hours/);
    const said = (await eventsOf(hub.url, String(refused.job_id))).find(({ event }) => event === 'rejected');
    expect(said?.detail).to.deep.include({ reason: 'budget_route_tokens_exceeded', scope: 'route', usage: { cost_usd: 0, tokens: 120 } });
  });
});
