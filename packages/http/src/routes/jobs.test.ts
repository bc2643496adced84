import { expect } from 'chai';
import { CLIENT_TOKEN, JOB_ID, jobRow, OTHER_TOKEN } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

const RUN = { request_id: 'crm:1', route: 'refunds', input: 'Review refund 42.' };

describe('the jobs door, over real sockets', () => {
  let at: Serving;
  beforeEach(async () => {
    at = await serve();
  });
  afterEach(() => at.server.stop());

  describe('POST /jobs/{id}/cancel', () => {
    const cancel = (token: string, id = JOB_ID) => at.ask('POST', `/jobs/${id}/cancel`, { token });

    it('ends a job of the caller, and says why it does not', async () => {
      at.hub.jobs.set(JOB_ID, jobRow({}));
      expect((await cancel(OTHER_TOKEN)).status).to.equal(404);
      expect((await cancel(CLIENT_TOKEN, 'x')).status).to.equal(404);
      const answer = await cancel(CLIENT_TOKEN);
      expect([answer.status, answer.json()]).to.deep.equal([200, { ok: true, job_id: JOB_ID, status: 'rejected', reason: 'cancelled' }]);
      for (const [status, code] of [
        ['done', 'BAILING_JOB_ENDED'],
        ['running', 'BAILING_JOB_WRITING'],
      ] as const) {
        at.hub.jobs.set(JOB_ID, jobRow({ status }));
        const refused = await cancel(CLIENT_TOKEN);
        expect([refused.status, refused.json()['code']]).to.deep.equal([409, code]);
      }
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
});
