import { expect } from 'chai';
import { assemble } from './test-support/assemble.js';
import { ask, delta, failure, hello, never, sse } from './test-support/asks.js';
import type { Logged } from './test-support/server.js';
import { ModelServer, provider, says, SSE, streams } from './test-support/server.js';
import { shape } from './test-support/shapes.js';

describe('an answer of a model endpoint', () => {
  let server: ModelServer;
  before(async () => (server = await new ModelServer().start()));
  after(() => server.stop());

  it('may be plain JSON although a stream was asked for', async () => {
    server.answer(says(200, hello));
    expect(await assemble(provider(server).answer(ask, never))).to.deep.equal({
      text: 'Hi',
      reasoning: '',
      calls: [],
      usage: [1, 2],
      end: 'stop',
    });
  });

  it('may be JSON under the name of an event stream, or an event stream under the name of JSON', async () => {
    server.answer(streams([Buffer.from(JSON.stringify(hello))], { headers: SSE }));
    expect((await assemble(provider(server).answer(ask, never))).text).to.equal('Hi');
    server.answer(streams([shape('azure')], { headers: { 'content-type': 'application/json' } }));
    expect((await assemble(provider(server).answer(ask, never))).text).to.equal('The room is free — 空房。');
  });

  it('is asked for once more without a stream where the endpoint says that it cannot stream, and only then', async () => {
    const refusals: [number, unknown, number][] = [
      [400, { error: { message: 'Streaming is not supported for this model' } }, 2],
      [422, { detail: 'stream=true is unsupported' }, 2],
      [501, 'stream mode not available, streaming disabled', 2],
      [400, { message: '当前模型不支持流式输出' }, 2],
      [404, { error: { message: 'The model does not exist' } }, 1],
      [400, { error: { message: 'messages must not be empty' } }, 1],
      [400, { error: { message: 'upstream request failed' } }, 1],
      [403, { error: { message: 'streaming is not supported' } }, 1],
    ];
    for (const [status, body, times] of refusals) {
      const logged: Logged[] = [];
      server.answer(says(status, body), says(200, hello));
      const ended = await assemble(provider(server, { logged }).answer(ask, never)).catch(() => undefined);
      expect([JSON.stringify(body), server.asked.length]).to.deep.equal([JSON.stringify(body), times]);
      expect(ended?.text).to.equal(times === 2 ? 'Hi' : undefined);
      expect(server.asked[1]?.body.stream).to.equal(times === 2 ? false : undefined);
      expect(logged.length).to.equal(times - 1);
    }
  });

  it('is asked for without a stream exactly once: a second refusal is final', async () => {
    server.answer(says(400, { error: { message: 'streaming is not supported' } }));
    const refused = await failure(server);
    expect([refused.status, refused.transient, server.asked.length]).to.deep.equal([400, false, 2]);
  });

  it('that is HTML with status 200 is a failure, not an empty answer', async () => {
    for (const type of ['text/html', 'text/event-stream']) {
      server.answer(streams([Buffer.from('\n  <!doctype html><title>Sign in</title>')], { headers: { 'content-type': type } }));
      const broken = await failure(server);
      expect(broken.transient).to.equal(true);
      expect(broken.message).to.include('web page');
    }
  });

  it('that is empty, unreadable, without choices, or not UTF-8 is a transient failure and prints nothing', async () => {
    const printed: unknown[] = [];
    const original = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: unknown) => printed.push(text) > 0;
    try {
      for (const body of [
        '',
        '{"choices":[]}',
        '{"id":1}',
        '{"choices":[',
        'data: {"choices":[{"delta":{"content":\n\ndata: [DONE]\n\n',
        'data: 7\n\n',
        ': only\n\n',
      ]) {
        server.answer(streams([Buffer.from(body)], { headers: {} }));
        expect([body, (await failure(server)).transient]).to.deep.equal([body, true]);
      }
      server.answer(streams([...sse(delta('a')), Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0x22, 0xff, 0x22, 0x0a, 0x0a])]));
      expect((await failure(server)).message).to.include('UTF-8');
    } finally {
      process.stderr.write = original;
    }
    expect(printed).to.deep.equal([]);
  });

  it('with an error in the middle of the stream is a failure with its words, final where its code is', async () => {
    server.answer(streams(sse(delta('half'), { error: { message: 'overloaded, try later', code: 503 } })));
    const busy = await failure(server);
    expect([busy.transient, busy.status]).to.deep.equal([true, 503]);
    expect(busy.message).to.include('overloaded');
    server.answer(streams(sse({ error: { message: 'context too long', code: 400 } })));
    const final = await failure(server);
    expect([final.transient, final.message]).to.deep.equal([false, 'LLM 400: context too long']);
    server.answer(streams(sse({ choices: [{ index: 0, delta: {}, finish_reason: 'insufficient_system_resource' }] })));
    expect((await failure(server)).transient).to.equal(true);
  });

  it('cut off at its length says so, and so does one that was filtered', async () => {
    server.answer(streams(sse(delta('a', 'length'), '[DONE]')));
    expect((await assemble(provider(server).answer(ask, never))).end).to.equal('length');
    server.answer(streams(sse(delta('a', 'content_filter'), '[DONE]')));
    expect((await assemble(provider(server).answer(ask, never))).end).to.equal('other');
  });

  it('whose lines are not separated by empty ones is read line by line', async () => {
    server.answer(
      streams([Buffer.from(`data: ${JSON.stringify(delta('a'))}\ndata: ${JSON.stringify(delta('b', 'stop'))}\ndata: [DONE]\n`)]),
    );
    expect((await assemble(provider(server).answer(ask, never))).text).to.equal('ab');
  });

  it('with tool calls that cannot be told apart executes nothing', async () => {
    const call = (...calls: unknown[]): unknown => ({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] });
    const fn = (name: string | undefined, args: string): unknown => ({ ...(name && { name }), arguments: args });
    const ambiguous: unknown[][] = [
      [call({ function: fn(undefined, '{"a"') }, { function: fn(undefined, ':1}') })],
      [call({ index: 0, id: 'a', function: fn('f', '{"a":') }), call({ index: 0, id: 'b', function: fn('g', '1}') })],
      [call({ index: 0, id: 'a', function: fn('f', '') }), call({ index: 0, id: 'b', function: fn('f', '{}') })],
      [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":1' } }), call({ index: 0, function: { arguments: { a: 1 } } })],
    ];
    for (const chunks of ambiguous) {
      server.answer(streams(sse(...chunks, delta('', 'tool_calls'), '[DONE]')));
      expect((await failure(server)).transient).to.equal(true);
    }
  });

  it('with arguments for a call that was never opened leaves it without a name, so that nobody can run it', async () => {
    server.answer(
      streams(
        sse(
          { choices: [{ index: 0, delta: { tool_calls: [{ index: 3, function: { arguments: '{"a":1}' } }] } }] },
          delta('', 'tool_calls'),
        ),
      ),
    );
    expect((await assemble(provider(server).answer(ask, never))).calls).to.deep.equal([{ name: '', args: '{"a":1}' }]);
  });
});
