import { inspect } from 'node:util';
import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { KEY, failure, sse } from './test-support/asks.js';
import { ModelServer, provider, says, streams } from './test-support/server.js';

describe('failures of a model endpoint', () => {
  let server: ModelServer;
  before(async () => (server = await new ModelServer().start()));
  after(() => server.stop());

  it('are transient for 429 and 5xx and final, beginning with LLM and the status, for the rest', async () => {
    for (const status of [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529]) {
      server.answer(says(status, { error: { message: 'because' } }));
      const refused = await failure(server);
      expect([refused.status, refused.transient, refused.message]).to.deep.equal([
        status,
        status === 429 || status >= 500,
        `LLM ${String(status)}: because`,
      ]);
    }
  });

  it('give the provider’s reason in every shape it comes in', async () => {
    for (const body of [
      { error: { message: 'why' } },
      { error: 'why' },
      { message: 'why' },
      { object: 'error', message: 'why', code: '3280' },
      { detail: 'why' },
      'why',
    ]) {
      server.answer(says(400, body));
      expect((await failure(server)).message).to.equal('LLM 400: why');
    }
    server.answer(says(502, '<!DOCTYPE html><h1>Bad gateway</h1>'));
    expect((await failure(server)).message).to.equal('LLM 502: it answered with a web page');
    server.answer(says(404, ''));
    expect((await failure(server)).message).to.equal('LLM 404: the model endpoint gave no reason');
  });

  it('never hold the key, in whatever way it is quoted back', async () => {
    const echoes = [
      `Incorrect API key provided: ${KEY}.`,
      `Authorization was "Bearer ${KEY}"`,
      `Bearer sk-other-secret-9999`,
      'key sk-test*****-000 is wrong',
    ];
    for (const message of echoes) {
      for (const answer of [says(401, { error: { message } }), streams(sse({ error: { message } })), says(500, message)]) {
        server.answer(answer);
        const refused = await failure(server);
        expect(inspect(refused, { depth: 9 })).not.to.match(/test-key|other-secret|000/);
      }
    }
  });

  it('say which network trouble it was and can be tried again', async () => {
    const gone = await new ModelServer().start();
    const url = gone.url;
    await gone.stop();
    const refused = await failure(server, { row: { base_url: url } });
    expect(refused.transient).to.equal(true);
    expect(refused.message).to.match(/could not be reached.*ECONNREFUSED/);
  });

  it('of the outbound door keep its sentence, final where another try would meet the same', async () => {
    const doors: [ConstructorParameters<typeof BailingError>, boolean][] = [
      [['BAILING_OUTBOUND_HOST_REFUSED', { detail: '10.0.0.1 is private.' }], false],
      [['BAILING_OUTBOUND_FAILED', { detail: 'models.example: it answered with a redirect, which is not followed.' }], false],
      [['BAILING_OUTBOUND_FAILED', { detail: 'models.example: the connection was reset.' }], true],
    ];
    for (const [args, transient] of doors) {
      const thrown = new BailingError(...args);
      const refused = await failure(server, { fetch: () => Promise.reject(thrown) });
      expect([refused.message.includes(thrown.entry.says), refused.transient]).to.deep.equal([true, transient]);
    }
  });

  it('in a row are found when it is opened: a base URL or a key that cannot work', () => {
    const open = (row: object) => () => provider(server, { row });
    for (const base_url of ['', 'models.example.com', 'ftp://x/v1', 'https://user:pw@x/v1'])
      expect(open({ base_url })).to.throw(BailingError, /base_url/);
    for (const api_key of ['sk with space', 'sk-\nline', 'ключ']) expect(open({ api_key })).to.throw(BailingError, /api_key/);
    try {
      open({ api_key: 'sk-secret\n' })();
    } catch (error) {
      expect(inspect(error)).not.to.include('sk-secret');
    }
  });
});
