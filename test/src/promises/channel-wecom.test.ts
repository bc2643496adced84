import { channelWecomPlugin } from '@bailing/channel-wecom';
import { createHostRules, createHttp } from '@bailing/outbound';
import { points, type ChannelContext, type ChannelKind, type ChannelMessage, type ChannelRow, type PartSent } from '@bailing/plugin-api';
import { conformance, memoryLog } from '@bailing/plugin-kit';
import { openStore } from '@bailing/store';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { CORP, startWecom, type WecomServer } from '../support/wecom-server.js';

const CONTEXT: ChannelContext = { job: 'j', key: 'k'.repeat(64), at: 0, sendBy: Infinity, signal: new AbortController().signal };
const message = (more: Partial<ChannelMessage> = {}): ChannelMessage => ({
  recipients: ['u1', 'u2'],
  text: 'Hi',
  images: [],
  files: [],
  ...more,
});
const file = (name: string, text = 'hello world') => ({ name, contentType: 'text/plain', bytes: Buffer.from(text) });

describe('channel-wecom, against a server that behaves as WIRE §13.3 says', function () {
  this.timeout(20_000);
  let wecom: WecomServer;
  let database: FreshDatabase;
  const stores: Awaited<ReturnType<typeof openStore>>[] = [];
  const http = createHttp({ hosts: createHostRules({ allowPrivateHosts: ['127.0.0.1'] }) });

  before(async () => {
    const [fixture] = await databases();
    if (!fixture) throw new Error('there is always SQLite');
    database = await fixture.create();
    for (const replica of ['a', 'b']) stores.push(await openStore({ url: database.url, replica, clock: { now: () => Date.now() } }));
  });
  beforeEach(async () => {
    wecom = await startWecom();
  });
  afterEach(() => wecom.close());
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
    await http.close();
  });

  /** The kind as one hub makes it; what it records, every hub sees. */
  function kindAt(hub: number): ChannelKind {
    const records = stores[hub]?.records('channel-wecom');
    const found = channelWecomPlugin.contributions.find(({ point }) => point.id === points.channel.id);
    const services = { http, records, clock: { now: () => Date.now() } };
    return found?.make({ config: {}, services, own: undefined, log: memoryLog() }) as ChannelKind;
  }
  const row = (more: object = {}): ChannelRow => ({ name: 'w', kind: 'wecom', config: { ...CORP, base_url: wecom.url, ...more } });

  async function send(what = message(), channel = kindAt(0).open(row())): Promise<readonly PartSent[]> {
    const sent: PartSent[] = [];
    for (const part of await channel.prepare(what, CONTEXT)) sent.push(await channel.deliver(part, CONTEXT));
    return sent;
  }

  it('sends text to all recipients at once', async () => {
    expect(await send()).to.deep.equal([{ is: 'accepted', refused: [] }]);
    expect(wecom.got).to.deep.equal([{ touser: 'u1|u2', agentid: 1_000_002, safe: 0, msgtype: 'text', text: { content: 'Hi' } }]);
  });

  it('puts media up first, then card or text, then images, then files', async () => {
    const card = { title: 'Order', url: 'https://x.example/1', description: 'It is on its way' };
    await send(message({ card, images: [file('a.png')], files: [file('b.csv', 'x,y'), file('c.txt')] }));
    expect(wecom.media.map(({ type, name, bytes }) => [type, name, bytes])).to.deep.equal([
      ['image', 'a.png', 'hello world'],
      ['file', 'b.csv', 'x,y'],
      ['file', 'c.txt', 'hello world'],
    ]);
    expect(wecom.got.map(({ msgtype, textcard, image, file: one }) => textcard ?? image ?? one ?? msgtype)).to.deep.equal([
      { title: 'Order', description: 'It is on its way', url: 'https://x.example/1', btntxt: '详情' },
      { media_id: 'media-1' },
      { media_id: 'media-2' },
      { media_id: 'media-3' },
    ]);
  });

  it('sends nothing where a file cannot go up', async () => {
    wecom.uploads.push(0, 40004);
    const failed = await send(message({ files: [file('a.txt'), file('b.exe')] })).catch((error: unknown) => error);
    expect(failed).to.include({ message: 'b.exe could not be uploaded (errcode 40004)', later: false });
    expect(wecom.got).to.deep.equal([]);
  });

  it('splits a long text by bytes, in order', async () => {
    await send(message({ text: `${'中'.repeat(600)}\n\n${'文'.repeat(600)}` }));
    expect(wecom.got.map(({ text }) => text?.content.slice(0, 7))).to.deep.equal(['（1/2）\n中', '（2/2）\n文']);
  });

  it('goes by errcode: refused, not now, some recipients, and unknown where no answer came', async () => {
    wecom.twists.push({ errcode: 60020 }, { errcode: 45009 }, { errcode: -1 }, 'hang-up');
    expect(await send()).to.deep.equal([{ is: 'refused', why: 'WeCom answered errcode 60020', later: false }]);
    expect(await send()).to.deep.equal([{ is: 'refused', why: 'WeCom answered errcode 45009', later: true }]);
    expect((await send())[0]).to.include({ is: 'refused', later: true });
    expect((await send())[0]).to.include({ is: 'unknown' });
    wecom.unknown = ['u2'];
    expect(await send()).to.deep.equal([{ is: 'accepted', refused: ['u2'] }]);
    const all = await send(message({ recipients: ['@all'] })).catch((error: unknown) => error);
    expect(String(all)).to.include('is not a WeCom user');
  });

  it('asks for one token, whoever needs it, in this hub and in another', async () => {
    wecom.tokenMs = 300;
    const [here, there] = [kindAt(0).open(row()), kindAt(1).open(row())];
    await Promise.all([send(message(), here), send(message(), here), send(message(), there), send(message(), there)]);
    expect(wecom.tokens).to.have.length(1);
    expect(wecom.got).to.have.length(4);
    const rows = await database.query("SELECT value FROM bz_plugin_records WHERE record_key LIKE 'token:%'");
    expect(rows).not.to.have.length(0);
    expect(JSON.stringify(rows)).not.to.include('token-1');
  });

  it('renews a token that was refused, once, and two hubs renew it together', async () => {
    const [here, there] = [kindAt(0).open(row()), kindAt(1).open(row())];
    await send(message(), here);
    wecom.tokens.push('made-elsewhere');
    wecom.tokenMs = 200;
    expect((await Promise.all([send(message(), here), send(message(), there)])).flat()).to.deep.equal([
      { is: 'accepted', refused: [] },
      { is: 'accepted', refused: [] },
    ]);
    expect(wecom.tokens).to.have.length(3);
    expect(wecom.got).to.have.length(3);
    wecom.twists.push({ errcode: 42001 }, { errcode: 42001 });
    expect(await send(message(), here)).to.deep.equal([{ is: 'refused', why: 'WeCom answered errcode 42001', later: true }]);
    expect(wecom.tokens).to.have.length(4);
  });

  it('says that nothing was sent where it gets no token, without the secret', async () => {
    const failed = await send(message(), kindAt(0).open(row({ secret: 'not-the-secret' }))).catch((error: unknown) => error);
    expect(failed).to.include({ name: 'ChannelFailure', message: 'WeCom gives no token (errcode 40001)', later: false });
    const nobody = await send(message(), kindAt(0).open(row({ base_url: 'http://127.0.0.1:9/cgi-bin' }))).catch((error: unknown) => error);
    expect(nobody).to.include({ name: 'ChannelFailure', later: true });
    expect(String(nobody)).not.to.include(CORP.secret);
  });

  describe('and keeps what every channel keeps', () => {
    conformance.channel(() => ({
      kind: kindAt(0),
      row: row(),
      received: () => wecom.got.length,
      message: message(),
      get silent() {
        wecom.twists.push('hang-up');
        return row();
      },
      refusing: row({ secret: 'not-the-secret' }),
    }));
  });
});
