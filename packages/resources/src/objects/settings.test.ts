import { expect } from 'chai';
import { kindOf } from './kinds.js';
import { masked, maskedSecrets, movedAddresses, withKeptSecrets } from './mask.js';
import { placeText, secretPlaces, withoutSecrets, type SettingsSchema } from './settings.js';

const channels = kindOf('channels');
const text = { type: 'string' };
const hidden = { type: 'string', writeOnly: true };
const schema = {
  type: 'object',
  properties: {
    url: text,
    base_url: { type: 'string', default: 'https://api.example/v1' },
    key: hidden,
    deep: { type: 'object', properties: { password: hidden, user: text } },
    servers: { type: 'array', items: { type: 'object', properties: { host: text, password: hidden } } },
    headers: { type: 'object', additionalProperties: text },
    either: { anyOf: [{ type: 'integer' }, hidden] },
    referred: { $ref: '#/$defs/x' },
    vault: { type: 'object', writeOnly: true },
    open: { type: 'object' },
  },
};
const schemas: SettingsSchema = (_member, kind) => (kind === 'known' ? schema : undefined);
const secrets = (config: object, by: object | undefined = schema) => secretPlaces(config, by as typeof schema).map(placeText);
const channel = (config: object, kind = 'known') => ({ name: 'ops', kind, config });
const kept = (raw: object, before: object) => withKeptSecrets(channels, raw as never, before as never, schemas)['config'];
const moved = (after: object, before: object, kind = 'known') =>
  movedAddresses(channels, channel(after, kind), channel(before, kind), schemas).map(({ at }) => at);

describe('The settings of a plugin', () => {
  it('are secret where its schema says so, at any depth, and wherever it declares nothing', () => {
    const config = {
      ...{ url: 'u', key: 'k', deep: { password: 'p', user: 'u' }, headers: { 'x.y': 'v' }, either: 'e', referred: 'r' },
      ...{ servers: [{ host: 'h', password: 'p' }], vault: { pin: 7, on: null }, open: { any: 'a', count: 3 }, stray: 's' },
    };
    expect(secrets(config).sort()).to.deep.equal(
      ['key', 'deep.password', 'either', 'referred', 'servers[0].password', 'vault.pin', 'open.any', 'stray'].sort(),
    );
    expect(withoutSecrets(config, schema)).to.deep.equal({
      ...{ url: 'u', deep: { user: 'u' }, headers: { 'x.y': 'v' }, servers: [{ host: 'h' }] },
      ...{ vault: { on: null }, open: { count: 3 } },
    });
  });

  it('are all secret where nobody knows the kind, and the names of the contract always are', () => {
    expect(secretPlaces({ url: 'u', list: ['a'], n: 1 }, undefined).map(placeText)).to.deep.equal(['url', 'list[0]']);
    expect(secrets({ token: 't', secret: 's' }, { type: 'object', properties: { token: text, secret: text } })).to.deep.equal([
      'token',
      'secret',
    ]);
    expect(masked(channels, channel({ url: 'u', n: 1 }, 'unknown'), schemas)).to.deep.equal(channel({ url: '…', n: 1 }, 'unknown'));
  });

  it('keep what a change leaves out, blanks or sends back as it was shown, and nothing of another kind or of a list', () => {
    const before = channel({ url: 'u', key: 'k', deep: { password: 'p', user: 'x' }, servers: [{ host: 'h', password: 'q' }] });
    const shown = masked(channels, before, schemas);
    expect(shown).to.deep.equal(
      channel({ url: 'u', key: '…', deep: { password: '…', user: 'x' }, servers: [{ host: 'h', password: '…' }] }),
    );
    expect(kept({ ...shown, config: { url: 'u', key: '…', deep: {} } }, before)).to.deep.equal({
      url: 'u',
      key: 'k',
      deep: { password: 'p' },
    });
    expect(kept(channel({ url: 'u', key: 'new', deep: { password: '' } }), before)).to.deep.equal({
      url: 'u',
      key: 'new',
      deep: { password: 'p' },
    });
    expect(kept({ name: 'ops', kind: 'known' }, before)).to.deep.equal({ key: 'k', deep: { password: 'p' } });
    expect(kept(channel({ url: 'u' }, 'other'), before)).to.deep.equal({ url: 'u' });
    expect(kept({ ...before, config: 'no object' }, before)).to.equal('no object');
    expect(kept(channel({ servers: [{ host: 'elsewhere' }] }), before)).to.have.deep.property('servers', [{ host: 'elsewhere' }]);
    expect(maskedSecrets(channels, shown)).to.deep.equal(['config.key', 'config.deep.password', 'config.servers[0].password']);
    expect(maskedSecrets(channels, channel({ url: 'An ellipsis… in words' }))).to.deep.equal([]);
  });

  it('take a kept secret to no other address: one that changes, is new, or is the last to go', () => {
    const before = { url: 'https://a.example/in', key: 'k' };
    expect(moved({ url: 'https://a.example/other' }, before)).to.deep.equal([]);
    expect(moved({ url: 'https://b.example/in' }, before)).to.deep.equal(['config.url']);
    expect(moved({ url: 'http://a.example/in' }, before)).to.deep.equal(['config.url']);
    expect(moved({ url: 'https://b.example/in', key: 'again' }, before)).to.deep.equal([]);
    expect(moved({ url: before.url, base_url: 'https://b.example' }, before)).to.deep.equal(['config.base_url']);
    expect(moved({}, { base_url: 'https://b.example', key: 'k' })).to.deep.equal(['config.base_url']);
    expect(moved({ host: 'b.example', port: 25, p: '' }, { host: 'a.example', port: 25, p: 'x' }, 'unknown')).to.deep.equal([
      'config.host',
    ]);
    expect(moved({ host: 'a.example', port: 26, p: '' }, { host: 'a.example', port: 25, p: 'x' }, 'unknown')).to.deep.equal([
      'config.host',
    ]);
    expect(moved({ address: 'smtp://b', p: '' }, { address: 'smtp://a', p: 'x' }, 'unknown')).to.deep.equal(['config.address']);
    expect(moved({ user: 'x', p: '' }, { host: 'a.example', user: 'x', p: 'x' }, 'unknown')).to.deep.equal([]);
    expect(moved({ user: 'x' }, { url: 'https://a.example', user: 'x', vault: { pin: 'x' } })).to.deep.equal([]);
  });
});
