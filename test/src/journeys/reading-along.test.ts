import { ALWAYS } from '@bailing/app';
import { gateRiskPlugin } from '@bailing/gate-risk';
import { quotaRatePlugin } from '@bailing/quota-rate';
import { sourceOpenapiPlugin } from '@bailing/source-openapi';
import { points, definePlugin, services, type ModelKind, type StreamEvent, type Streams } from '@bailing/plugin-api';
import { expect } from 'chai';
import { ask, submit } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World, type WorldOptions } from '../support/world.js';

/** Writes three words, calls a tool once, and writes three more; it waits between words until it is told to go on. */
function slowModel() {
  const gates: (() => void)[] = [];
  const kind: ModelKind = {
    row: true,
    open: () => ({
      name: 'slow',
      answer: async function* ({ messages }) {
        const first = !messages.some(({ role }) => role === 'tool');
        for (const word of first ? ['I ', 'will ', 'look.'] : ['It ', 'was ', 'delivered.']) {
          await new Promise<void>((resolve) => gates.push(resolve));
          yield { is: 'text', text: word };
        }
        if (first) yield { is: 'call', index: 0, name: 'order_get', arguments: '{"order_no":"A-1001"}' };
        yield { is: 'end', reason: first ? 'tool_calls' : 'stop' };
      },
    }),
  };
  const plugin = definePlugin({ id: 'model-slow', provides: (add) => [add(points.model, 'rules', () => kind)] });
  const go = async (): Promise<void> => {
    while (gates.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    gates.shift()?.();
  };
  return { plugin, go };
}

/** Server-sent events of a job, read with fetch as any client would. */
async function reading(
  url: string,
  job: string,
  onEvent: (event: string, data: Record<string, unknown>) => Promise<void> | void,
): Promise<void> {
  const response = await fetch(`${url}/jobs/${job}/events`, { headers: { authorization: `Bearer ${CLIENT_TOKEN}` } });
  let rest = '';
  for await (const bytes of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + bytes).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event = '', data = '{}'] = /event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      await onEvent(event, JSON.parse(data) as Record<string, unknown>);
    }
  }
}

describe('journey: a client reads a job along', () => {
  const model = slowModel();
  let world: World;
  let hub: RunningHub;
  const start = async (more: WorldOptions = {}) => {
    world = await makeWorld(more);
    hub = await startHub(world, { plugins: [sourceOpenapiPlugin, gateRiskPlugin, quotaRatePlugin, model.plugin] });
  };
  afterEach(async () => {
    await hub.hub.stop();
    await world.close();
  });
  const run = async (id: string): Promise<string> => String((await submit(hub.url, id, 'Where is A-1001?')).body.job_id);

  it('sees words while the model still writes, a reset before the tools run, and the reply that counts', async () => {
    await start();
    const job = await run('read:1');
    const seen: string[] = [];
    const walk = (async () => {
      for (let word = 0; word < 3; word++) await model.go();
    })();
    let text = '';
    await reading(hub.url, job, async (event, data) => {
      if (event === 'delta') text += String(data.text);
      if (event === 'delta' && text === 'I ') {
        const { body } = await ask(hub.url, 'GET', `/jobs/${job}`);
        expect(body.status).to.equal('running');
      }
      if (event === 'reset') text = '';
      if (event === 'phase' && data.round === 2) void Promise.all([model.go(), model.go(), model.go()]);
      if (event !== 'delta')
        seen.push(event === 'reset' ? String(data.reason) : event === 'phase' ? `${String(data.name)} ${String(data.round)}` : event);
      if (event === 'done') expect(data.reply).to.equal('It was delivered.');
    });
    await walk;
    expect(text).to.equal('It was delivered.');
    expect(seen.filter((event) => event !== 'status')).to.deep.equal([
      'open',
      'model_round',
      'model 1',
      'tool_call',
      'tool 1',
      'model_round',
      'model 2',
      'done',
    ]);
    const trace = await ask(hub.url, 'GET', `/admin/api/runs/${job}/trace`, undefined, SERVER_TOKEN);
    expect(JSON.stringify(trace.body), 'no fragment is kept').not.to.include('I will look');
  });

  it('sees nothing but states where the route says so', async () => {
    await start({ route: 'target_config: { streaming: false }' });
    const job = await run('read:2');
    void (async () => {
      for (let word = 0; word < 6; word++) await model.go();
    })();
    const seen: string[] = [];
    await reading(hub.url, job, (event) => void seen.push(event));
    expect(seen.filter((event) => event !== 'status')).to.deep.equal(['open', 'done']);
  });
});

describe('journey: another broker', () => {
  it('of a plugin takes the place of the one in memory', async () => {
    const carried: StreamEvent[] = [];
    const broker: Streams = {
      publish: (_, event) => void carried.push(event),
      read: (_, after) =>
        Promise.resolve({
          events: carried.slice(after).map((event, at) => ({ seq: after + at + 1, at: 0, event })),
          latest: carried.length,
          gap: false,
        }),
      wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    };
    const plugin = definePlugin({ id: 'service-broker', offers: (offer) => [offer(services.streams, () => broker)] });
    const world = await makeWorld();
    const hub = await startHub(world, { plugins: [...ALWAYS, plugin] });
    const { body } = await submit(hub.url, 'read:3', 'Look up order A-1001');
    const seen: string[] = [];
    await reading(hub.url, String(body.job_id), (event) => void seen.push(event));
    expect(carried.length).to.be.greaterThan(3);
    expect(seen.filter((event) => event === 'delta')).to.have.length.greaterThan(0);
    await hub.hub.stop();
    await world.close();
  });
});
