import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { checkOrigin, fixAt } from './auth.js';
import type { Caller } from './hub-api.js';

const DEV: Caller = { kind: 'admin', name: 'dev' };
const admits = (headers: Record<string, string>, caller: Caller = DEV) => {
  try {
    checkOrigin(caller, 'POST', headers);
    return true;
  } catch (error) {
    expect(error).to.be.instanceOf(BailingError).and.include({ code: 'BAILING_REQUEST_FORBIDDEN' });
    return false;
  }
};

describe('what to do about a missing credential', () => {
  it('names the tool token where tools are called', () => {
    expect(fixAt('/jobs/00000000-0000-4000-8000-000000000000/tools/invoke')).to.match(/tool_token/);
    expect(fixAt('/jobs/00000000-0000-4000-8000-000000000000')).to.match(/client token/);
  });
});

describe('without a server token', () => {
  it('programs on this machine are served, by any loopback name', () => {
    for (const host of ['127.0.0.1:18900', 'localhost:18900', '[::1]:18900', '127.1.2.3']) expect(admits({ host }), host).to.equal(true);
    expect(admits({ host: 'localhost:1', origin: 'http://localhost:1' })).to.equal(true);
  });

  it('no web page is, whether it names its origin or hides behind a host of its own', () => {
    expect(admits({ host: '127.0.0.1:18900', origin: 'http://evil.example' })).to.equal(false);
    expect(admits({ host: 'evil.example' })).to.equal(false);
    expect(admits({ host: 'evil.example', origin: 'http://evil.example' })).to.equal(false);
    expect(admits({ host: '127.0.0.1.evil.example' })).to.equal(false);
    expect(admits({ host: '127.0.0.1:18900', origin: 'null' })).to.equal(false);
    expect(admits({})).to.equal(false);
  });

  it('callers with a credential of their own are not concerned', () => {
    expect(admits({ host: 'hub.example' }, { kind: 'admin', name: 'admin' })).to.equal(true);
    expect(admits({ host: 'hub.example' }, { kind: 'client', appId: 'crm' })).to.equal(true);
  });
});
