import { signCall } from '@bailing/contract';
import { expect } from 'chai';
import { checkSignature, type ReceivedCall } from './signature.js';

const SECRET = 'bailing-test-secret';
const NOW = 1_718_000_000_000;
const SENT = {
  timestamp: '1718000000',
  method: 'POST',
  target: '/goods/create',
  body: '{"title":"test","price":9.9}',
  onBehalfOf: '179:1',
  jobId: 'job-test-001',
};
const HEADERS = {
  'x-bailing-timestamp': SENT.timestamp,
  'x-bailing-signature': 'sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5',
  'x-bailing-on-behalf-of': SENT.onBehalfOf,
  'x-bailing-job-id': SENT.jobId,
};
const RECEIVED: ReceivedCall = { method: 'post', target: SENT.target, headers: HEADERS, body: SENT.body };

const check = (more: Partial<ReceivedCall>, base = '', now = NOW) => checkSignature({ ...RECEIVED, ...more }, SECRET, base, now);
const says = (more: Partial<ReceivedCall>, base = ''): string =>
  check(more, base)
    .findings.map((one) => one.says)
    .join(' ');

describe('The signature helper', () => {
  it('shows the string to sign of a call that verifies, part by part', () => {
    const report = check({});
    expect(report).to.include({ ok: true });
    expect(report.string_to_sign).to.match(/^1718000000\.POST\.\/goods\/create\.[0-9a-f]{64}\.179:1\.job-test-001$/);
    expect(report.parts.map(({ part }) => part)).to.deep.equal(['timestamp', 'method', 'target', 'body', 'on_behalf_of', 'job_id']);
  });

  it('names what usually goes wrong, by trying it', () => {
    expect(says({ target: '/api/goods/create' }, '/api')).to.contain('base URL');
    expect(says({ body: '{ "title": "test", "price": 9.9 }' })).to.contain('parsed and written again');
    expect(says({ body: `${SENT.body}\n` })).to.contain('white space');
    expect(says({ target: '/goods/create?trace=1' })).to.contain('query was added');
    const signature = signCall(SECRET, { ...SENT, target: '/a%20b' });
    expect(says({ target: '/a b', headers: { ...HEADERS, 'x-bailing-signature': signature } })).to.equal(
      'The signature was made with other parts or another secret.',
    );
    expect(says({ headers: { ...HEADERS, 'x-bailing-timestamp': '1718000000000' } })).to.contain('milliseconds');
    expect(says({ headers: {} })).to.contain('There is no X-Bailing-Signature');
    expect(says({ body: 'other' })).to.contain('another secret');
  });

  it('says how old a timestamp is', () => {
    expect(check({}, '', NOW + 400_000).findings[0]?.says).to.equal('The timestamp is 400 s old.');
  });

  it('never holds the secret, nor a signature that was not brought', () => {
    const report = JSON.stringify(check({ body: 'other', headers: { ...HEADERS, 'x-bailing-signature': `sha256=${'0'.repeat(64)}` } }));
    expect(report).not.to.contain(SECRET);
    expect(report).not.to.contain(signCall(SECRET, { ...SENT, body: 'other' }));
    expect(report).not.to.match(/sha256=[0-9a-f]/);
  });
});
