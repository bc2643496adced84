import { readdirSync } from 'node:fs';
import { ModelFailure } from '@bailing/plugin-api';
import { expect } from 'chai';
import { AnswerReader } from './answer.js';
import { scrubber } from './failure.js';
import type { SseEvent } from './sse.js';
import { SseReader } from './sse.js';
import type { Assembled } from './test-support/assemble.js';
import { assemble, joined } from './test-support/assemble.js';
import { ModelServer, provider, streams } from './test-support/server.js';
import { expected, shape } from './test-support/shapes.js';

const ASK = { messages: [{ role: 'user' as const, content: 'go' }], tools: [] };

/** The reading half alone, over bytes in the given pieces. */
function read(...pieces: Uint8Array[]): Assembled {
  const reader = new AnswerReader(scrubber([]));
  return joined([...pieces.flatMap((piece) => (reader.done ? [] : reader.push(piece))), ...reader.end()]);
}

function events(...pieces: Uint8Array[]): SseEvent[] {
  const reader = new SseReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

describe('the streams of real providers', () => {
  let server: ModelServer;
  before(async () => (server = await new ModelServer().start()));
  after(() => server.stop());

  it('have a file each and an expectation each', () => {
    const files = readdirSync(new URL('../shapes/', import.meta.url)).map((file) => file.replace('.sse', ''));
    expect(files.sort()).to.deep.equal(Object.keys(expected).sort());
    expect(files.length).to.be.at.least(8);
  });

  for (const [name, whole] of Object.entries(expected)) {
    it(`${name}: arrives byte by byte through the SDK over HTTP and is the same`, async () => {
      const bytes = shape(name);
      server.answer(streams([...bytes].map((byte) => Uint8Array.of(byte))));
      expect(await assemble(provider(server).answer(ASK, new AbortController().signal))).to.deep.equal(whole);
    });

    it(`${name}: is the same cut in two at every byte`, () => {
      const bytes = shape(name);
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(read(bytes.subarray(0, cut), bytes.subarray(cut)), `cut at ${String(cut)}`).to.deep.equal(whole);
      }
    });

    it(`${name}: broken off at any byte it is either whole or a failure worth another try, never a part`, () => {
      const bytes = shape(name);
      let failures = 0;
      for (let cut = 0; cut < bytes.length; cut++) {
        try {
          const { usage: _usage, ...part } = read(bytes.subarray(0, cut));
          const { usage: _all, ...all } = whole;
          expect(part, `broken off at ${String(cut)}`).to.deep.equal(all);
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          expect(error.transient).to.equal(true);
          failures++;
        }
      }
      expect(failures).to.be.greaterThan(bytes.length / 2);
    });
  }

  for (const name of ['openai', 'qwen', 'openrouter', 'minimax']) {
    it(`${name}: its events are the same cut at every byte, with lines ending in CRLF or CR`, () => {
      const plain = JSON.stringify(events(shape(name)));
      for (const bytes of [shape(name, '\r\n'), shape(name, '\r')]) {
        for (let cut = 0; cut <= bytes.length; cut++) {
          if (JSON.stringify(events(bytes.subarray(0, cut), bytes.subarray(cut))) !== plain) expect.fail(`cut at ${String(cut)}`);
        }
      }
    });
  }

  it('a connection destroyed before the finish_reason is a transient failure, after it the answer stands', async () => {
    const bytes = shape('openai');
    const finish = bytes.indexOf('"finish_reason":"tool_calls"}]}\n\n') + '"finish_reason":"tool_calls"}]}\n\n'.length;
    server.answer(streams([bytes.subarray(0, finish - 40)], { then: 'destroy' }));
    const failure = await assemble(provider(server).answer(ASK, new AbortController().signal)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ModelFailure);
    expect((failure as ModelFailure).transient).to.equal(true);
    server.answer(streams([bytes.subarray(0, finish)], { then: 'destroy' }));
    const { calls, end } = await assemble(provider(server).answer(ASK, new AbortController().signal));
    expect({ calls, end }).to.deep.equal({ calls: expected.openai?.calls, end: 'tool_calls' });
  });
});
