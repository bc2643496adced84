import { expect } from 'chai';
import type { AiAnswer, AiRequest } from '../support/ai-server.js';
import { ask, eventsOf, waitForEnd } from '../support/http.js';
import { makeInputWorld } from '../support/input-world.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Edge {
  readonly title: string;
  readonly maxCalls: number;
  /** The hub dies while this request of the brain or of the vision model is being answered. */
  readonly dies: { readonly at: 'brain' | 'side'; readonly nth: number };
  /** Questions the brain asks about the image, as long as it may. */
  readonly questions: number;
  /** Requests of the vision model in all. */
  readonly looks: number;
  /** Looks that the hub took by itself and told the brain about. */
  readonly told: number;
}

const EDGES: readonly Edge[] = [
  { title: 'in the middle of a look', maxCalls: 2, dies: { at: 'side', nth: 1 }, questions: 2, looks: 2, told: 0 },
  { title: 'in the middle of the only look', maxCalls: 1, dies: { at: 'side', nth: 1 }, questions: 1, looks: 2, told: 1 },
  { title: 'after the only look', maxCalls: 1, dies: { at: 'brain', nth: 2 }, questions: 1, looks: 1, told: 0 },
  {
    title: 'in the middle of the look that the hub takes by itself',
    maxCalls: 2,
    dies: { at: 'side', nth: 1 },
    questions: 0,
    looks: 2,
    told: 1,
  },
  { title: 'after the look that the hub takes by itself', maxCalls: 2, dies: { at: 'brain', nth: 2 }, questions: 0, looks: 1, told: 1 },
];

/** Asks while it is offered see_image and has questions; an answer that was not looked for is a guess. */
function brainOf({ questions }: Edge, { body }: AiRequest): AiAnswer {
  const messages = body.messages ?? [];
  const asked = messages.filter(({ role }) => role === 'tool').length;
  const offered = body.tools?.some(({ function: { name } }) => name === 'see_image') === true;
  if (offered && asked < questions) return { calls: [{ tool: 'see_image', arguments: { question: `Question ${String(asked + 1)}?` } }] };
  return JSON.stringify(messages).includes('A red shoe') ? 'It is a red shoe.' : 'Perhaps a hat.';
}

async function play(edge: Edge) {
  let died: Promise<void> | undefined;
  const dying = async (at: 'brain' | 'side', nth: number): Promise<void> => {
    if (at === edge.dies.at && nth === edge.dies.nth) await (died ??= world.restart());
  };
  const world = await makeInputWorld({
    apart: true,
    routes: { desk: { image: { credential: 'side', max_calls: edge.maxCalls } } },
    media: { '/a.png': PNG },
    hub: { lease_ms: 1_000 },
    brain: async (request, nth) => (await dying('brain', nth), brainOf(edge, request)),
    side: async (_request, nth) => (await dying('side', nth), 'A red shoe, size 42.'),
  });
  try {
    const { body } = await ask(world.hub.url, 'POST', '/run', {
      request_id: 'look:1',
      route: 'desk',
      input: `What is this? ![photo](${world.media.url}/a.png)`,
    });
    while (!died) await new Promise((resolve) => setTimeout(resolve, 20));
    await died;
    const id = String(body.job_id);
    const job = await waitForEnd(world.hub.url, id);
    const events = await eventsOf(world.hub.url, id);
    const last = world.brain.asked.at(-1)?.body.messages ?? [];
    return {
      status: job.status,
      text: (job.result as { text?: string } | null)?.text,
      budget: (job.result as { tool_budget?: { used: number } } | null)?.tool_budget?.used,
      looks: world.side.asked.length,
      told: last.filter(({ content }) => typeof content === 'string' && content.includes('without looking')).length,
      results: last.filter(({ role }) => role === 'tool').length,
      resumed: events.some(({ event }) => event === 'recovered'),
    };
  } finally {
    await world.close();
  }
}

describe('crash: kill -9 in a job that looks at images', function () {
  this.timeout(120_000);
  for (const edge of EDGES) {
    it(`${edge.title}: no more looks than there are, one by itself, and no answer that was not looked for`, async () => {
      const outcome = await play(edge);
      expect(outcome).to.include({ status: 'done', text: 'It is a red shoe.', budget: 0, resumed: true });
      expect(outcome).to.include({ looks: edge.looks, told: edge.told });
    });
  }
});
