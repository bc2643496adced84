import { expect } from 'chai';
import { CLIENT_TOKEN, JOB_ID, jobRow } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

const BODY = { request_id: 'crm:1', channel: 'ops', to: ' u1|u2 |u1', text: ' Hi ' };

describe('POST /send (WIRE §10.5)', () => {
  let at: Serving;
  before(async () => (at = await serve()));
  after(() => at.server.stop());
  const send = (body: object) => at.ask('POST', '/send', { token: CLIENT_TOKEN, body });

  it('reads one message: recipients each once, files with names of their own', async () => {
    const answer = await send({ ...BODY, images: ['https://x.example/a.png'], files: [{ url: 'https://x.example/r/report.csv?k=1' }] });
    expect(answer.status).to.equal(200);
    expect(answer.json()).to.deep.equal({ ok: true, job_id: JOB_ID, request_id: 'crm:1', thread_id: null, recipients: 2 });
    expect(at.hub.sends.at(-1)).to.deep.equal({
      request_id: 'crm:1',
      message: {
        ...{ channel: 'ops', to: ['u1', 'u2'], text: 'Hi', images: ['https://x.example/a.png'] },
        files: [{ name: 'report.csv', url: 'https://x.example/r/report.csv?k=1' }],
      },
    });
    await send({ ...BODY, text: '', card: { title: 'T', url: 'https://x.example', btntxt: 'Open' } });
    expect(at.hub.sends.at(-1)?.message.card).to.deep.equal({ title: 'T', url: 'https://x.example', btntxt: 'Open' });
  });

  it('refuses what is no message, by the member', async () => {
    const where = async (more: object) => {
      const answer = await send({ ...BODY, ...more });
      return [answer.status, answer.json().at];
    };
    expect(await where({ text: ' ' })).to.deep.equal([400, 'text']);
    expect(await where({ text: 'x'.repeat(2_001) })).to.deep.equal([400, 'text']);
    expect(await where({ to: [] })).to.deep.equal([400, 'to']);
    expect(await where({ to: Array.from({ length: 1_001 }, (_, n) => String(n)) })).to.deep.equal([400, 'to']);
    expect(await where({ images: Array.from({ length: 10 }, () => 'https://x.example') })).to.deep.equal([400, 'images']);
    expect(await where({ files: [{ url: 'ftp://x.example/a' }] })).to.deep.equal([400, 'files[0].url']);
    expect(await where({ card: { title: 'x'.repeat(129), url: 'https://x.example' } })).to.deep.equal([400, 'title']);
    expect(await where({ cc: 'u3' })).to.deep.equal([400, 'cc']);
    expect(await where({ request_id: '' })).to.deep.equal([400, 'request_id']);
    expect(await where({ channel: 7 })).to.deep.equal([400, 'channel']);
  });

  it('tells a repeat, a failure, and a message that may have arrived', async () => {
    const same = { ok: false, job_id: JOB_ID, request_id: 'crm:1', deduped: true };
    at.hub.sent = { is: 'same', job: jobRow({ status: 'running' }) };
    const running = await send(BODY);
    expect(running.status).to.equal(200);
    expect(running.json()).to.deep.equal({ ...same, status: 'running' });
    at.hub.sent = { is: 'same', job: jobRow({ status: 'error', error: 'Not sent: no' }) };
    expect((await send(BODY)).json()).to.deep.equal({ ...same, status: 'error', error: 'Not sent: no' });
    at.hub.sent = { is: 'pending', job: jobRow({ status: 'running' }) };
    expect(await send(BODY)).to.deep.include({ status: 202 });
    at.hub.sent = { is: 'failed', job: jobRow({ status: 'error', error: 'Not sent: no' }) };
    const refused = (await send(BODY)).json();
    expect(refused).to.include({ ok: false, job_id: JOB_ID, request_id: 'crm:1', error: 'Not sent: no', code: 'BAILING_SEND_FAILED' });
    expect(refused['fix']).to.contain('new request_id');
    const unknown = { governance_state: 'reconciliation_required', auto_retry_allowed: false, tool_execution: { state: 'uncertain' } };
    at.hub.sent = { is: 'failed', job: jobRow({ status: 'error', error: 'unknown', result: JSON.stringify(unknown) }) };
    const answer = await send(BODY);
    expect(answer.status).to.equal(502);
    expect(answer.json()).to.deep.include({ ...unknown, code: 'BAILING_CALL_UNKNOWN' });
    at.hub.sent = { ...at.hub.sent, is: 'same' };
    const again = await send(BODY);
    expect(again.status).to.equal(200);
    expect(again.json()).to.deep.equal({ ...same, status: 'error', error: 'unknown', ...unknown });
  });
});
