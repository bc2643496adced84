import { expect } from 'chai';
import { assemble } from './test-support/assemble.js';
import { ask, delta, failure, hello, never, sse } from './test-support/asks.js';
import { ModelServer, provider, says, SSE, streams } from './test-support/server.js';

describe('time and size are bounded', () => {
  let server: ModelServer;
  before(async () => (server = await new ModelServer().start()));
  after(() => server.stop());

  it('a stream that falls silent is given up after the idle limit, though it never ends', async () => {
    server.answer(streams(sse(delta('half')), { then: 'hang' }));
    const at = Date.now();
    const silent = await failure(server, { options: { idleMs: 100 } });
    expect(silent.transient).to.equal(true);
    expect(silent.message).to.include('silent');
    expect(Date.now() - at).to.be.lessThan(1_500);
  });

  it('comments keep a slow stream alive', async () => {
    const slow = async function* (): AsyncGenerator<Uint8Array> {
      for (let beat = 0; beat < 5; beat++) {
        yield Buffer.from(': keep-alive\n\n');
        await new Promise((next) => setTimeout(next, 60));
      }
      yield* sse(delta('done', 'stop'), '[DONE]');
    };
    server.answer(async (response) => {
      response.writeHead(200, SSE);
      for await (const piece of slow()) response.write(piece);
      response.end();
    });
    expect((await assemble(provider(server, { options: { idleMs: 150 } }).answer(ask, never))).text).to.equal('done');
  });

  it('a whole answer that takes too long is given up, before its headers as in the middle', async () => {
    server.answer(() => undefined);
    expect((await failure(server, { row: { timeout_ms: 100 } })).message).to.include('100 ms');
    server.answer(async (response) => {
      response.writeHead(200, SSE);
      for (let beat = 0; beat < 40 && !response.destroyed; beat++) {
        response.write(': still here\n\n');
        await new Promise((next) => setTimeout(next, 20));
      }
    });
    const late = await failure(server, { row: { timeout_ms: 150 } });
    expect([late.transient, late.message.includes('150 ms')]).to.deep.equal([true, true]);
  });

  it('after the finish_reason nobody waits long for a [DONE] that never comes', async () => {
    server.answer(streams(sse(delta('all', 'stop')), { then: 'hang' }));
    expect((await assemble(provider(server, { options: { idleMs: 100 } }).answer(ask, never))).text).to.equal('all');
  });

  it('the hub may stop at any time, also before it begins, and the connection is closed', async () => {
    let closed = false;
    server.answer((response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, SSE).write(sse(delta('half'))[0]);
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect((await failure(server, {}, ask, stop.signal)).message).to.include('stopped by the hub');
    await new Promise((next) => setTimeout(next, 50));
    expect(closed).to.equal(true);
    server.answer(says(200, hello));
    expect((await failure(server, {}, ask, stop.signal)).message).to.include('stopped by the hub');
    expect(server.asked).to.deep.equal([]);
  });

  it('a reader that leaves early closes the connection', async () => {
    let closed = false;
    server.answer((response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, SSE).write(sse(delta('half'))[0]);
    });
    for await (const piece of provider(server).answer(ask, never)) if (piece.is === 'text') break;
    await new Promise((next) => setTimeout(next, 50));
    expect(closed).to.equal(true);
  });

  it('one endless event, an endless answer and an endless error body are cut', async () => {
    const endless = (headers: Record<string, string>, status: number, piece: Buffer) => {
      server.answer(async (response) => {
        response.writeHead(status, headers);
        while (!response.destroyed) if (!response.write(piece)) await new Promise((next) => setTimeout(next, 1));
      });
    };
    endless(SSE, 200, Buffer.alloc(262_144, 'x'));
    expect((await failure(server)).message).to.include('too large');
    endless({ 'content-type': 'application/json' }, 200, Buffer.alloc(262_144, '{'));
    expect((await failure(server)).message).to.include('larger than');
    endless({ 'content-type': 'text/plain' }, 400, Buffer.alloc(65_536, 'no '));
    const refused = await failure(server);
    expect([refused.status, refused.message.length < 400]).to.deep.equal([400, true]);
  });
});
