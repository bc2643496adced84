import { expect } from 'chai';
import {
  call,
  calling,
  chunk,
  DONE,
  drip,
  event,
  HostileWorld,
  MAX_CALLS,
  ORDER,
  raw,
  refund,
  stream,
  streamed,
  text,
  type Row,
} from '../support/hostile-models.js';

const UNREADABLE = /cannot be read|could not be reached|MODEL/i;
const refusedArgs = (args: unknown, what: string): Row => ({
  ...{ what, say: calling(call(0, 'order_read', args)), status: 'done', says: /^Done\.$/, calls: [] },
});

const TABLE: readonly Row[] = [
  { what: 'a web page with status 200', say: raw('<!doctype html><title>Login</title>'), status: 'error', says: /web page/ },
  { what: 'nothing at all', say: raw(''), status: 'error', says: UNREADABLE },
  { what: 'JSON that is no completion', say: raw('{"ok":true}'), status: 'error', says: UNREADABLE },
  { what: 'a completion without choices', say: raw('{"choices":[]}'), status: 'error', says: UNREADABLE },
  {
    what: 'a stream of usage alone',
    say: streamed(event({ choices: [], usage: { prompt_tokens: 3 } }), DONE),
    status: 'error',
    says: UNREADABLE,
  },
  {
    what: 'an error object with status 200',
    say: raw('{"error":{"message":"quota exceeded","code":429}}'),
    status: 'error',
    says: /^LLM 429: quota exceeded/,
  },
  {
    what: 'an error in the middle, after a whole call',
    say: streamed(
      event(chunk({ tool_calls: [call(0, 'refund_create', refund('a'))] })),
      event({ error: { message: 'upstream is gone' } }),
      DONE,
    ),
    ...{ status: 'error', says: /upstream is gone/, calls: [] },
  },
  {
    what: 'a call cut off by the length limit',
    say: streamed(event(chunk({ tool_calls: [call(0, 'refund_create', refund('a'))] }, 'length')), DONE),
    status: 'error',
    says: /cut off/,
    calls: [],
  },
  {
    what: 'bytes that are not UTF-8',
    say: raw(Buffer.from('data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', 'latin1')),
    status: 'error',
    says: UNREADABLE,
  },
  {
    what: 'arguments as an object',
    say: calling(call(0, 'refund_create', { ...ORDER, amount: 5 })),
    status: 'done',
    says: /^Done\.$/,
    calls: ['refund_create'],
  },
  refusedArgs(null, 'arguments that are null'),
  refusedArgs('', 'arguments that are empty'),
  refusedArgs(JSON.stringify(JSON.stringify(ORDER)), 'arguments encoded twice'),
  refusedArgs(JSON.stringify(ORDER).repeat(2), 'two objects glued together'),
  refusedArgs([ORDER], 'arguments that are a list'),
  refusedArgs('{"order_no":"A-1001","order_no":"A-1002"}', 'a key twice'),
  refusedArgs('{"order_no":"A-1001","view":"\\ud800"}', 'half a character'),
  refusedArgs(`{"order_no":"A-1001","view":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'a hundred thousand levels'),
  refusedArgs('{"order_no":"A-1001","__proto__":{"admin":true}}', 'a prototype among the arguments'),
  {
    what: 'a tool nobody has',
    say: calling(call(0, 'drop_table', '{}'), call(1, '__proto__', '{}'), call(2, 'find_tools', '{"names":["x"]}')),
    status: 'done',
    says: /^Done\.$/,
    calls: [],
  },
  {
    what: 'a call without a name',
    say: calling(call(0, null, refund('a'))),
    status: 'error',
    says: /without naming|cannot be told/,
    calls: [],
  },
  {
    what: 'one id for two calls, and again in the next turn',
    say: (response, turn) =>
      void stream(response).end(
        turn > 1
          ? text('Done.')
          : event(
              chunk({
                tool_calls: [
                  call(0, 'refund_create', refund(`a${String(turn)}`), 'same'),
                  call(1, 'order_read', JSON.stringify(ORDER), 'same'),
                ],
              }),
            ) +
              event(chunk({}, 'tool_calls')) +
              DONE,
      ),
    ...{ status: 'done', says: /^Done\.$/, calls: ['refund_create', 'order_read', 'refund_create', 'order_read'] },
  },
  {
    what: 'a hundred writes in one turn',
    say: calling(...Array.from({ length: 100 }, (_, index) => call(index, 'refund_create', refund(String(index))))),
    ...{ status: 'done', says: /^Done\.$/, calls: Array<string>(MAX_CALLS).fill('refund_create') },
  },
  {
    what: 'a hundred thousand calls in one turn',
    say: async (response, turn) => {
      stream(response);
      for (let index = 0; index < 100_000 && !response.destroyed; index += 1_000) {
        const some = Array.from({ length: 1_000 }, (_, nth) =>
          event(chunk({ tool_calls: [call(index + nth, 'refund_create', refund(String(index + nth)))] })),
        );
        response.write(some.join(''));
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (turn >= 0 && !response.destroyed) response.end(event(chunk({}, 'tool_calls')) + DONE);
    },
    ...{ status: 'error', says: /too many tool calls/, calls: [] },
  },
  {
    what: 'a thought beside the answer',
    say: streamed(event(chunk({ reasoning_content: 'secret thought' })), text('Here.')),
    status: 'done',
    says: /^Here\.$/,
  },
  {
    what: 'markup of a tool protocol, twice',
    say: streamed(text('<|tool_calls|>refund_create')),
    status: 'error',
    says: /BAILING_MODEL_PROTOCOL|protocol/i,
  },
  {
    what: 'calls after the tools were taken away',
    say: (response, turn) => calling(call(0, 'refund_create', refund(`r${String(turn)}`)))(response, 0),
    status: 'error',
    says: /protocol/i,
    calls: Array<string>(MAX_CALLS).fill('refund_create'),
  },
  {
    what: 'silence in the middle',
    say: (response) => void stream(response).write(event(chunk({ content: 'I' }))),
    status: 'error',
    says: /silent for 300 ms/,
  },
  { what: 'headers and nothing more', say: (response) => void stream(response).flushHeaders(), status: 'error', says: /silent for 300 ms/ },
  { what: 'no headers', say: () => undefined, status: 'error', says: /within 1000 ms/ },
  { what: 'one piece in a while, for ever', say: drip(100, event(chunk({ content: '.' }))), status: 'error', says: /within 1000 ms/ },
  { what: 'comments for ever', say: drip(100, ': wait\n\n'), status: 'error', says: /within 1000 ms/ },
];

describe('promises: models that misbehave', function () {
  this.timeout(60_000);
  let world: HostileWorld;
  const outcomes = new Map<Row, Promise<void>>();
  before(async () => {
    world = await HostileWorld.open(TABLE);
    // Side by side, because some of them do nothing but wait.
    for (const row of TABLE) outcomes.set(row, world.play(row));
    await Promise.allSettled(outcomes.values());
  });
  after(() => world.close());

  for (const row of TABLE)
    it(`${row.what}: ${row.status}${row.calls ? `, ${String(row.calls.length)} calls` : ''}`, () => outcomes.get(row));

  it('every call has exactly one result, whatever the ids of the provider were', () => {
    for (const body of world.asked) {
      const { messages } = JSON.parse(body) as {
        messages: readonly { readonly tool_call_id?: string; readonly tool_calls?: readonly { readonly id: string }[] }[];
      };
      const results = messages.flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id]));
      const calls = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
      expect(results).to.deep.equal(calls);
      expect(new Set(calls).size).to.equal(calls.length);
    }
  });
});
