import { callFailure } from '@bailing/contract';
import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { createHostRules } from '../hosts/rules.js';
import { createHttp, type OwnedHttp } from '../http/create-http.js';
import { type Loopback, type Seen, startBusiness } from '../test-support/loopback.js';
import { PROBE_SUBJECT, sendAuthzProbe, type AuthzProbeRequest } from './authz-probe.js';

const SECRET = 'secret-of-the-probe-tests';
const clock = { now: () => 1_764_500_000_000 };

describe('the authorisation probe', () => {
  let http: OwnedHttp;
  let business: Loopback;
  let answer: (response: ServerResponse, seen: Seen) => void;
  before(async () => {
    business = await startBusiness((response, seen) => answer(response, seen));
    http = createHttp({ hosts: createHostRules({ allowPrivateHosts: [`127.0.0.1:${business.port}`] }) });
  });
  after(async () => {
    await http.close();
    await business.close();
  });
  beforeEach(() => {
    answer = (response) => void response.writeHead(403).end('{"authorized":false}');
    business.seen.length = 0;
  });

  const send = (more: Partial<AuthzProbeRequest> = {}, base = `${business.origin}/api/`) =>
    sendAuthzProbe(
      {
        provider: { name: 'p', baseUrl: base, secret: SECRET, timeoutMs: 1_000 },
        method: 'POST',
        path: '/authz',
        scope: '__probe__.authz',
        ...more,
      },
      { http, clock },
      new AbortController().signal,
    );
  const failureOf = (seen: Seen | undefined, target: string) =>
    callFailure(
      SECRET,
      {
        timestamp: String(seen?.headers['x-bailing-timestamp']),
        method: seen?.method ?? '',
        target,
        body: seen?.body ?? '',
        onBehalfOf: PROBE_SUBJECT,
        jobId: 'probe',
      },
      String(seen?.headers['x-bailing-signature']),
      clock.now(),
    );

  it('asks for nobody, signed over the path without the base, with the contract’s body and headers', async () => {
    expect(await send()).to.deep.equal({ status: 403, body: '{"authorized":false}' });
    const [seen] = business.seen;
    expect(seen).to.include({ method: 'POST', target: '/api/authz' });
    expect(JSON.parse(String(seen?.body))).to.deep.equal({ subject: PROBE_SUBJECT, reason: 'bailing-authz-probe', expect: 'deny' });
    expect(seen?.headers).to.include({
      'content-type': 'application/json',
      'x-bailing-job-id': 'probe',
      'x-bailing-client': '__probe__',
      'x-bailing-on-behalf-of': PROBE_SUBJECT,
      'x-bailing-tool-scope': '__probe__.authz',
    });
    expect(seen?.headers).to.not.have.property('x-bailing-idempotency-key');
    expect(failureOf(seen, '/authz')).to.equal(null);
  });

  it('reads without a body, keeps the query of the path and sends the prefix of the operation unsigned', async () => {
    await send({ method: 'GET', path: '/who?kind=a b', prefix: '/v2', scope: 'order.read' });
    const [seen] = business.seen;
    expect(seen).to.include({ method: 'GET', target: '/api/v2/who?kind=a%20b' });
    expect(seen?.body.length).to.equal(0);
    expect(failureOf(seen, '/who?kind=a%20b')).to.equal(null);
  });

  it('answers nothing where nothing came, and never follows, repeats or throws', async () => {
    answer = (response) => void response.destroy();
    expect(await send()).to.equal(null);
    expect(business.seen).to.have.length(1);
    answer = (response) => void response.writeHead(302, { location: '/elsewhere' }).end();
    expect((await send())?.status).to.equal(302);
    expect(business.seen).to.have.length(2);
    answer = (response) => void response.writeHead(200).end('x'.repeat(100_000));
    expect(await send()).to.equal(null);
    expect(await send({}, 'http://169.254.169.254/')).to.equal(null);
    expect(await send({ path: '/a/../b' })).to.equal(null);
    expect(business.seen).to.have.length(3);
  });
});
