import { expect } from 'chai';
import { SecretFinder } from './secret-finder.js';

describe('secrets in texts of others', () => {
  const secret = 'k"ey+of/the house';

  it('are found plain and as they travel, the longest first, and short ones are left alone', () => {
    const finder = new SecretFinder([secret, 'abcdefgh', 'abcdefghijkl', 'short']);
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    for (const form of forms) expect(finder.blank(`a ${form} b ${form}`)).to.equal('a [secret] b [secret]');
    expect(finder.blank('abcdefghijkl abcdefghi')).to.equal('[secret] [secret]i');
    expect(finder.blank('abcdefg short')).to.equal('abcdefg short');
    expect(new SecretFinder(['']).blank('text')).to.equal('text');
  });

  it('are looked for in one pass, however many there are and however alike they begin', () => {
    const finder = new SecretFinder(Array.from({ length: 5_000 }, (_, i) => `client-token-${String(i).padStart(8, '0')}`));
    const text = 'client-tokens are not client-token-00004999. '.repeat(20_000);
    const began = performance.now();
    expect(finder.blank(text)).to.equal('client-tokens are not [secret]. '.repeat(20_000));
    expect(performance.now() - began).to.be.lessThan(1_000);
  });
});
