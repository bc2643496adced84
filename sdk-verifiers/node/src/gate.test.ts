import { expect } from 'chai';
import { gate, MemoryReplayStore, REFUSALS, replayGuard, signToolCall, type GateRequest, type ReplayGuard } from './index.js';

const SECRET = 'bailing-test-secret';
const now = 1_718_000_000;

function request(more: Partial<GateRequest> = {}): GateRequest {
  const { method = 'POST', target = '/orders/refund', body = '{"amount":300}' } = more;
  const signature = signToolCall(SECRET, { ts: now, method, pathWithQuery: target, body, onBehalfOf: '179:1', jobId: 'job-1' });
  const headers = {
    'X-Bailing-Timestamp': String(now),
    'X-Bailing-Signature': signature,
    'X-Bailing-Job-Id': 'job-1',
    'X-Bailing-On-Behalf-Of': '179:1',
    'X-Bailing-Idempotency-Key': 'a'.repeat(64),
  };
  return { method, target, body, headers, tool: 'refund', now, ...more };
}

describe('the gate', () => {
  it('tells the handler who acts, in which job, with what, under which key', async () => {
    const result = await gate(SECRET, () => true, request());
    expect(result).to.deep.include({ ok: true, code: 200, error: null, message: '', operator: '179:1', jobId: 'job-1', tool: 'refund' });
    expect({ ...result.params }).to.deep.equal({ amount: 300 });
    expect(result.idempotencyKey).to.equal('a'.repeat(64));
    expect(result.contentHash).to.match(/^[0-9a-f]{64}$/);
  });

  it('waits for an async authorize, and refuses when it rejects', async () => {
    expect((await gate(SECRET, () => Promise.resolve(true), request())).code).to.equal(200);
    expect((await gate(SECRET, () => Promise.resolve(false), request())).error).to.equal('not_authorized');
    expect((await gate(SECRET, () => Promise.reject(new Error('no database')), request())).error).to.equal('authorize_failed');
  });

  it('does not ask authorize before the signature is right', async () => {
    let asked = 0;
    const count = (): boolean => (asked += 1) > 0;
    await gate('other', count, request());
    await gate(SECRET, count, request({ now: now + 300 }));
    expect(asked).to.equal(0);
  });

  it('says with every refusal what happened and what to do, and nothing secret', async () => {
    for (const { code, message } of Object.values(REFUSALS)) {
      expect(code).to.be.oneOf([401, 403]);
      expect(message).to.match(/^[A-Z].{40,}\.$/);
    }
    const refused = await gate('other', () => true, request());
    expect(JSON.stringify(refused))
      .not.to.include(SECRET)
      .and.not.to.match(/sha256=/);
    expect(refused).to.deep.include({ operator: '', jobId: '', contentHash: '' });
  });

  it('is no way to a prototype', async () => {
    const body = '{"__proto__":{"admin":true},"constructor":1}';
    const { params } = await gate(SECRET, () => true, request({ body }));
    expect(Object.keys(params)).to.deep.equal(['__proto__', 'constructor']);
    expect(params['admin']).to.equal(undefined);
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
  });

  it('binds the content to method, target, body, subject and job, but not to the time', async () => {
    const hash = async (more: Partial<GateRequest>) => (await gate(SECRET, () => true, request(more))).contentHash;
    expect(await hash({})).to.equal(await hash({ now: now + 5 }));
    expect(await hash({})).not.to.equal(await hash({ body: '{"amount":301}' }));
    expect(await hash({})).not.to.equal(await hash({ target: '/orders/refund?x=1' }));
  });
});

describe('the replay guard', () => {
  const replay = (): ReplayGuard => replayGuard({ clock: () => now * 1000 });

  it('refuses the same signed write twice, and lets equal reads pass', async () => {
    const guard = replay();
    expect((await gate(SECRET, () => true, request({ replay: guard }))).code).to.equal(200);
    expect(await gate(SECRET, () => true, request({ replay: guard }))).to.deep.include({ code: 401, error: 'replayed' });
    const read = { method: 'GET', body: '', replay: guard };
    expect((await gate(SECRET, () => true, request(read))).code).to.equal(200);
    expect((await gate(SECRET, () => true, request(read))).code).to.equal(200);
  });

  it('remembers only what was let in', async () => {
    const guard = replay();
    expect((await gate(SECRET, () => false, request({ replay: guard }))).error).to.equal('not_authorized');
    expect((await gate(SECRET, () => true, request({ replay: guard }))).code).to.equal(200);
  });

  it('refuses when its store cannot be asked', async () => {
    const broken: ReplayGuard = { firstTime: () => Promise.reject(new Error('down')) };
    expect(await gate(SECRET, () => true, request({ replay: broken }))).to.deep.include({ code: 403, error: 'replay_guard_failed' });
    const vague = { firstTime: () => 'yes' } as unknown as ReplayGuard;
    expect((await gate(SECRET, () => true, request({ replay: vague }))).error).to.equal('replayed');
  });

  it('forgets after twice the window, and refuses rather than forget when full', () => {
    let clock = 0;
    const store = new MemoryReplayStore({ limit: 2, clock: () => clock });
    const guard = replayGuard({ store, clock: () => clock });
    expect(guard.firstTime('a', 'j')).to.equal(true);
    clock = 599_999;
    expect(guard.firstTime('a', 'j')).to.equal(false);
    expect(guard.firstTime('a', 'other job')).to.equal(true);
    expect(() => guard.firstTime('b', 'j')).to.throw(/full/);
    clock = 600_000;
    expect(guard.firstTime('a', 'j')).to.equal(true);
  });
});
