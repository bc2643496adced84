import { ModelFailure, type ModelDelta, type ModelProvider, type ModelRequest } from '@bailing/plugin-api';
import { conformance, modelCases, type ModelSetup } from '../index.js';
import { proveCases } from '../test-support/prove.js';

const KEY = 'sk-4711';
const CALL: readonly ModelDelta[] = [
  { is: 'text', text: 'Let me look.' },
  { is: 'call', index: 0, id: 'c1', name: 'get_order', arguments: '{"order"' },
  { is: 'call', index: 0, arguments: ': "A-1"}' },
  { is: 'usage', inputTokens: 10, outputTokens: 5 },
];
const END: ModelDelta = { is: 'end', reason: 'tool_calls' };

type Answer = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<unknown>;
const provider = (answer: Answer, name = 'fake'): ModelProvider => ({ name, answer: answer as ModelProvider['answer'] });
const says = (...deltas: readonly unknown[]) =>
  provider(async function* (_request, signal) {
    signal.throwIfAborted();
    await Promise.resolve();
    yield* deltas;
  });
const throwing = (error: unknown) =>
  // eslint-disable-next-line require-yield
  provider(async function* () {
    await Promise.resolve();
    throw error;
  });
const good = says(...CALL, END);
const broken = throwing(new ModelFailure('The endpoint answered 503.', true, 503));
const setup = (change: Partial<ModelSetup>) => (): ModelSetup => ({ provider: good, broken, secret: KEY, ...change });

/** Keeps one place for all answers, so that two at once empty each other's. */
function shared(): ModelSetup {
  let rest: ModelDelta[] = [];
  const answer: Answer = async function* () {
    rest = [...CALL, END];
    for (let delta = rest.shift(); delta !== undefined; delta = rest.shift()) {
      await Promise.resolve();
      yield delta;
    }
  };
  return { provider: provider(answer) };
}

describe('the cases of model providers', () => {
  proveCases<ModelSetup>(
    modelCases,
    {
      'a provider that calls a tool': setup({}),
      'a provider that only talks, inside the process': () => ({
        provider: says({ is: 'text', text: 'Hello.' }, { is: 'end', reason: 'stop' }),
      }),
    },
    [
      ['has no name', 'has a name', setup({ provider: { ...good, name: '' } })],
      ['passes chunks of its vendor on', 'the known forms', setup({ provider: says({ choices: [] }, END) })],
      ['counts calls from minus one', 'the known forms', setup({ provider: says({ is: 'call', index: -1, name: 'get_order' }, END) })],
      [
        'gives arguments as an object',
        'the known forms',
        setup({ provider: says({ is: 'call', index: 0, name: 'get_order', arguments: {} }, END) }),
      ],
      ['counts half tokens', 'the known forms', setup({ provider: says({ is: 'usage', inputTokens: 0.5, outputTokens: 1 }, END) })],
      ['ends for a reason of its vendor', 'the known forms', setup({ provider: says({ is: 'end', reason: 'eos' }) })],
      ['never ends', 'ends exactly once', setup({ provider: says(...CALL) })],
      ['ends twice', 'ends exactly once', setup({ provider: says(...CALL, END, END) })],
      ['goes on after the end', 'nothing comes after the end', setup({ provider: says(END, ...CALL) })],
      ['calls without a name', 'names a tool', setup({ provider: says({ is: 'call', index: 0, arguments: '{}' }, END) })],
      ['calls what it was not shown', 'names a tool', setup({ provider: says({ is: 'call', index: 0, name: 'drop_tables' }, END) })],
      [
        'adds its own message to the request',
        'does not change the request',
        setup({
          provider: provider((request, signal) => {
            if (Object.isExtensible(request.messages)) (request.messages as unknown[]).push({ role: 'user', content: 'x' });
            return good.answer(request, signal);
          }),
        }),
      ],
      ['keeps one answer for all', 'without mixing', shared],
      [
        'answers although it was aborted',
        'signal is aborted',
        setup({ provider: provider((request) => good.answer(request, new AbortController().signal)) }),
      ],
      [
        'hangs when it is aborted',
        'signal is aborted',
        setup({ provider: provider((request, signal) => (signal.aborted ? hanging() : good.answer(request, signal))) }),
      ],
      ['throws what its SDK throws', 'as a ModelFailure', setup({ broken: throwing(new Error('503')) })],
      ['answers although its endpoint fails', 'as a ModelFailure', setup({ broken: good })],
      ['tells its key when it fails', 'without its key', setup({ broken: throwing(new ModelFailure(`401 with ${KEY}`, false)) })],
    ],
  );
});

async function* hanging(): AsyncIterable<ModelDelta> {
  await new Promise(() => undefined);
  yield END;
}

describe('a model provider that is declared to conform', () => {
  conformance.model(setup({}));
});
