import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { BailingConfig, HubResource } from '@bailing/resources';
import { authenticator, checkServerToken, isLoopback } from './authenticate.js';
import { defaultCredential } from './brains.js';
import { redactText } from './log.js';

const hub = (more: Partial<HubResource>): HubResource => ({ environment: 'development', host: '127.0.0.1', ...more }) as HubResource;
const refused = (more: Partial<HubResource>) => {
  try {
    checkServerToken(hub(more));
    return false;
  } catch (error) {
    expect(error).to.be.instanceOf(BailingError);
    if (more.token) expect(String(error)).to.not.include(more.token);
    return true;
  }
};

describe('hub: credentials (WIRE §1.1)', () => {
  it('needs a server token everywhere but in development on loopback', () => {
    expect(refused({})).to.equal(false);
    expect(refused({ host: '0.0.0.0' })).to.equal(true);
    expect(refused({ environment: 'production' })).to.equal(true);
    expect(refused({ host: '::1' })).to.equal(false);
  });

  it('refuses short tokens and published examples where they matter', () => {
    expect(refused({ token: 'short' })).to.equal(true);
    expect(refused({ token: 'sixteen-chars-ok' })).to.equal(false);
    expect(refused({ token: 'sixteen-chars-ok', host: '0.0.0.0' })).to.equal(true);
    expect(refused({ token: 'change-me-change-me-change-me', environment: 'production' })).to.equal(true);
    expect(refused({ token: 'b7c1f0a2d4e6987766554433aa', environment: 'production' })).to.equal(false);
  });

  it('knows loopback', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost', '0.0.0.0', '10.0.0.1', '::'].map(isLoopback)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('resolves server, client and executor tokens; wrong, short and disabled ones are nobody', async () => {
    const config = {
      hub: hub({ token: 'server-token-0123456789' }),
      clients: [
        { app_id: 'crm', token: 'client-token-0123456789', enabled: true },
        { app_id: 'off', token: 'disabled-token-0123456', enabled: false },
      ],
      executor_tokens: [{ name: 'w', token: 'executor-token-01234567', allowed_targets: ['a'], enabled: true }],
    } as unknown as BailingConfig;
    const who = authenticator(config);
    expect(await who('server-token-0123456789')).to.deep.equal({ kind: 'admin', name: 'admin' });
    expect(await who('client-token-0123456789')).to.deep.equal({ kind: 'client', appId: 'crm' });
    expect(await who('executor-token-01234567')).to.deep.equal({ kind: 'executor', name: 'w', allowedTargets: ['a'] });
    for (const wrong of ['disabled-token-0123456', 'server-token-012345678', 'x', '', null])
      expect(await who(wrong), String(wrong)).to.equal(null);
  });

  it('without a server token a request without credential is dev, a wrong credential is still nobody', async () => {
    const who = authenticator({ hub: hub({}), clients: [], executor_tokens: [] });
    expect(await who(null)).to.deep.equal({ kind: 'admin', name: 'dev' });
    expect(await who('some-wrong-token-value')).to.equal(null);
  });
});

describe('hub: the model where a route names none', () => {
  it('is the embedded planner without the environment, the endpoint with all of it, and an error with half of it', () => {
    expect(defaultCredential({})).to.deep.equal({ name: 'rules', provider: 'rules' });
    const all = { BAILING_LLM_BASE_URL: 'http://x/v1', BAILING_LLM_API_KEY: 'k', BAILING_LLM_MODEL: 'm' };
    expect(defaultCredential(all)).to.include({ provider: 'openai', base_url: 'http://x/v1', default_model: 'm' });
    expect(() => defaultCredential({ ...all, BAILING_LLM_MODEL: '' })).to.throw(BailingError);
  });
});

describe('hub: the log', () => {
  it('blanks bearer values, key-like words and passwords in addresses', () => {
    const text = redactText('Bearer abcdefghijklmnopqrst and sk-abcdefghijklmnopqrst and mysql://root:hunter2@db/x');
    expect(text).to.not.match(/abcdefghijklmnop|hunter2/);
    expect(text).to.include('Bearer [redacted]').and.include('mysql://root:[redacted]@db/x');
  });
});
