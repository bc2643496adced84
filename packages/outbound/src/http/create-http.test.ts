import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { createHostRules } from '../hosts/rules.js';
import { startBusiness, startRaw, type Loopback } from '../test-support/loopback.js';
import { createHttp, type OwnedHttp } from './create-http.js';

const MIB = 1_048_576;

async function refusal(work: Promise<unknown>): Promise<BailingError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof BailingError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the http service of plugins, over real sockets', () => {
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (open.push(one), one);
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const httpFor = (peer: Loopback, more: Partial<Parameters<typeof createHttp>[0]> = {}): OwnedHttp =>
    keep(createHttp({ hosts: createHostRules({ allowPrivateHosts: [`127.0.0.1:${peer.port}`] }), ...more }));

  describe('request', () => {
    it('brings one whole answer of any status, headers in lower case', async () => {
      const peer = keep(
        await startBusiness((response, seen) => response.writeHead(418, { 'X-Tea': 'pot', 'Set-Cookie': ['a=1', 'b=2'] }).end(seen.body)),
      );
      const answer = await httpFor(peer).request({
        method: 'POST',
        url: `${peer.origin}/a?b=c%20d`,
        headers: { 'X-One': '1' },
        body: 'hi',
      });
      expect([answer.status, answer.headers['x-tea'], answer.headers['set-cookie']]).to.deep.equal([418, 'pot', 'a=1, b=2']);
      expect(Buffer.from(answer.body).toString()).to.equal('hi');
      expect(peer.seen[0]).to.include({ method: 'POST', target: '/a?b=c%20d' });
      expect(peer.seen[0]!.headers).to.include({ 'x-one': '1', 'user-agent': 'bailing' });
    });

    it('does not follow a redirect and does not try again', async () => {
      const peer = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
          else response.writeHead(503, { 'retry-after': '0' }).end();
        }),
      );
      const http = httpFor(peer);
      expect((await http.request({ url: `${peer.origin}/moved` })).status).to.equal(302);
      expect((await http.request({ url: `${peer.origin}/busy` })).status).to.equal(503);
      expect(peer.seen).to.have.length(2);
    });

    it('keeps its connection', async () => {
      const ports = new Set<number | undefined>();
      const peer = keep(
        await startBusiness((response) => {
          ports.add(response.socket?.remotePort);
          response.end('ok');
        }),
      );
      const http = httpFor(peer);
      for (let call = 0; call < 4; call++) await http.request({ url: peer.origin });
      expect(ports.size).to.equal(1);
    });

    it('ends at its byte budget, by content-length, by counting and after decompression', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * MIB));
      const peer = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/length') response.writeHead(200, { 'content-length': String(400 * MIB) }).write('x');
          if (seen.target === '/chunks') response.writeHead(200).end(Buffer.alloc(6 * MIB));
          if (seen.target === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
          if (seen.target === '/small') response.writeHead(200).end('123456');
        }),
      );
      const http = httpFor(peer);
      for (const path of ['/length', '/chunks', '/bomb']) {
        expect((await refusal(http.request({ url: peer.origin + path, maxBytes: 999_999_999 }))).code, path).to.equal(
          'BAILING_OUTBOUND_TOO_LARGE',
        );
      }
      expect((await refusal(http.request({ url: `${peer.origin}/small`, maxBytes: 5 }))).code).to.equal('BAILING_OUTBOUND_TOO_LARGE');
      expect((await http.request({ url: `${peer.origin}/small`, maxBytes: 6 })).body).to.have.length(6);
    });

    it('covers the body with its time limit and ends when the caller gives up', async () => {
      const peer = keep(await startBusiness((response) => response.writeHead(200, { 'content-length': '9' }).write('x')));
      const http = httpFor(peer);
      const started = Date.now();
      const late = await refusal(http.request({ url: `${peer.origin}/?key=hidden`, timeoutMs: 150 }));
      expect(late.code).to.equal('BAILING_OUTBOUND_FAILED');
      expect(late.message).to.include('150 ms').and.not.include('hidden');
      expect(Date.now() - started).to.be.within(140, 600);
      expect((await refusal(http.request({ url: peer.origin }, AbortSignal.timeout(50)))).message).to.include('gave up');
    });

    it('calls a cut body, a reset and a closed port failures that name the host only', async () => {
      const cut = keep(await startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')));
      const reset = keep(await startRaw((socket) => socket.resetAndDestroy()));
      const gone = await startBusiness((response) => response.end());
      await gone.close();
      for (const peer of [cut, reset, gone]) {
        const error = await refusal(httpFor(peer).request({ url: `${peer.origin}/path?key=hidden` }));
        expect(error.code).to.equal(peer === gone ? 'BAILING_OUTBOUND_NOT_CONNECTED' : 'BAILING_OUTBOUND_FAILED');
        expect(error.message).to.include(`127.0.0.1:${peer.port}`).and.not.include('hidden').and.not.include('/path');
      }
    });

    it('refuses what is no address of ours before a byte leaves', async () => {
      const peer = keep(await startBusiness((response) => response.end('secret')));
      const http = keep(createHttp({ hosts: createHostRules() }));
      const decimal = 127 * 2 ** 24 + 1;
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', String(decimal), '0x7f.1', '0177.0.0.1', '127.1', '0']) {
        expect((await refusal(http.request({ url: `http://${host}:${peer.port}/` }))).code, host).to.equal('BAILING_OUTBOUND_HOST_REFUSED');
      }
      for (const url of ['ftp://shop.example/', 'file:///etc/passwd', 'http://u:p@shop.example/']) {
        expect((await refusal(http.request({ url }))).code, url).to.equal('BAILING_OUTBOUND_HOST_REFUSED');
      }
      expect((await refusal(http.request({ url: '/relative' }))).code).to.equal('BAILING_OUTBOUND_FAILED');
      expect(peer.seen).to.have.length(0);
    });
  });

  describe('fetch', () => {
    it('streams and is a Response of Node', async () => {
      const peer = keep(
        await startBusiness((response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('data: 1\n\n');
          setTimeout(() => response.end('data: 2\n\n'), 50);
        }),
      );
      const answer = await httpFor(peer).fetch(`${peer.origin}/v1/stream`);
      expect(answer).to.be.instanceOf(Response);
      expect(answer.url).to.equal(`${peer.origin}/v1/stream`);
      const chunks: string[] = [];
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk).toString());
      expect(chunks).to.deep.equal(['data: 1\n\n', 'data: 2\n\n']);
    });

    it('sends text, bytes, a Request and a form with a file as they are', async () => {
      const peer = keep(
        await startBusiness((response, seen) => response.end(`${seen.method} ${seen.headers['content-type']}\n${seen.body.toString()}`)),
      );
      const { fetch } = httpFor(peer);
      const json = await fetch(peer.origin, {
        method: 'POST',
        body: '{"a":1}',
        headers: new Headers({ 'content-type': 'application/json' }),
      });
      expect(await json.text()).to.equal('POST application/json\n{"a":1}');
      const request = new Request(`${peer.origin}/x`, {
        method: 'PUT',
        body: new Uint8Array([0x61]),
        headers: { 'content-type': 'text/plain' },
      });
      expect(await (await fetch(request)).text()).to.equal('PUT text/plain\na');
      const form = new FormData();
      form.append('model', 'whisper');
      form.append('file', new File(['voice'], 'a.mp3', { type: 'audio/mpeg' }));
      const sent = await (await fetch(peer.origin, { method: 'POST', body: form })).text();
      expect(sent).to.include('multipart/form-data; boundary=').and.include('name="file"; filename="a.mp3"').and.include('voice');
      expect(peer.seen.at(-1)!.headers).to.include.keys('content-length');
    });

    it('answers bodiless statuses and empty bodies', async () => {
      const peer = keep(await startBusiness((response, seen) => response.writeHead(seen.target === '/204' ? 204 : 200).end()));
      const { fetch } = httpFor(peer);
      expect((await fetch(`${peer.origin}/204`)).status).to.equal(204);
      expect(await (await fetch(`${peer.origin}/200`)).text()).to.equal('');
    });

    it('refuses redirects whatever the caller asks for', async () => {
      const peer = keep(await startBusiness((response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()));
      const error = await refusal(httpFor(peer).fetch(peer.origin, { redirect: 'follow' }));
      expect(error.message).to.include('redirect');
      expect(peer.seen).to.have.length(1);
    });

    it('refuses private addresses, literal or resolved, also with a dispatcher of the caller', async () => {
      const peer = keep(await startBusiness((response) => response.end('secret')));
      const { fetch } = keep(createHttp({ hosts: createHostRules() }));
      const init = { dispatcher: {} } as unknown as RequestInit;
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
        const error = await refusal(fetch(`http://${host}:${peer.port}/`, init));
        expect(error.code, host).to.equal('BAILING_OUTBOUND_HOST_REFUSED');
      }
      expect(peer.seen).to.have.length(0);
    });

    it('counts a stream on its way', async () => {
      const peer = keep(
        await startBusiness((response, seen) => {
          if (seen.target === '/known') response.writeHead(200, { 'content-length': '2000' }).end(Buffer.alloc(2_000));
          else response.end(gzipSync(Buffer.alloc(10_000)));
        }),
      );
      const { fetch } = httpFor(peer, { fetchMaxBytes: 1_000 });
      expect((await refusal(fetch(`${peer.origin}/known`))).code).to.equal('BAILING_OUTBOUND_TOO_LARGE');
      const bomb = keep(
        await startBusiness((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(MIB)))),
      );
      const answer = await httpFor(bomb, { fetchMaxBytes: 1_000 }).fetch(bomb.origin);
      expect((await refusal(answer.arrayBuffer())).code).to.equal('BAILING_OUTBOUND_TOO_LARGE');
    });

    it('ends with an AbortError when the caller aborts, and after silence', async () => {
      const peer = keep(await startBusiness((response) => response.writeHead(200).write('x')));
      const http = httpFor(peer, { fetchIdleMs: 200 });
      const stop = new AbortController();
      const answer = await http.fetch(peer.origin, { signal: stop.signal });
      stop.abort();
      expect(await answer.text().catch((error: Error) => error.name)).to.equal('AbortError');
      const silent = await http.fetch(peer.origin);
      expect(await silent.text().catch((error: Error) => error.message)).to.equal('terminated');
    });
  });
});
