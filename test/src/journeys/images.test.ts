import { expect } from 'chai';
import fs from 'node:fs';
import path from 'node:path';
import type { AiAnswer, AiRequest } from '../support/ai-server.js';
import { BRAIN_KEY, makeInputWorld, SIDE_KEY, type InputWorld } from '../support/input-world.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const VISION = { credential: 'side', model: 'vision-model' };
const DATA_URL = `data:image/png;base64,${PNG.toString('base64')}`;

describe('journey: images that users link to', function () {
  this.timeout(30_000);
  let world: InputWorld;
  let brain: (request: AiRequest) => AiAnswer = () => 'All right.';
  let side: (request: AiRequest) => AiAnswer = () => 'A red shoe, size 42.';
  before(async () => {
    world = await makeInputWorld({
      routes: {
        plain: undefined,
        tool: { image: { ...VISION, max_calls: 2 } },
        own: { image: { credential: 'side' } },
        same: { image: { model: 'vision-model' } },
        equal: { image: { credential: 'brain', model: 'vision-model' } },
        prepass: { image: { ...VISION, mode: 'prepass' } },
        inline: { image: { mode: 'inline' } },
        off: { image: { mode: 'off' } },
        lost: { image: { mode: 'prepass', credential: 'off' } },
        bare: { image: { credential: 'bare' } },
        agent: { image: { ...VISION, mode: 'prepass' } },
        agenttool: { image: VISION },
      },
      handedOut: ['agent', 'agenttool'],
      media: { '/a.png': PNG, '/b.png': PNG, '/lie.png': Buffer.from('<svg onload="x"/>') },
      brain: (request) => brain(request),
      side: (request) => side(request),
    });
  });
  after(() => world.close());
  beforeEach(() => {
    brain = () => 'All right.';
    side = () => 'A red shoe, size 42.';
  });
  const image = (path = '/a.png') => `![photo](${world.media.url}${path})`;
  const looks = (events: readonly { event: string; detail: Record<string, unknown> }[]) =>
    events.filter(({ event }) => event === 'perception').map(({ detail }) => detail);
  const partsOf = (request: AiRequest | undefined) => {
    const content = request?.body.messages?.find(({ role }) => role === 'user')?.content;
    return typeof content === 'string' ? [] : (content ?? []);
  };
  /** Calls see_image as often as it is offered and told to, then answers. */
  const looking =
    (...questions: object[]) =>
    (request: AiRequest): AiAnswer => {
      const done = request.body.messages?.filter(({ role }) => role === 'tool').length ?? 0;
      const next = questions[done];
      return next ? { calls: [{ tool: 'see_image', arguments: next }] } : 'It is a red shoe.';
    };

  it('are looked at by question: the brain gets no image, the vision model gets the bytes, and the answer comes back as text', async () => {
    brain = looking({ question: 'What colour is it?', indexes: [1, 7] }, { question: 'And the size?' });
    const { text, events } = await world.run('tool', `What is this? ${image()} ${image('/b.png')}`);
    expect(text).to.equal('It is a red shoe.');
    expect(world.lastSystem()).to.include('2 images').and.include('see_image');
    for (const asked of world.brain.asked.slice(-3)) expect(partsOf(asked)).to.deep.equal([]);
    const [first, second] = world.side.asked.slice(-2);
    expect(partsOf(first)).to.deep.equal([
      { type: 'text', text: 'What colour is it?' },
      { type: 'image_url', image_url: { url: DATA_URL } },
    ]);
    expect(partsOf(second).filter(({ type }) => type === 'image_url')).to.have.length(2);
    expect([first?.body.model, first?.authorization, first?.path]).to.deep.equal([
      'vision-model',
      `Bearer ${SIDE_KEY}`,
      '/v1/chat/completions',
    ]);
    expect(looks(events)).to.deep.equal([
      { mode: 'tool', model: 'vision-model', images: 1, ok: true, question: 'What colour is it?' },
      { mode: 'tool', model: 'vision-model', images: 2, ok: true, question: 'And the size?' },
    ]);
    const offered = world.brain.asked.slice(-3).map(({ body }) => body.tools?.map((tool) => tool.function.name) ?? []);
    expect(offered).to.deep.equal([['see_image'], ['see_image'], []]);
    expect(JSON.stringify(events)).to.not.include(PNG.toString('base64')).and.not.include(SIDE_KEY);
    expect(events.find(({ event }) => event === 'llm_request')?.detail).to.include({ vision_mode: 'tool', images: 2 });
  });

  it('are looked at once by the hub where the brain answers without looking, and it answers again', async () => {
    let asked = 0;
    brain = () => (++asked === 1 ? 'It is probably blue.' : 'It is red.');
    const { text, events, job } = await world.run('own', `What is this? ${image()}`);
    expect([text, asked]).to.deep.equal(['It is red.', 2]);
    expect(world.brain.asked.at(-1)?.body.messages?.at(-1)?.content).to.match(/without looking at the images[^]*A red shoe, size 42\./);
    expect(looks(events)).to.deep.equal([{ mode: 'tool-fallback', model: 'side-model', images: 1, ok: true }]);
    expect((job.result as { tool_budget: object }).tool_budget).to.include({ used: 0 });
  });

  it('are looked at six times at most where nothing is said about it, and all of them where no index fits', async () => {
    brain = looking(...Array.from({ length: 6 }, (_none, n) => ({ question: `Look ${String(n)}?`.padEnd(300, '?'), indexes: [9] })));
    const { events } = await world.run('own', `${image()} ${image('/b.png')}`);
    expect(world.lastSystem()).to.include('at most 6 times');
    expect(looks(events).map(({ images, question }) => [images, String(question).length])).to.deep.equal(Array(6).fill([2, 200]));
    expect(world.brain.asked.at(-1)?.body.tools).to.equal(undefined);
  });

  it('are looked at with the brain’s own credential where the policy names none, or the same', async () => {
    for (const route of ['same', 'equal']) {
      brain = (request) => (request.body.model === 'vision-model' ? 'A blue hat.' : looking({ question: 'What?' })(request));
      const { events } = await world.run(route, image());
      const asked = world.brain.asked.findLast(({ body }) => body.model === 'vision-model');
      expect([asked?.authorization, partsOf(asked).length], route).to.deep.equal([`Bearer ${BRAIN_KEY}`, 2]);
      expect(looks(events)[0], route).to.include({ ok: true, model: 'vision-model' });
    }
  });

  it('cost no call of the budget', async () => {
    brain = looking({ question: 'What?' }, { question: 'Where?' });
    const { job } = await world.run('tool', image());
    expect((job.result as { tool_calls: number; tool_budget: object }).tool_calls).to.equal(0);
    expect((job.result as { tool_budget: object }).tool_budget).to.include({ used: 0, exhausted: false });
  });

  it('are told as text where the vision model fails or they cannot be fetched: the job goes on', async () => {
    side = () => ({ status: 500, body: '{"error":{"message":"out of order"}}' });
    brain = looking({ question: 'What?' });
    const failed = await world.run('tool', image());
    expect(failed.job.status).to.equal('done');
    expect(looks(failed.events)[0]).to.include({ ok: false }).and.have.property('error').that.includes('LLM 500');
    side = () => '';
    expect((await world.run('tool', image())).job.status).to.equal('done');
    const lie = await world.run('tool', `${image('/lie.png')} ${image('/gone.png')}`);
    expect(lie.job.status).to.equal('done');
    expect(looks(lie.events)[0]?.error).to.match(/could not be looked at/);
    expect(world.brain.asked.at(-1)?.body.messages?.at(-1)?.content).to.include('not read here').and.include('404');
  });

  it('are described before the brain starts with prepass', async () => {
    const { events } = await world.run('prepass', `What is this? ${image()}`);
    expect(world.lastUser()).to.match(/^What is this\?[^]*described by a vision model[^]*A red shoe, size 42\.$/);
    expect(world.brain.asked.at(-1)?.body.tools).to.equal(undefined);
    expect(looks(events)).to.deep.equal([{ mode: 'prepass', model: 'vision-model', images: 1, ok: true }]);
  });

  it('go to the brain as addresses with inline, and once without them where it refuses', async () => {
    const expected = [
      { type: 'text', text: `See ${image()}` },
      { type: 'image_url', image_url: { url: `${world.media.url}/a.png` } },
    ];
    await world.run('inline', `See ${image()}`);
    expect(partsOf(world.brain.asked.at(-1))).to.deep.equal(expected);
    brain = (request) => (partsOf(request).length > 0 ? { status: 400, body: '{"error":{"message":"no images"}}' } : 'I cannot see it.');
    const before = world.brain.asked.length;
    const { text, events } = await world.run('inline', `See ${image()}`);
    expect([text, world.brain.asked.length - before]).to.deep.equal(['I cannot see it.', 2]);
    expect(world.lastUser()).to.include('could not be given to you');
    expect(events.map(({ event }) => event)).to.include('llm_images_refused');
    brain = () => ({ status: 400, body: '{"error":{"message":"no"}}' });
    expect((await world.run('inline', `See ${image()}`)).job.error).to.include('LLM 400');
  });

  it('are not looked at with off', async () => {
    await world.run('off', `See ${image()}`);
    expect(partsOf(world.brain.asked.at(-1))).to.deep.equal([]);
    expect(world.lastUser()).to.equal(`See ${image()}`);
    expect(world.lastSystem()).to.include('images that you cannot see');
  });

  it('go inline where no vision model resolves, and that is audited', async () => {
    for (const [route, requested, credential] of [
      ['plain', 'tool', 'brain'],
      ['lost', 'prepass', 'off'],
      ['bare', 'tool', 'bare'],
    ] as const) {
      const { events } = await world.run(route, `See ${image()}`);
      const degraded = events.find(({ event }) => event === 'perception_degraded')?.detail;
      expect(degraded, route).to.deep.equal({ requested, reason: 'vision_model_unresolved', credential });
      expect(partsOf(world.brain.asked.at(-1)), route).to.have.length(2);
    }
  });

  it('leave no key of a model in the database', () => {
    const stored = ['hub.db', 'hub.db-wal'].map((name) => path.join(world.folder, name)).filter((file) => fs.existsSync(file));
    expect(stored).not.to.deep.equal([]);
    for (const file of stored) {
      const bytes = fs.readFileSync(file);
      for (const key of [SIDE_KEY, BRAIN_KEY, PNG.toString('base64')]) expect(bytes.includes(key), `${key} in ${file}`).to.equal(false);
    }
  });

  it('reach an executor as a list, and described where the policy says so', async () => {
    const asked = world.side.asked.length;
    const tool = await world.work('agenttool', `See ${image()}`);
    expect([tool.user_images, tool.input]).to.deep.equal([[`${world.media.url}/a.png`], `See ${image()}`]);
    expect(world.side.asked.length).to.equal(asked);
    const described = await world.work('agent', `See ${image()}`);
    expect(described.input).to.include('A red shoe, size 42.');
  });
});
