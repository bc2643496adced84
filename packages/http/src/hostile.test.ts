import { expect } from 'chai';
import fc from 'fast-check';
import http from 'node:http';
import { FakeExecutors } from './test-support/fake-executors.js';
import { ADMIN_TOKEN, CLIENT_TOKEN, EXECUTOR_TOKEN, JOB_ID } from './test-support/fake-hub.js';
import { serve, type Serving } from './test-support/serving.js';

describe('the http service, for any request', () => {
  let at: Serving;
  before(async () => {
    at = await serve();
    const door = new FakeExecutors();
    door.paused = true;
    at.hub.executors = door;
  });
  after(() => at.server.stop());

  const segment = fc.constantFrom(
    'run',
    'jobs',
    JOB_ID,
    'health',
    'ready',
    'admin',
    'api',
    'runs',
    'trace',
    'audit',
    'executor',
    'claim',
    'result',
  );
  const odd = fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%00',
    '%ff',
    '%',
    'tools',
    'invoke',
    'defs',
    '{id}',
    ':id',
    '*',
    'constructor',
    '__proto__',
  );
  const path = fc.array(fc.oneof(segment, odd), { maxLength: 6 }).map((parts) => `/${parts.join('/')}`);
  const query = fc.constantFrom(
    '',
    '?',
    '?token=',
    `?token=${ADMIN_TOKEN}`,
    '?limit=NaN',
    '?limit=1&limit=2',
    '?%ff=%',
    '?names=__proto__,,',
  );
  const token = fc.constantFrom(undefined, ADMIN_TOKEN, CLIENT_TOKEN, EXECUTOR_TOKEN, 'Bearer', '\u00ff', ' ');
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc
      .record({ request_id: fc.jsonValue(), input: fc.jsonValue(), route: fc.jsonValue(), metadata: fc.jsonValue() })
      .map((value) => JSON.stringify(value)),
    fc.constantFrom('', '{', '\ufeff{}', '{"job_id":null}', '[[[[', '{"tool":{}}', '{"targets":[null]}'),
  );

  it('answers JSON with a code and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'),
        path,
        query,
        token,
        body,
        async (...asked) => {
          const [method, where, search, credential, bytes] = asked;
          const headers = credential === undefined ? {} : { authorization: credential };
          const answer = await at.ask(method, where + search, method === 'POST' || method === 'PUT' ? { headers, bytes } : { headers });
          expect(answer.status, answer.text).to.be.below(500);
          if (answer.status < 400 || method === 'HEAD') return;
          expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
          expect(answer.json()['code']).to.match(/^BAILING_/);
          expect(answer.json()['error']).to.be.a('string').and.not.equal('');
        },
      ),
      { numRuns: 250 },
    );
    expect(at.log.lines.filter((line) => !line.startsWith('info '))).to.deep.equal([]);
  });

  it('answers 413 to a body that never ends, and hangs up', async () => {
    const headers = { authorization: CLIENT_TOKEN };
    const outgoing = http.request({ host: '127.0.0.1', port: at.port, method: 'POST', path: '/run', headers });
    outgoing.on('error', () => undefined);
    const block = Buffer.alloc(65_536, 0x20);
    const pump = setInterval(() => outgoing.write(block), 2);
    const [status, connection] = await new Promise<[number | undefined, string | undefined]>((resolve) =>
      outgoing.once('response', (response) => {
        resolve([response.statusCode, response.headers.connection]);
        response.resume();
      }),
    );
    clearInterval(pump);
    expect([status, connection]).to.deep.equal([413, 'close']);
    await new Promise((resolve) => (outgoing.destroyed ? resolve(undefined) : outgoing.once('close', resolve)));
  });
});
