import assert from 'node:assert/strict';
import { ModelFailure, type ModelDelta, type ModelProvider, type ModelRequest } from '@bailing/plugin-api';
import type { Case } from './case.js';
import { freezeDeep } from '../freeze.js';
import { assertText, unchanged, within } from './watch.js';

/** What the cases need of an author: a provider that answers, and where it can fail, one whose endpoint does. */
export interface ModelSetup {
  readonly provider: ModelProvider;
  /** What to ask; a short question with one tool where absent. */
  readonly request?: ModelRequest;
  /** A provider whose endpoint is broken. Absent for models that run inside the process. */
  readonly broken?: ModelProvider;
  /** The key it was opened with; it must not come out in a failure. */
  readonly secret?: string;
}

const MAX_DELTAS = 100_000;
const ENDS = ['stop', 'tool_calls', 'length', 'other'];

const QUESTION: ModelRequest = freezeDeep({
  messages: [
    { role: 'system', content: 'You look up orders.' },
    { role: 'user', content: 'Where is order A-1?' },
  ],
  tools: [
    {
      name: 'get_order',
      description: 'Looks up one order.',
      parameters: { type: 'object', required: ['order'], properties: { order: { type: 'string' } }, additionalProperties: false },
    },
  ],
});

/** What every model provider keeps: normalised deltas, one end, failures by name. */
export const modelCases: readonly Case<ModelSetup>[] = [
  {
    title: 'has a name for results and audit',
    check: async (make) => assertText((await make()).provider.name, 'the name', 200),
  },
  {
    title: 'answers in deltas of the known forms',
    check: async (make, patienceMs) => {
      const setup = await make();
      for (const delta of await answer(setup, patienceMs)) assertDelta(delta);
    },
  },
  {
    title: 'ends exactly once, and nothing comes after the end',
    check: async (make, patienceMs) => {
      const deltas = await answer(await make(), patienceMs);
      assert.equal(deltas.filter(({ is }) => is === 'end').length, 1, 'an answer has one end');
      assert.equal(deltas.at(-1)?.is, 'end', 'something came after the end');
    },
  },
  {
    title: 'names a tool at the latest when it ends a call, and only tools it was shown',
    check: async (make, patienceMs) => {
      const setup = await make();
      const names = new Map<number, string>();
      for (const delta of await answer(setup, patienceMs))
        if (delta.is === 'call') names.set(delta.index, (names.get(delta.index) ?? '') + (delta.name ?? ''));
      const shown = (setup.request ?? QUESTION).tools.map(({ name }) => name);
      for (const name of names.values()) assert.ok(shown.includes(name), `${JSON.stringify(name)} was not shown`);
    },
  },
  {
    title: 'does not change the request',
    check: async (make) => {
      const setup = await make();
      await unchanged(setup.request ?? QUESTION, (request) => collect(setup.provider, request, new AbortController().signal));
    },
  },
  {
    title: 'answers two requests at once without mixing them',
    check: async (make, patienceMs) => {
      const setup = await make();
      const both = await Promise.all([answer(setup, patienceMs), answer(setup, patienceMs)]);
      for (const deltas of both) assert.equal(deltas.filter(({ is }) => is === 'end').length, 1, 'the answers were mixed');
    },
  },
  {
    title: 'comes to an end when its signal is aborted, and executes nothing then',
    check: async (make, patienceMs) => {
      const { provider, request = QUESTION } = await make();
      const ended = collect(provider, request, AbortSignal.abort()).then(
        () => assert.fail('an aborted answer looks finished'),
        (error: unknown) => error,
      );
      const error = await within(patienceMs, ended, 'an aborted answer');
      assert.ok(!(error instanceof assert.AssertionError), 'an aborted answer looks finished');
    },
  },
  {
    title: 'tells a failing endpoint as a ModelFailure that says whether to try again, without its key',
    check: async (make, patienceMs) => {
      const { broken, request = QUESTION, secret } = await make();
      if (!broken) return;
      const ended = collect(broken, request, new AbortController().signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      const error = await within(patienceMs, ended, 'a failing endpoint');
      assert.ok(error instanceof Error && error.name === ModelFailure.name, 'a failing endpoint must throw a ModelFailure');
      assert.equal(typeof (error as ModelFailure).transient, 'boolean', 'a ModelFailure says whether it is transient');
      assert.ok(secret === undefined || !`${error.message} ${error.stack}`.includes(secret), 'the key stands in the failure');
    },
  },
];

function answer({ provider, request = QUESTION }: ModelSetup, patienceMs: number): Promise<readonly ModelDelta[]> {
  return within(patienceMs, collect(provider, freezeDeep(request), new AbortController().signal), 'an answer');
}

async function collect(provider: ModelProvider, request: ModelRequest, signal: AbortSignal): Promise<readonly ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of provider.answer(request, signal)) {
    deltas.push(delta);
    assert.ok(deltas.length <= MAX_DELTAS, 'the answer has no end');
  }
  return deltas;
}

function assertDelta(delta: ModelDelta): void {
  switch (delta.is) {
    case 'text':
    case 'reasoning':
      assert.equal(typeof delta.text, 'string', 'text is text');
      return;
    case 'call':
      assert.ok(Number.isInteger(delta.index) && delta.index >= 0, 'the index of a call is a whole number');
      for (const part of [delta.id, delta.name, delta.arguments])
        assert.ok(part === undefined || typeof part === 'string', 'parts of a call are text');
      return;
    case 'usage':
      for (const tokens of [delta.inputTokens, delta.outputTokens])
        assert.ok(Number.isInteger(tokens) && tokens >= 0, 'usage is counted in whole tokens');
      return;
    case 'end':
      assert.ok(ENDS.includes(delta.reason), `${String(delta.reason)} is no reason to end`);
      return;
    default:
      assert.fail('a delta is text, reasoning, call, usage or end');
  }
}
