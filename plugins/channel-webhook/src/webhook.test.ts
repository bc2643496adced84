import { bodyFailure } from '@bailing/contract';
import { BailingError, type ChannelContext, type HttpRequest } from '@bailing/plugin-api';
import { expect } from 'chai';
import { openWebhook, sentBy } from './webhook.js';

const CONTEXT: ChannelContext = { job: 'j1', key: 'k'.repeat(64), at: 1_000, sendBy: 9_000, signal: new AbortController().signal };
const MESSAGE = {
  recipients: ['u1', 'u2'],
  text: 'Hi',
  images: [],
  files: [{ name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('x') }],
};
const SECRET = 'a-secret-of-this-channel';

function webhook(answer: () => Promise<{ status: number; body?: string }>) {
  const requests: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest) => {
      requests.push(request);
      const { status, body = '' } = await answer();
      return { status, headers: {}, body: Buffer.from(body) };
    },
  };
  const config = { url: 'https://receiver.example/in', secret: SECRET, timeout_ms: 500 };
  return { requests, channel: openWebhook({ name: 'ops', kind: 'webhook', config }, http, { now: () => 5_000 }) };
}

async function sent(answer: () => Promise<{ status: number; body?: string }>) {
  const { channel, requests } = webhook(answer);
  const [part] = await channel.prepare(MESSAGE, CONTEXT);
  return { requests, ended: part && (await channel.deliver(part, CONTEXT)) };
}

describe('channel-webhook', () => {
  it('posts one whole message, signed with the secret of the channel, under a key that never changes', async () => {
    const { requests, ended } = await sent(() => Promise.resolve({ status: 200 }));
    expect(ended).to.deep.equal({ is: 'accepted', refused: [] });
    expect(requests).to.have.length(1);
    const { body = '', headers = {} } = requests[0] ?? { url: '' };
    expect(bodyFailure(SECRET, headers['X-Bailing-Timestamp'] ?? '', body, headers['X-Bailing-Signature'] ?? '', 5_000)).to.equal(null);
    expect(headers['X-Bailing-Idempotency-Key']).to.equal(CONTEXT.key);
    const told = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
    expect(told).to.include({ kind: 'message', message_id: CONTEXT.key, job_id: 'j1', channel: 'ops', text: 'Hi' });
    expect(told.files).to.deep.equal([{ name: 'a.txt', content_type: 'text/plain', bytes: 1, base64: 'eA==' }]);
  });

  it('composes and signs large files in steps, so that the hub does other things meanwhile', async () => {
    let turns = 0;
    let over = false;
    const turn = (): void => void (turns++, over || setImmediate(turn));
    setImmediate(turn);
    const { channel, requests } = webhook(() => Promise.resolve({ status: 200 }));
    const large = { ...MESSAGE, files: [{ name: 'a', contentType: 'x/y', bytes: Buffer.alloc(8 * 1_048_576, 'abc') }] };
    const [part] = await channel.prepare(large, CONTEXT);
    if (part) await channel.deliver(part, CONTEXT);
    over = true;
    expect(turns).to.be.above(60);
    const { body = '', headers = {} } = requests[0] ?? { url: '' };
    expect(bodyFailure(SECRET, headers['X-Bailing-Timestamp'] ?? '', body, headers['X-Bailing-Signature'] ?? '', 5_000)).to.equal(null);
    const { files } = JSON.parse(Buffer.from(body).toString()) as { files: { base64: string }[] };
    expect(Buffer.from(files[0]?.base64 ?? '', 'base64').equals(large.files[0]?.bytes ?? Buffer.alloc(0))).to.equal(true);
  });

  it('tells a no, a not-now and an answer that says nothing apart', () => {
    const is = [200, 204, 400, 404, 429, 503, 408, 500, 502, 504, 302, 303, 304, 409, 301, 307].map((status) => {
      const end = sentBy({ status, body: Buffer.alloc(0) });
      return end.is === 'refused' && end.later ? 'later' : end.is;
    });
    const no = 'refused';
    expect(is).to.deep.equal([
      'accepted',
      'accepted',
      no,
      no,
      'later',
      'later',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      ...Array<string>(4).fill('unknown'),
      no,
      no,
    ]);
  });

  it('names the recipients that the receiver did not take', () => {
    expect(sentBy({ status: 202, body: Buffer.from('{"refused":["u2"]}') })).to.deep.equal({ is: 'accepted', refused: ['u2'] });
  });

  it('takes no 2xx for success whose refused is no list of ids, that is cut, or that is a web page', () => {
    const is = (body: string, type?: string) =>
      sentBy({ status: 200, body: Buffer.from(body), headers: type === undefined ? {} : { 'content-type': type } }).is;
    for (const body of [
      '{"refused":"u2"}',
      '{"refused":["u2",7]}',
      '{"refused":{"u2":1}}',
      '{"ok":false}',
      '{"error":"no such user"}',
      '{"ok":true,"error":{"code":1}}',
      '{"refused":["u2"',
      '<!doctype html><p>Sign in',
    ])
      expect(is(body), body).to.equal('unknown');
    expect(is('Sign in', 'text/html; charset=utf-8')).to.equal('unknown');
    expect(is('["u2"', 'application/json')).to.equal('unknown');
    for (const body of [
      '{"ok":true,"error":null}',
      '{"error":false}',
      '',
      'ok',
      '{}',
      '{"refused":null}',
      '{"refused":[]}',
      'true',
      'null',
    ])
      expect(is(body), body).to.equal('accepted');
  });

  it('calls it not sent only where no connection came about', async () => {
    const ended = async (code: 'BAILING_OUTBOUND_NOT_CONNECTED' | 'BAILING_OUTBOUND_FAILED' | 'BAILING_OUTBOUND_HOST_REFUSED') =>
      (await sent(() => Promise.reject(new BailingError(code)))).ended;
    expect(await ended('BAILING_OUTBOUND_NOT_CONNECTED')).to.include({ is: 'refused', later: true });
    expect(await ended('BAILING_OUTBOUND_HOST_REFUSED')).to.include({ is: 'refused' });
    expect(await ended('BAILING_OUTBOUND_FAILED')).to.include({ is: 'unknown' });
  });
});
