import { channelWebhookPlugin } from '@bailing/channel-webhook';
import { channelWecomPlugin } from '@bailing/channel-wecom';
import { createHostRules, createHttp } from '@bailing/outbound';
import { points, type ChannelKind, type Plugin, type Records } from '@bailing/plugin-api';
import { memoryLog } from '@bailing/plugin-kit';
import { expect } from 'chai';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PAGER_PLUGIN, PAGER_TOKEN } from '../support/pager.js';
import { CORP } from '../support/wecom-server.js';

const MESSAGE = { recipients: ['u1', 'u2'], text: 'Hi', images: [], files: [] };
const KINDS = ['webhook', 'wecom', 'pager'] as const;

/** Bytes that answer a message, what is done after them, and what each channel makes of it. */
interface Answer {
  readonly title: string;
  readonly says?: string;
  /** The connection stays open and brings a byte now and then. */
  readonly drips?: true;
  readonly ends: readonly [webhook: string, wecom: string, pager: string];
}

function http(status: number, body = '', headers = ''): string {
  return `HTTP/1.1 ${String(status)} X\r\nconnection: close\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n${headers}\r\n${body}`;
}
const json = (status: number, value: unknown): string => http(status, JSON.stringify(value), 'content-type: application/json\r\n');

const ANSWERS: readonly Answer[] = [
  { title: '200 without a body', says: http(200), ends: ['accepted', 'unknown', 'unknown'] },
  { title: '200 with plain words', says: http(200, 'OK'), ends: ['accepted', 'unknown', 'unknown'] },
  { title: '202 with an object', says: json(202, {}), ends: ['accepted', 'unknown', 'accepted'] },
  { title: 'errcode 0', says: json(200, { errcode: 0 }), ends: ['accepted', 'accepted', 'unknown'] },
  { title: 'errcode as text', says: json(200, { errcode: '0' }), ends: ['accepted', 'unknown', 'unknown'] },
  { title: 'errcode null', says: json(200, { errcode: null }), ends: ['accepted', 'unknown', 'unknown'] },
  { title: 'an errcode that is no whole number', says: json(200, { errcode: 0.5 }), ends: ['accepted', 'unknown', 'unknown'] },
  { title: 'refused users as a list', says: json(200, { errcode: 0, invaliduser: ['u1'] }), ends: ['accepted', 'unknown', 'unknown'] },
  { title: 'refused as text', says: json(200, { refused: 'u1' }), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '200 with an error in it', says: json(200, { ok: false, errcode: 60020 }), ends: ['unknown', 'refused', 'unknown'] },
  { title: 'a web page', says: http(200, '<html>Sign in</html>', 'content-type: text/html\r\n'), ends: ['unknown', 'unknown', 'unknown'] },
  { title: 'JSON that is cut', says: http(200, '{"errcode":0'), ends: ['unknown', 'unknown', 'unknown'] },
  { title: 'a huge body', says: http(200, `{"errcode":0,"x":"${'x'.repeat(1_048_576)}"}`), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '302', says: http(302, '', 'location: /elsewhere\r\n'), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '303', says: http(303, '', 'location: /thanks\r\n'), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '307', says: http(307, '', 'location: /elsewhere\r\n'), ends: ['refused', 'unknown', 'unknown'] },
  { title: '400', says: http(400), ends: ['refused', 'unknown', 'refused'] },
  { title: '408', says: http(408), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '429', says: http(429), ends: ['later', 'unknown', 'later'] },
  { title: '500', says: http(500), ends: ['unknown', 'unknown', 'unknown'] },
  { title: '503', says: http(503), ends: ['later', 'unknown', 'later'] },
  { title: 'nothing, and a closed connection', ends: ['unknown', 'unknown', 'unknown'] },
  { title: 'half a status line', says: 'HTTP/1.1 20', ends: ['unknown', 'unknown', 'unknown'] },
  {
    title: 'a body that stops in the middle',
    says: http(200, '{"errcode":0}').replace('13', '99'),
    ends: ['unknown', 'unknown', 'unknown'],
  },
  { title: 'what is no HTTP', says: 'SSH-2.0-OpenSSH_9.2\r\n', ends: ['unknown', 'unknown', 'unknown'] },
  {
    title: 'a body that never ends',
    says: 'HTTP/1.1 200 X\r\nconnection: close\r\n\r\n{',
    drips: true,
    ends: ['unknown', 'unknown', 'unknown'],
  },
  { title: 'a head that never ends', says: 'HTTP/1.1 200 X\r\nx-a: ', drips: true, ends: ['unknown', 'unknown', 'unknown'] },
];

const GOOD_TOKEN = { errcode: 0, access_token: 't', expires_in: 7_200 };
/** What is no answer to a step that comes before the message. */
const NONE: readonly string[] = [
  '',
  'HTTP/1.1 20',
  http(200),
  http(200, 'OK'),
  http(200, '<html>'),
  http(200, '{"errcode":0'),
  http(302, '', 'location: /elsewhere\r\n'),
  http(500),
  json(200, null),
  json(200, [0]),
  json(200, {}),
  json(200, { errcode: 0 }),
  json(200, { errcode: '0', access_token: 't', media_id: 'm' }),
  json(200, { errcode: 0, access_token: 7, media_id: 7 }),
  json(200, { errcode: 0, access_token: '', media_id: '' }),
  json(200, { errcode: 40_001 }),
];

/** Takes requests whole, hands out tokens, and answers messages with what is set. */
async function startOdd() {
  const state = {
    answer: {} as Pick<Answer, 'says' | 'drips'>,
    messages: 0,
    token: json(200, GOOD_TOKEN),
    upload: json(200, { errcode: 0, media_id: 'm' }),
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let heard = '';
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (part: Buffer) => {
      heard += part.toString('latin1');
      const [head = ''] = heard.split('\r\n\r\n');
      const body = heard.slice(head.length + 4);
      if (head === heard || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      heard = '';
      if (head.includes('/gettoken')) return void socket.end(state.token);
      if (head.includes('/media/upload')) return void socket.end(state.upload);
      state.messages++;
      const { says = '', drips } = state.answer;
      if (!drips) return void socket.end(says);
      socket.write(says);
      const drip = setInterval(() => socket.write('x'), 30);
      socket.on('close', () => clearInterval(drip));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    for (const one of sockets) one.destroy();
    server.close();
  };
  return { state, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}

function memoryRecords(): Records {
  const rows = new Map<string, string>();
  return {
    get: (k: string) => Promise.resolve(rows.has(k) ? { value: rows.get(k) ?? '', rev: 1 } : null),
    put: (k: string, value: string) => Promise.resolve((rows.set(k, value), 1)),
    drop: (k: string) => Promise.resolve(void rows.delete(k)),
  } as unknown as Records;
}

describe('what a channel says of an answer that is none', function () {
  this.timeout(20_000);
  const service = createHttp({ hosts: createHostRules({ allowPrivateHosts: ['127.0.0.1'] }) });
  let odd: Awaited<ReturnType<typeof startOdd>>;
  const kinds = new Map<string, ChannelKind>();
  before(async () => {
    odd = await startOdd();
    const pager = ((await import(pathToFileURL(path.join(PAGER_PLUGIN, 'index.mjs')).href)) as { default: Plugin }).default;
    const services = { http: service, records: memoryRecords(), clock: { now: () => Date.now() } };
    for (const plugin of [channelWebhookPlugin, channelWecomPlugin, pager] as readonly Plugin[]) {
      const found = plugin.contributions.find(({ point }) => point.id === points.channel.id);
      if (found) kinds.set(found.name, found.make({ config: {}, services, own: undefined, log: memoryLog() }) as ChannelKind);
    }
  });
  after(async () => {
    odd.close();
    await service.close();
  });

  const configs = () => ({
    webhook: { url: `${odd.url}/in`, secret: 'a-secret-of-this-channel', timeout_ms: 5_000 },
    wecom: { ...CORP, base_url: `${odd.url}/cgi-bin` },
    pager: { url: `${odd.url}/pages`, token: PAGER_TOKEN, page_chars: 120 },
  });

  /** One message through one channel: its end, and how often it was sent. */
  async function send(kind: (typeof KINDS)[number]): Promise<string> {
    odd.state.messages = 0;
    const channel = kinds.get(kind)?.open({ name: kind, kind, config: configs()[kind] });
    const signal = odd.state.answer.drips ? AbortSignal.timeout(300) : new AbortController().signal;
    const context = { job: 'j', key: 'k'.repeat(64), at: 0, sendBy: Infinity, signal };
    const [part] = (await channel?.prepare(MESSAGE, context)) ?? [];
    const sent = part && (await channel?.deliver(part, context).catch(() => ({ is: 'unknown' as const, why: '' })));
    const end = sent?.is === 'refused' && sent.later ? 'later' : sent?.is;
    return `${String(end)} ${String(odd.state.messages)}`;
  }

  for (const answer of ANSWERS) {
    it(`${answer.title}: ${KINDS.map((kind, n) => `${kind} ${answer.ends[n] ?? ''}`).join(', ')}, sent once`, async () => {
      odd.state.answer = answer;
      const ends = [];
      for (const kind of KINDS) ends.push(await send(kind));
      expect(ends).to.deep.equal(answer.ends.map((end) => `${end} 1`));
    });
  }

  it('sends nothing where WeCom gives no token, or takes no file, in whatever words', async () => {
    const file = { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('x') };
    const context = { job: 'j', key: 'k'.repeat(64), at: 0, sendBy: Infinity, signal: new AbortController().signal };
    const attempt = async (corpid: string): Promise<string> => {
      const config = { ...configs().wecom, corpid };
      const channel = kinds.get('wecom')?.open({ name: 'wecom', kind: 'wecom', config });
      const error: unknown = await channel?.prepare({ ...MESSAGE, files: [file] }, context).catch((failed: unknown) => failed);
      return error instanceof Error ? `${error.name} ${error.message}` : 'prepared';
    };
    odd.state.messages = 0;
    const [token, upload] = [odd.state.token, odd.state.upload];
    for (const [n, says] of NONE.entries()) {
      Object.assign(odd.state, { token: says, upload });
      expect(await attempt(`no-token-${String(n)}`), says).to.match(/^ChannelFailure .*token/);
      Object.assign(odd.state, { token, upload: says });
      expect(await attempt(`no-file-${String(n)}`), says).to.match(/^ChannelFailure a\.txt could not be uploaded/);
    }
    Object.assign(odd.state, { token, upload });
    expect(await attempt('whole')).to.equal('prepared');
    expect(odd.state.messages).to.equal(0);
  });
});
