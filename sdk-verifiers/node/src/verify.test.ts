import { expect } from 'chai';
import {
  authzProbeResponse,
  callbackFailureReason,
  failureReason,
  RawBodyRequired,
  signCallback,
  signDecision,
  signTicket,
  signToolCall,
  SpecServer,
  verifyCallback,
  verifyDecision,
  verifyTicket,
  verifyToolCall,
  type SignedToolCall,
} from './index.js';

const SECRET = 'bailing-test-secret';
const now = 1_718_000_000;
const call = {
  method: 'POST',
  pathWithQuery: '/goods/create',
  body: '{"title":"test","price":9.9}',
  onBehalfOf: '179:1',
  jobId: 'job-test-001',
};
const signature = 'sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5';

describe('verifying a tool call', () => {
  it('gives the published signature, from text, number and bytes alike', () => {
    expect(signToolCall(SECRET, { ts: now, ...call })).to.equal(signature);
    const bytes = { ...call, pathWithQuery: Buffer.from(call.pathWithQuery), body: new TextEncoder().encode(call.body) };
    expect(signToolCall(SECRET, { ts: String(now), ...bytes })).to.equal(signature);
    expect(verifyToolCall(SECRET, { ...bytes, timestamp: now, signature, now })).to.equal(true);
  });

  it('uses the clock in seconds when none is given', () => {
    const ts = Math.floor(Date.now() / 1000);
    const timed = (at: number): SignedToolCall => ({
      ...call,
      timestamp: String(at),
      signature: signToolCall(SECRET, { ts: at, ...call }),
    });
    expect(failureReason(SECRET, timed(ts))).to.equal(null);
    expect(failureReason(SECRET, timed(ts - 310))).to.equal('timestamp_out_of_window');
    expect(failureReason(SECRET, timed(ts * 1000))).to.equal('timestamp_out_of_window');
  });

  it('answers a reason to header values of any type, and never throws for them', () => {
    const odd = [undefined, null, '', [], ['a', 'b'], {}, NaN, 1.5, true, Symbol('x'), () => 1, '\ud800', Buffer.alloc(0), new Date(), 10n];
    for (const value of odd as never[]) {
      expect(failureReason(SECRET, { ...call, timestamp: value, signature, now }), 'timestamp').to.equal('timestamp_out_of_window');
      expect(failureReason(SECRET, { ...call, timestamp: now, signature: value, now }), 'signature').to.equal('bad_signature');
      for (const name of ['method', 'pathWithQuery', 'onBehalfOf', 'jobId']) {
        expect(failureReason(SECRET, { ...call, [name]: value, timestamp: now, signature, now }), name).to.equal('bad_signature');
      }
      expect(failureReason(value, { ...call, timestamp: now, signature, now }), 'secret').to.equal('bad_signature');
    }
  });

  it('throws a sentence, and nothing secret, when it is handed a parsed body', () => {
    for (const body of [{ title: 'test' }, [1], 5, true] as never[]) {
      expect(() => failureReason(SECRET, { ...call, body, timestamp: now, signature, now })).to.throw(RawBodyRequired, /raw bytes/);
    }
  });

  it('does not sign with an empty secret', () => {
    expect(() => signToolCall('', { ts: now, ...call })).to.throw(TypeError, /secret/);
    expect(() => signCallback('', { timestamp: 1, rawBody: '' })).to.throw(TypeError, /secret/);
  });
});

describe('verifying callbacks and decisions', () => {
  it('uses the clock in milliseconds when none is given', () => {
    const timestamp = Date.now();
    const timed = (at: number) => ({
      rawBody: '{}',
      timestamp: String(at),
      signature: signCallback(SECRET, { timestamp: at, rawBody: '{}' }),
    });
    expect(verifyCallback(SECRET, timed(timestamp))).to.equal(true);
    expect(callbackFailureReason(SECRET, timed(timestamp - 300_001))).to.equal('timestamp_out_of_window');
    expect(callbackFailureReason(SECRET, timed(Math.floor(timestamp / 1000)))).to.equal('timestamp_out_of_window');
  });

  it('sends a decision whose headers verify its body', () => {
    const argsHash = 'a'.repeat(64);
    const signed = signDecision(SECRET, {
      approvalId: 7,
      jobId: 'j',
      requestId: 'r',
      argsHash,
      decisionId: 'oa:1',
      decision: 'denied',
      approver: 'u2',
    });
    const headers = { timestamp: signed.headers['x-bailing-timestamp'], signature: signed.headers['x-bailing-signature'] };
    expect(verifyDecision(SECRET, { rawBody: signed.body, ...headers })).to.equal(true);
    expect(verifyDecision(SECRET, { rawBody: signed.body.replace('denied', 'approved'), ...headers })).to.equal(false);
  });
});

describe('chat tickets', () => {
  it('live two hours unless stated otherwise', () => {
    const ticket = signTicket('token', 'tenant:user');
    const checked = verifyTicket('token', ticket);
    expect(checked).to.deep.include({ ok: true, uid: 'tenant:user' });
    expect(verifyTicket('token', ticket, { now: Date.now() + 7_202_000 })).to.deep.equal({ ok: false, reason: 'ticket_expired' });
    expect(verifyTicket('token', signTicket('token', 42, { ttlSeconds: 5 }), { now: Date.now() + 7000 }).ok).to.equal(false);
    expect(signTicket('token', 'u', { expiresAt: 1 })).to.equal(signTicket('token', ' u ', { expiresAt: 1, ttlSeconds: 9 }));
  });

  it('are refused, not thrown at, whatever comes', () => {
    for (const odd of [undefined, null, 5, {}, [], Buffer.from('v1'), Symbol('x')])
      expect(verifyTicket('token', odd)).to.deep.equal({ ok: false, reason: 'bad_ticket' });
  });
});

describe('the spec server', () => {
  const request = (method: string, ts = Math.floor(Date.now() / 1000)) => {
    const target = '/bailing/tools.json';
    const headers = {
      'x-bailing-timestamp': String(ts),
      'x-bailing-signature': signToolCall(SECRET, { ts, method, pathWithQuery: target }),
    };
    return { method, target, headers };
  };

  it('serves the document to a signed fetch and lets nobody keep it', async () => {
    const answer = await SpecServer.handle(SECRET, request('GET'), { openapi: '3.0.0' });
    expect(answer).to.deep.equal({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' },
      body: '{"openapi":"3.0.0"}',
    });
  });

  it('is public only by name or by null, never by a secret that is not set', async () => {
    const anonymous = { method: 'GET', target: '/x', headers: [] };
    expect((await SpecServer.handlePublic(anonymous, {})).status).to.equal(200);
    expect((await SpecServer.handle(null, anonymous, {})).status).to.equal(200);
    for (const unset of ['', undefined] as never[]) expect((await SpecServer.handle(unset, anonymous, {})).status).to.equal(401);
  });

  it('answers 500 without a word of the cause when the document cannot be built', async () => {
    const answer = await SpecServer.handle(SECRET, request('GET'), () => Promise.reject(new Error('password=hunter2')));
    expect(answer.status).to.equal(500);
    expect(answer.body).not.to.include('hunter2');
  });

  it('answers the probe beside it, with an async authorize too', async () => {
    const signed = { ...request('POST'), body: '' };
    expect((await SpecServer.authzProbe(SECRET, signed, () => Promise.resolve(false))).body).to.equal('{"authorized":false}');
    expect((await SpecServer.authzProbe(SECRET, signed, () => Promise.reject(new Error('x')))).body).to.equal('{"authorized":false}');
    expect((await SpecServer.authzProbe(SECRET, signed, () => Promise.resolve(true))).body).to.equal('{"authorized":true}');
  });

  it('answers a probe at once when authorize does', () => {
    const ts = Math.floor(Date.now() / 1000);
    const probe = { method: 'POST', pathWithQuery: '/p', body: '', onBehalfOf: 'nobody', jobId: 'probe' };
    const signed = { ...probe, timestamp: ts, signature: signToolCall(SECRET, { ts, ...probe }) };
    expect(authzProbeResponse(SECRET, signed, (subject) => subject === 'nobody')).to.deep.equal({
      status: 200,
      body: { authorized: true },
    });
    const refused = authzProbeResponse(SECRET, { ...signed, jobId: 'other' }, () => true);
    expect(refused).to.deep.equal({ status: 401, body: { authorized: false, error: 'bad signature', reason: 'bad_signature' } });
  });
});
