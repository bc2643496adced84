import type { ModelDelta, ModelProvider, ModelRequest } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { CallResult } from '../calls/index.js';
import type { View } from '../catalog/index.js';
import type { RouteSettings } from '../ports/index.js';
import { think } from './loop.js';

type Turn = ModelDelta[] | 'hangs';

const text = (said: string): ModelDelta[] => [
  { is: 'text', text: said },
  { is: 'end', reason: 'stop' },
];
const calls = (...names: string[]): ModelDelta[] => [
  ...names.map((name, index): ModelDelta => ({ is: 'call', index, name, arguments: '{}' })),
  { is: 'end', reason: 'tool_calls' },
];

function scripted(...turns: Turn[]): ModelProvider & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    name: 'scripted',
    asked,
    answer: async function* (request, signal) {
      asked.push({ ...request, messages: [...request.messages] });
      const turn = turns[asked.length - 1] ?? text('(over)');
      if (turn === 'hangs')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }));
      else yield* turn;
    },
  };
}

const definition = { description: 'A tool.', scope: 's', readonly: false, risk: 'low', confirmWhen: [], input: {} };
const tools = new Map(['a', 'b'].map((name) => [name, { tool: { definition: { ...definition, name } } }]));

async function run(model: ModelProvider, deadlineMs: number, more: { slowMs?: number; saved?: string; lastWordMs?: number } = {}) {
  const made: string[] = [];
  const noted: string[] = [];
  const saves: string[] = [];
  const end = await think(
    {
      route: { route_key: 'r', target_config: {} } as RouteSettings,
      text: 'do it',
      view: { tools, locked: [] } as unknown as View,
      maxCalls: 5,
      callsUsed: 0,
      nowText: 'now',
      signal: new AbortController().signal,
      deadlineMs,
      lastWordMs: more.lastWordMs ?? 2_000,
      saved: more.saved ?? null,
    },
    {
      model,
      call: async ({ tool }): Promise<CallResult> => {
        made.push(tool);
        await new Promise((resolve) => setTimeout(resolve, more.slowMs ?? 0));
        return { ok: true, text: 'fine', status: 200, sent: true };
      },
      note: (event) => void noted.push(event),
      save: (state) => Promise.resolve(void saves.push(state)),
    },
  );
  return { end, made, noted, saves };
}

describe('The deadline of a job', () => {
  it('stops a model that hangs and asks for one answer without tools', async () => {
    const model = scripted(calls('a'), 'hangs', text('This far I came.'));
    const { end, made, noted } = await run(model, 60);
    expect(end).to.include({ is: 'answer', text: 'This far I came.' });
    expect([made, model.asked.map((request) => request.tools.length)]).to.deep.equal([['a'], [2, 2, 0]]);
    expect(model.asked[2]?.messages.at(-1)?.content).to.include('time for this request is up');
    expect(noted.filter((event) => event === 'job_deadline')).to.have.length(1);
  });

  it('lets a call that was begun come back, and begins no other', async () => {
    const model = scripted(calls('a', 'b'), text('One of two.'));
    const { end, made, noted } = await run(model, 30, { slowMs: 50 });
    expect([end.is, made]).to.deep.equal(['answer', ['a']]);
    expect(noted).to.include('tool_blocked');
    const results = model.asked[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results).to.deep.equal(['fine', '[not successful] The job ran out of time.']);
  });

  it('ends the job with its code where the last word does not come either, or is no answer', async () => {
    const { end } = await run(scripted('hangs', 'hangs'), 20, { lastWordMs: 30 });
    expect(end).to.include({ is: 'failed', code: 'BAILING_JOB_DEADLINE' });
    const again = await run(scripted('hangs', calls('a'), calls('a')), 20);
    expect(again.end).to.include({ is: 'failed', code: 'BAILING_MODEL_PROTOCOL' });
    expect(again.made).to.deep.equal([]);
  });

  it('counts on over a restart, and not what lies between', async () => {
    const first = await run(scripted(calls('a'), text('done')), 10_000, { slowMs: 60 });
    const saved = first.saves.at(-1) ?? '';
    expect((JSON.parse(saved) as { spentMs: number }).spentMs).to.be.within(55, 2_000);
    const model = scripted(text('Short of time.'));
    const { end } = await run(model, 50, { saved });
    expect([end.is, model.asked[0]?.tools.length]).to.deep.equal(['answer', 0]);
  });
});
