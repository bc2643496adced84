import { expect } from 'chai';
import http from 'node:http';
import { ADMIN_TOKEN, CLIENT_TOKEN, EXECUTOR_TOKEN, JOB_ID } from './test-support/fake-hub.js';
import { serve, type Serving } from './test-support/serving.js';

const RUN = { request_id: 'crm:1', route: 'refunds', input: 'Review refund 42.' };

describe('the http service, over real sockets', () => {
  let at: Serving;
  beforeEach(async () => {
    at = await serve();
  });
  afterEach(() => at.server.stop());

  describe('who may enter', () => {
    it('answers 401 to an unknown private path without a credential and 404 with one', async () => {
      const bare = await at.ask('GET', '/nowhere');
      expect([bare.status, bare.json()['error'], bare.json()['code']]).to.deep.equal([401, 'unauthorized', 'BAILING_REQUEST_UNAUTHORIZED']);
      expect(bare.headers['www-authenticate']).to.equal('Bearer');
      const known = await at.ask('GET', '/nowhere', { token: ADMIN_TOKEN });
      expect([known.status, known.json()['error']]).to.deep.equal([404, 'not found']);
      expect((await at.ask('POST', '/health')).status, 'a known path without a credential').to.equal(405);
    });

    it('reads the token in every form of the contract and prefers the header', async () => {
      const status = async (path: string, authorization?: string): Promise<number> =>
        (await at.ask('GET', path, authorization === undefined ? {} : { headers: { authorization } })).status;
      expect(await status('/nowhere', `bearer ${ADMIN_TOKEN}`)).to.equal(404);
      expect(await status('/nowhere', `BEARER   ${ADMIN_TOKEN}`)).to.equal(404);
      expect(await status('/nowhere', ADMIN_TOKEN)).to.equal(404);
      expect(await status(`/nowhere?token=${ADMIN_TOKEN}`)).to.equal(404);
      expect(await status(`/nowhere?token=${ADMIN_TOKEN}`, 'Bearer wrong-wrong-wrong-wrong')).to.equal(401);
      expect(await status('/nowhere', 'Bearer')).to.equal(401);
      expect(await status('/nowhere', `Bearer ${'x'.repeat(5_000)}`)).to.equal(401);
      expect(await status('/nowhere', 'Bearer __proto__')).to.equal(401);
    });

    it('keeps every kind of caller on its surface', async () => {
      const status = async (method: string, path: string, token: string): Promise<number> =>
        (await at.ask(method, path, method === 'GET' ? { token } : { token, body: {} })).status;
      expect(await status('POST', '/run', EXECUTOR_TOKEN)).to.equal(403);
      expect(await status('GET', `/jobs/${JOB_ID}`, EXECUTOR_TOKEN)).to.equal(403);
      expect(await status('GET', '/admin/api/runs', CLIENT_TOKEN)).to.equal(403);
      expect(await status('POST', '/admin/pause', CLIENT_TOKEN)).to.equal(403);
      expect(await status('POST', '/executor/claim', CLIENT_TOKEN)).to.equal(403);
      expect(await status('GET', '/executor/claim', EXECUTOR_TOKEN)).to.equal(403);
      expect(await status('GET', '/executor/anything', ADMIN_TOKEN)).to.equal(403);
    });

    it('never logs a token, wherever it came', async () => {
      await at.ask('GET', `/nowhere?token=${ADMIN_TOKEN}&x=1`);
      await at.ask('GET', '/nowhere', { token: CLIENT_TOKEN });
      await at.ask('POST', `/run?token=${CLIENT_TOKEN}`, { bytes: '{' });
      at.hub.beforeRun = () => Promise.reject(new Error('storage is gone'));
      await at.ask('POST', `/run?token=${CLIENT_TOKEN}`, { body: RUN });
      const log = at.log.lines.join('\n');
      expect(at.log.lines).to.have.length.greaterThan(4);
      expect(log).to.include('storage is gone').and.not.include(ADMIN_TOKEN).and.not.include(CLIENT_TOKEN).and.not.include('token=');
    });
  });

  describe('hostile peers', () => {
    it('answers what is not HTTP in the same form and closes', async () => {
      for (const bytes of [
        '\0\0\0\0\r\n\r\n',
        'GET /health HTTP/9.9\r\n\r\n',
        'POST /run HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ]) {
        const answer = await at.raw(bytes);
        expect(answer)
          .to.match(/^HTTP\/1\.1 400 Bad Request\r\n/)
          .and.include('BAILING_REQUEST_MALFORMED');
      }
      expect(await at.raw(`GET /health HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).to.match(/^HTTP\/1\.1 431 /);
    });

    it('answers 408 to a body that does not arrive in time, and closes', async () => {
      const slow = await serve({ bodyTimeoutMs: 30 });
      const head = 'POST /run HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n';
      const answer = await slow.raw(`${head}authorization: Bearer ${CLIENT_TOKEN}\r\n\r\n{"request_id":`);
      expect(answer).to.match(/^HTTP\/1\.1 408 /);
      expect(answer).to.contain('BAILING_REQUEST_TOO_SLOW');
      expect(slow.log.lines.filter((line) => line.startsWith('error'))).to.deep.equal([]);
      await slow.server.stop();
    });

    it('says with a 401 which kind of token the path takes', async () => {
      const expected = async (path: string, method = 'GET') => (await at.ask(method, path, { token: 'x'.repeat(20) })).json()['expected'];
      expect(await expected('/executor/claim', 'POST')).to.contain('executor token');
      expect(await expected('/admin/api/runs')).to.contain('server token');
      expect(await expected('/run', 'POST')).to.contain('client token');
    });

    it('survives a client that goes away in the middle of its body', async () => {
      const outgoing = http.request({
        host: '127.0.0.1',
        port: at.port,
        method: 'POST',
        path: '/run',
        headers: { authorization: CLIENT_TOKEN, 'content-length': '1000' },
      });
      outgoing.on('error', () => undefined);
      outgoing.write('{"request_id"');
      await new Promise((resolve) => setTimeout(resolve, 50));
      outgoing.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await at.ask('GET', '/health')).status).to.equal(200);
      expect(at.log.lines.filter((line) => line.startsWith('error'))).to.deep.equal([]);
    });

    it('routes paths as they are written: case, doubled slashes and encoded letters are other paths', async () => {
      for (const path of ['/Health', '//health', '/health//ready', '/%68ealth', '/health/../version']) {
        expect((await at.ask('GET', path)).status, path).to.equal(401);
      }
    });
  });

  describe('stopping', () => {
    it('answers 503 to new requests on kept connections while one on its way ends well', async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      await at.ask('GET', '/health', { agent });
      let release = (): void => undefined;
      at.hub.beforeRun = () => new Promise((resolve) => (release = resolve));
      const slow = at.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const stopped = at.server.stop();
      const refused = await at.ask('GET', '/health', { agent });
      expect([refused.status, refused.json()['error'], refused.headers['connection']]).to.deep.equal([
        503,
        'server shutting down',
        'close',
      ]);
      release();
      expect((await slow).status).to.equal(202);
      await stopped;
      agent.destroy();
    });

    it('does not wait longer than its limit', async () => {
      const stuck = await serve({ drainMs: 100 });
      stuck.hub.beforeRun = () => new Promise(() => undefined);
      const lost = stuck.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN }).catch((error: NodeJS.ErrnoException) => error.code);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const started = Date.now();
      await stuck.server.stop();
      expect(Date.now() - started).to.be.within(90, 1_000);
      expect(await lost).to.equal('ECONNRESET');
    });
  });
});
