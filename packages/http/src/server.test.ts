import { expect } from 'chai';
import http from 'node:http';
import { ADMIN_TOKEN, CLIENT_TOKEN, EXECUTOR_TOKEN, JOB_ID, OTHER_TOKEN, auditRow, jobRow } from './test-support/fake-hub.js';
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
      expect((await at.ask('POST', '/health', { token: ADMIN_TOKEN })).status).to.equal(404);
      expect((await at.ask('POST', '/health')).status).to.equal(401);
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

  describe('POST /run', () => {
    it('accepts a job in full and a replay in short, both 202', async () => {
      const first = await at.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN });
      expect(first.status).to.equal(202);
      expect(first.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(first.headers['cache-control']).to.equal('no-store');
      expect(first.json()).to.deep.equal({
        job_id: JOB_ID,
        status: 'queued',
        request_id: 'crm:1',
        route: 'refunds',
        target: 'llm',
        session_id: '99999999-2222-4333-8444-555555555555',
        continue: false,
      });
      const again = await at.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN });
      expect([again.status, again.json()]).to.deep.equal([202, { job_id: JOB_ID, status: 'queued', request_id: 'crm:1' }]);
    });

    it('answers 409 to a request_id of another client', async () => {
      await at.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN });
      const foreign = await at.ask('POST', '/run', { token: OTHER_TOKEN, body: RUN });
      expect([foreign.status, foreign.json()['code']]).to.deep.equal([409, 'BAILING_REQUEST_FOREIGN']);
    });

    it('says paused, with an error member, before it looks at the body', async () => {
      at.hub.paused = true;
      const paused = await at.ask('POST', '/run', { token: CLIENT_TOKEN, bytes: 'not json' });
      expect([paused.status, paused.json()['status']]).to.deep.equal([503, 'paused']);
      expect(paused.json()['error']).to.be.a('string').and.not.empty;
    });

    it('names the field, the code and the way out of a refusal', async () => {
      const refused = await at.ask('POST', '/run', { token: CLIENT_TOKEN, body: { ...RUN, input: ' ' } });
      expect(refused.status).to.equal(400);
      expect(refused.json()).to.include({ code: 'BAILING_REQUEST_MALFORMED', at: 'input' });
      expect(refused.json()['fix']).to.be.a('string').and.not.empty;
    });

    for (const [what, bytes] of [
      ['text that is not JSON', 'not json'],
      ['a cut object', '{"request_id":'],
      ['a scalar', '1'],
      ['a list', '[]'],
      ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
      ['a member twice', '{"request_id":"a","request_id":"b","input":"x","route":"refunds"}'],
      ['a number that would be rounded', '{"request_id":"a","input":"x","route":"refunds","metadata":{"id":12345678901234567890}}'],
      ['ten thousand brackets', '['.repeat(10_000)],
      ['an empty body', ''],
    ] as const) {
      it(`answers 400 to ${what}`, async () => {
        const refused = await at.ask('POST', '/run', { token: CLIENT_TOKEN, bytes });
        expect([refused.status, refused.json()['code']]).to.deep.equal([400, 'BAILING_REQUEST_MALFORMED']);
        expect(at.hub.requests).to.have.length(0);
      });
    }

    it('answers 400 to an encoded body', async () => {
      const refused = await at.ask('POST', '/run', { token: CLIENT_TOKEN, bytes: 'x', headers: { 'content-encoding': 'gzip' } });
      expect(refused.status).to.equal(400);
    });

    it('takes the largest body and answers 413 to one byte more, with and without a content-length', async () => {
      const small = await serve({ jsonMaxBytes: 200 });
      const body = JSON.stringify(RUN).padEnd(200, ' ');
      expect((await small.ask('POST', '/run', { token: CLIENT_TOKEN, bytes: body })).status).to.equal(202);
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const refused = await small.ask('POST', '/run', { token: CLIENT_TOKEN, bytes: `${body} `, headers });
        expect(refused.status).to.equal(413);
        expect(refused.json()).to.include({ error: 'payload too large', max_bytes: 200 });
      }
      await small.server.stop();
    });

    it('lets the sender of 8 MiB read its 413', async () => {
      const refused = await at.ask('POST', '/run', { token: CLIENT_TOKEN, bytes: Buffer.alloc(8 * 1_048_576, 0x20) });
      expect([refused.status, refused.json()['max_bytes']]).to.deep.equal([413, 1_048_576]);
    });

    it('answers an uncaught failure with an id that the log knows, and nothing else', async () => {
      at.hub.beforeRun = () => Promise.reject(new Error('SELECT secret FROM somewhere'));
      const failed = await at.ask('POST', '/run', { token: CLIENT_TOKEN, body: RUN });
      expect(failed.status).to.equal(500);
      expect(failed.json()['error']).to.equal('internal_error');
      expect(failed.json()['request_id'])
        .to.equal(failed.headers['x-request-id'])
        .and.match(/^[0-9a-f-]{36}$/);
      expect(failed.text).to.not.include('SELECT');
      expect(at.log.lines.some((line) => line.includes(String(failed.json()['request_id'])) && line.includes('SELECT'))).to.equal(true);
    });
  });

  describe('GET /jobs/{id}', () => {
    it('shows the owner the job without a claim token or a launch snapshot', async () => {
      at.hub.jobs.set(JOB_ID, {
        ...jobRow({ status: 'done', result: '{"text":"ok"}', usage: '{"duration_ms":3}' }),
        claimToken: 'leak',
      } as never);
      const seen = await at.ask('GET', `/jobs/${JOB_ID}`, { token: CLIENT_TOKEN });
      expect(seen.status).to.equal(200);
      expect(seen.json()).to.include({ job_id: JOB_ID, status: 'done', client_app_id: 'crm', created_at: '2024-06-10T06:13:20.000Z' });
      expect(seen.json()['result']).to.deep.equal({ text: 'ok' });
      expect(seen.json()['metadata']).to.deep.equal({ user_id: '179:1' });
      expect(seen.text).to.not.include('leak');
    });

    it('is 404 for another client, an unknown id and a text that is no id', async () => {
      at.hub.jobs.set(JOB_ID, jobRow());
      for (const [path, token] of [
        [`/jobs/${JOB_ID}`, OTHER_TOKEN],
        ['/jobs/00000000-2222-4333-8444-555555555555', CLIENT_TOKEN],
        ['/jobs/..%2fadmin', CLIENT_TOKEN],
        ['/jobs/%ff', CLIENT_TOKEN],
        [`/jobs/${JOB_ID}/x`, CLIENT_TOKEN],
      ] as const) {
        expect((await at.ask('GET', path, { token })).status, path).to.equal(404);
      }
    });
  });

  describe('health and discovery', () => {
    it('needs no credential and honours HEAD', async () => {
      at.hub.paused = true;
      const health = await at.ask('GET', '/health');
      expect([health.status, health.json()['status'], health.json()['paused']]).to.deep.equal([200, 'ok', true]);
      for (const path of ['/health', '/health/ready', '/version', '/openapi.yaml']) {
        const head = await at.ask('HEAD', path);
        expect([head.status, head.text], path).to.deep.equal([200, '']);
      }
      expect((await at.ask('GET', '/version')).json()['contracts']).to.deep.equal({ clientApi: 'bailing.client-api.v1' });
    });

    it('is not ready while the database is not', async () => {
      expect((await at.ask('GET', '/health/ready')).json()['status']).to.equal('ready');
      at.hub.healthy = false;
      const answer = await at.ask('GET', '/health/ready');
      expect([answer.status, answer.json()['status']]).to.deep.equal([503, 'not_ready']);
    });
  });

  describe('the administrator', () => {
    it('pauses and resumes', async () => {
      expect((await at.ask('POST', '/admin/pause', { token: ADMIN_TOKEN })).json()).to.deep.equal({ paused: true });
      expect(at.hub.paused).to.equal(true);
      expect((await at.ask('POST', '/admin/resume', { token: ADMIN_TOKEN })).json()).to.deep.equal({ paused: false });
      expect(at.hub.paused).to.equal(false);
    });

    it('reads runs, one run, its audit and its trace', async () => {
      at.hub.jobs.set(JOB_ID, jobRow({ status: 'done' }));
      at.hub.ledger = [
        auditRow(1),
        auditRow(2, { event: 'tool_call', stage: 'tool' }),
        auditRow(3, { event: 'tool_result', stage: 'tool', severity: 'error' }),
      ];
      const list = await at.ask('GET', '/admin/api/runs?limit=1', { token: ADMIN_TOKEN });
      expect((list.json() as unknown as { job_id: string }[])[0]?.job_id).to.equal(JOB_ID);
      expect((await at.ask('GET', `/admin/api/runs/${JOB_ID}`, { token: ADMIN_TOKEN })).json()['raw_input']).to.equal('Review refund 42.');
      const audit = await at.ask('GET', `/admin/api/runs/${JOB_ID}/audit?after_seq=1`, { token: ADMIN_TOKEN });
      expect((audit.json() as unknown as { event: string }[]).map((row) => row.event)).to.deep.equal(['tool_call', 'tool_result']);
      const trace = (await at.ask('GET', `/admin/api/runs/${JOB_ID}/trace`, { token: ADMIN_TOKEN })).json()['trace'] as Record<
        string,
        unknown
      >;
      expect(trace['summary']).to.include({ event_count: 3, tool_calls: 1, tool_results: 1, error_count: 1, status: 'done' });
      expect((trace['summary'] as { stage_count: object }).stage_count).to.include({ launch: 1, tool: 2, delivery: 0 });
    });

    it('reads a trace of more rows than one page', async () => {
      at.hub.jobs.set(JOB_ID, jobRow());
      at.hub.ledger = Array.from({ length: 1_203 }, (_, index) => auditRow(index + 1));
      const trace = (await at.ask('GET', `/admin/api/runs/${JOB_ID}/trace`, { token: ADMIN_TOKEN })).json()['trace'] as {
        events: unknown[];
      };
      expect(trace.events).to.have.length(1_203);
    });

    it('looks traces up by filters: one match comes whole, no filter finds nothing', async () => {
      at.hub.jobs.set(JOB_ID, jobRow());
      const one = await at.ask('GET', '/admin/api/runs/trace?request_id=crm:1', { token: ADMIN_TOKEN });
      expect(one.json()).to.include.keys('job', 'trace', 'approvals', 'messages', 'lookup', 'matches');
      const list = await at.ask('GET', '/admin/api/runs/trace?request_id=crm:1&list=1', { token: ADMIN_TOKEN });
      expect(list.json()).to.have.all.keys('matches', 'count');
      expect((await at.ask('GET', '/admin/api/runs/trace', { token: ADMIN_TOKEN })).json()).to.deep.equal({ matches: [], count: 0 });
      expect((await at.ask('GET', '/admin/api/runs/trace?client_id=a&client_app_id=b', { token: ADMIN_TOKEN })).status).to.equal(400);
      await at.ask('GET', '/admin/api/runs/trace?client_id=crm&thread_id=7', { token: ADMIN_TOKEN });
      expect(at.hub.filters.at(-1)).to.deep.equal({ clientAppId: 'crm', threadId: 7 });
    });

    it('refuses numbers outside their bounds by name', async () => {
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'limit=1e2']) {
        const refused = await at.ask('GET', `/admin/api/runs?${query}`, { token: ADMIN_TOKEN });
        expect([refused.status, refused.json()['at']], query).to.deep.equal([400, query.split('=')[0]]);
      }
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
