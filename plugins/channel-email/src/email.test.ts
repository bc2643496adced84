import { BailingError, type ChannelContext, type ChannelMessage, type ChannelRow, type PartSent } from '@bailing/plugin-api';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openEmail } from './email.js';
import { endOf } from './smtp.js';
import { plainSockets, startMailServer, type MailServer } from './test-support/mail-server.js';

const CONTEXT: ChannelContext = {
  job: 'j1',
  key: 'ab'.repeat(32),
  at: Date.UTC(2026, 0, 2),
  sendBy: Infinity,
  signal: new AbortController().signal,
};
const message = (more: Partial<ChannelMessage> = {}): ChannelMessage => ({
  ...{ recipients: ['ann@example.com'], text: 'Your order is on its way.\nSee you', images: [], files: [] },
  ...more,
});
const row = (port: number, more: object = {}): ChannelRow => ({
  name: 'mail',
  kind: 'email',
  config: { host: '127.0.0.1', port, security: 'none', from: 'hub@example.com', show_recipients: false, timeout_ms: 2_000, ...more },
});

async function send(target: ChannelRow, what = message(), signal = CONTEXT.signal): Promise<readonly PartSent[]> {
  const channel = openEmail(target, plainSockets);
  const sent: PartSent[] = [];
  for (const part of await channel.prepare(what, CONTEXT)) sent.push(await channel.deliver(part, { ...CONTEXT, signal }));
  return sent;
}

/** A server that speaks these lines, one after each that it hears, and then hangs up. */
async function scripted(lines: readonly string[], afterwards: 'hang-up' | 'drip' = 'hang-up') {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    const left = [...lines];
    const drip = () => {
      const timer = setInterval(() => socket.write('2'), 30);
      socket.on('close', () => clearInterval(timer));
    };
    const say = () => (left.length > 0 ? socket.write(`${left.shift() ?? ''}\r\n`) : afterwards === 'drip' ? drip() : socket.destroy());
    socket.on('data', say).on('error', () => undefined);
    say();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close(), connections: () => connections };
}

describe('channel-email, against a real SMTP server', () => {
  let server: MailServer;
  before(async () => {
    server = await startMailServer();
  });
  beforeEach(() => (server.got.length = 0));
  after(() => server.close());

  it('sends one mail with a subject, an id that never changes and its files', async () => {
    const files = [{ name: 'größe.txt', contentType: 'text/plain; charset=utf-8', bytes: Buffer.from('hello\n') }];
    const sent = await send(row(server.port, { from_name: 'Order desk' }), message({ files }));
    expect(sent).to.deep.equal([{ is: 'accepted', refused: [] }]);
    const [mail] = server.got;
    expect(mail).to.deep.include({ from: 'hub@example.com', to: ['ann@example.com'] });
    const text = mail?.text ?? '';
    expect(text).to.include('From: Order desk <hub@example.com>').and.include('To: ann@example.com');
    expect(text).to.include('Subject: Your order is on its way.').and.include('Date: Fri, 02 Jan 2026');
    expect(text).to.include(`Message-ID: <${CONTEXT.key.slice(0, 32)}.1@example.com>`);
    expect(text).to.include('See you').and.include(Buffer.from('hello\n').toString('base64'));
  });

  it('composes and sends large files in steps, so that the hub does other things meanwhile', async () => {
    let turns = 0;
    let over = false;
    const turn = (): void => void (turns++, over || setImmediate(turn));
    setImmediate(turn);
    const bytes = Buffer.alloc(8 * 1_048_576, 'abc');
    await send(row(server.port), message({ files: [{ name: 'a.bin', contentType: 'application/octet-stream', bytes }] }));
    over = true;
    expect(turns).to.be.above(60);
    const [, encoded = ''] = /filename=a\.bin\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(server.got[0]?.text ?? '') ?? [];
    expect(Buffer.from(encoded, 'base64').equals(bytes)).to.equal(true);
  });

  it('does not show recipients to each other unless it is told to, and takes a hundred at a time', async () => {
    const recipients = Array.from({ length: 101 }, (_, n) => `u${String(n)}@example.com`);
    expect(await send(row(server.port), message({ recipients }))).to.have.length(2);
    expect(server.got.map(({ to }) => to.length)).to.deep.equal([100, 1]);
    expect(server.got[0]?.text).to.include('To: Undisclosed recipients <hub@example.com>').and.not.include('u7@example.com');
    await send(row(server.port, { show_recipients: true }), message({ recipients: recipients.slice(0, 2) }));
    expect(server.got[2]?.text).to.include('To: u0@example.com, u1@example.com');
  });

  it('names the recipients that were refused while others got it, and says no where all were', async () => {
    const [partly] = await send(row(server.port), message({ recipients: ['ann@example.com', 'bob@nowhere.example'] }));
    expect(partly).to.deep.equal({ is: 'accepted', refused: ['bob@nowhere.example'] });
    expect(server.got).to.have.length(1);
    const [nobody] = await send(row(server.port), message({ recipients: ['bob@nowhere.example'] }));
    expect(nobody).to.deep.equal({ is: 'refused', why: 'the mail server answered 550 to the sender or the recipients', later: false });
    expect(server.got).to.have.length(1);
  });

  it('puts no line of its own where a header is, whatever a message says', async () => {
    await send(row(server.port), message({ text: 'Hi\r\nBcc: eve@example.com\r\n\r\nsmuggled\r\n.\r\nQUIT' }));
    expect(server.got).to.have.length(1);
    const [head = '', body = ''] = (server.got[0]?.text ?? '').split('\r\n\r\n');
    expect(head).not.to.include('Bcc');
    expect(body).to.include('Bcc: eve@example.com');
    const wrong = await send(row(server.port), message({ recipients: ['a@example.com>\r\nDATA'] })).catch((error: unknown) => error);
    expect(String(wrong)).to.include('is not a mail address');
  });

  it('knows a server that was lost before the text from one that was lost after it', async () => {
    const early = await scripted(['220 hi', '250 hi', '250 ok', '250 ok']);
    expect((await send(row(early.port)))[0]).to.include({ is: 'refused', later: true });
    early.close();
    const late = await scripted(['220 hi', '250 hi', '250 ok', '250 ok', '354 go']);
    expect((await send(row(late.port)))[0]).to.include({ is: 'unknown' });
    late.close();
    const full = await scripted(['220 hi', '250 hi', '250 ok', '250 ok', '354 go', '452 the disk is full']);
    expect((await send(row(full.port)))[0]).to.deep.equal({ is: 'refused', why: 'the mail server answered 452 to the mail', later: true });
    full.close();
    const gone = new BailingError('BAILING_OUTBOUND_NOT_CONNECTED');
    expect(endOf(gone, false)).to.include({ is: 'refused', later: true });
    expect((await send(row(server.port), message(), AbortSignal.abort()))[0]).to.include({ is: 'refused' });
  });

  const BEFORE = ['220 hi', '250 hi', '250 ok', '250 ok'];
  const dialogues: readonly (readonly [title: string, lines: readonly string[], end: string])[] = [
    ['451 after the text', [...BEFORE, '354 go', '451 try again'], 'later'],
    ['421 after the text', [...BEFORE, '354 go', '421 closing'], 'later'],
    ['554 after the text', [...BEFORE, '354 go', '554 no'], 'refused'],
    ['354 once more after the text', [...BEFORE, '354 go', '354 go on'], 'unknown'],
    ['words after the text', [...BEFORE, '354 go', 'hello there'], 'unknown'],
    ['a number that there is not, after the text', [...BEFORE, '354 go', '999 odd'], 'unknown'],
    ['half of an answer after the text', [...BEFORE, '354 go', '250-and'], 'unknown'],
    ['250 after the text, then nothing more', [...BEFORE, '354 go', '250 ok'], 'accepted'],
    ['250 to DATA', [...BEFORE, '250 ok'], 'unknown'],
    ['554 to DATA', [...BEFORE, '554 no'], 'refused'],
    ['550 to the sender', ['220 hi', '250 hi', '550 no'], 'refused'],
    ['450 to the only recipient', ['220 hi', '250 hi', '250 ok', '450 later'], 'later'],
    ['554 to the connection', ['554 go away'], 'refused'],
    ['421 to the connection', ['421 busy'], 'later'],
    ['words to the connection', ['SSH-2.0'], 'later'],
  ];
  for (const [title, lines, end] of dialogues) {
    it(`ends as ${end} with ${title}, in one connection`, async () => {
      const odd = await scripted(lines);
      const [sent] = await send(row(odd.port));
      odd.close();
      expect(sent?.is === 'refused' && sent.later ? 'later' : sent?.is).to.equal(end);
      expect(odd.connections()).to.equal(1);
    });
  }

  it('names the recipients that were put off while others were taken', async () => {
    const some = await scripted([...BEFORE, '450 later', '354 go', '250 ok']);
    const [sent] = await send(row(some.port), message({ recipients: ['ann@example.com', 'bob@example.com'] }));
    some.close();
    expect(sent).to.deep.equal({ is: 'accepted', refused: ['bob@example.com'] });
  });

  it('that drips is given up in time: nothing was sent before the text, and nobody knows after it', async () => {
    const given = async (lines: readonly string[]) => {
      const slow = await scripted(lines, 'drip');
      const [sent] = await send(row(slow.port), message(), AbortSignal.timeout(300));
      slow.close();
      return sent?.is;
    };
    expect([await given(['220 hi']), await given([...BEFORE, '354 go'])]).to.deep.equal(['refused', 'unknown']);
  });

  it('opens no channel that would send its password in the clear', () => {
    const open = (more: object) => () => openEmail(row(server.port, more), plainSockets);
    expect(open({ user: 'hub', password: 'p' })).to.throw(BailingError, 'needs security');
    expect(open({ user: 'hub', security: 'tls' })).to.throw(BailingError, 'or neither');
  });
});

describe('channel-email over TLS', function () {
  let folder: string | undefined;
  let files: { key: string; cert: string };
  before(function () {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-mail-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    try {
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, ...subject],
        { stdio: 'ignore' },
      );
    } catch {
      process.stdout.write('skipped, because there is no openssl to make a certificate with\n');
      return this.skip();
    }
    files = { key: fs.readFileSync(key, 'utf8'), cert: fs.readFileSync(cert, 'utf8') };
  });
  after(() => folder !== undefined && fs.rmSync(folder, { recursive: true }));

  const login = { user: 'hub', password: 'the-password-of-the-hub' };
  const asked: (string | null | undefined)[] = [];
  const serve = (secure: boolean) =>
    startMailServer({
      ...{ secure, key: files.key, cert: files.cert, authOptional: false, disabledCommands: [] },
      onAuth: ({ username, password }, _session, done) => {
        asked.push(password);
        if (password === login.password) return done(null, { user: username });
        done(Object.assign(new Error('no'), { responseCode: 535 }));
      },
    });

  for (const security of ['starttls', 'tls'] as const) {
    it(`logs in with ${security}, and tells a wrong password without it`, async () => {
      const server = await serve(security === 'tls');
      try {
        const trusted = { security, ca: files.cert, ...login };
        expect(await send(row(server.port, trusted))).to.deep.equal([{ is: 'accepted', refused: [] }]);
        expect(server.got[0]?.user).to.equal('hub');
        const [wrong] = await send(row(server.port, { ...trusted, password: 'not-the-password' }));
        expect(wrong).to.deep.equal({ is: 'refused', why: 'the mail server answered 535 to the login', later: false });
        asked.length = 0;
        const [stranger] = await send(row(server.port, { security, ...login }));
        expect(stranger).to.include({ is: 'refused' });
        expect(asked).to.deep.equal([]);
        expect(server.got).to.have.length(1);
      } finally {
        await server.close();
      }
    });
  }

  it('is not opened with a ca that holds no whole certificate, or half of one behind a whole one', () => {
    const half = '-----BEGIN CERTIFICATE-----\nMIIB';
    const broken = `${half}\n-----END CERTIFICATE-----\n`;
    for (const ca of [
      '',
      'ca.pem',
      `${half}…`,
      broken,
      `${files.cert}\n${half}`,
      `${files.cert}\n${broken}`,
      `${half}\n${files.cert}`,
      files.key,
    ])
      expect(() => openEmail(row(25, { ca }), plainSockets), ca.slice(0, 60))
        .to.throw(BailingError)
        .and.to.include({ code: 'BAILING_CONFIG_INVALID', at: 'channels mail, config.ca' });
    openEmail(row(25, { ca: `# of ours\n${files.cert}\n${files.cert}` }), plainSockets);
  });

  it('gives a server that offers no TLS neither the password nor the mail', async () => {
    const server = await startMailServer();
    const [sent] = await send(row(server.port, { security: 'starttls', ...login }));
    expect(sent).to.include({ is: 'refused' });
    expect(server.got).to.deep.equal([]);
    await server.close();
  });
});
