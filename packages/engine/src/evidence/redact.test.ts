import { expect } from 'chai';
import { REDACTION, redactValue } from './redact.js';

/** WIRE §15.4: each rule with what it takes, and with what looks like it and stays. */
const TEXTS: Readonly<Record<string, readonly (readonly [text: string, redacted: string])[]>> = {
  email: [
    ['write to ada.l+x@mail.example.com now', 'write to [REDACTED_EMAIL] now'],
    ['a@b', 'a@b'],
  ],
  phone_cn: [
    ['call 13800138005.', 'call [REDACTED_PHONE].'],
    ['number 12800138005', 'number 12800138005'],
    ['order 9913800138005', 'order 9913800138005'],
    ['at 1718000000000', 'at 1718000000000'],
  ],
  id_card_cn: [
    ['id 11010519491231002X', 'id [REDACTED_ID]'],
    ['id 110105194913310021', 'id 110105194913310021'],
  ],
  bearer_token: [
    ['Authorization was bearer abcdef0123456789', 'Authorization was Bearer [REDACTED_TOKEN]'],
    ['Bearer of news', 'Bearer of news'],
  ],
  secret_like: [
    ['sk-abcdef0123456789abcd', '[REDACTED_SECRET]'],
    ['eyJhbGciOiJIUzI1NiJ9.x', '[REDACTED_SECRET]'],
    ['skateboards-are-fun', 'skateboards-are-fun'],
  ],
};

describe('redaction of evidence', () => {
  it('names every rule of the contract, each with an example here', () => {
    expect(REDACTION.applied).to.equal(true);
    expect(REDACTION.rules).to.include.members(Object.keys(TEXTS));
    expect(Object.keys(TEXTS).sort()).to.deep.equal(['bearer_token', 'email', 'id_card_cn', 'phone_cn', 'secret_like']);
  });

  for (const [rule, examples] of Object.entries(TEXTS))
    it(`${rule}: in text, in JSON inside text, in a list and in the name of a member`, () => {
      for (const [text, redacted] of examples) {
        expect(redactValue(text)).to.equal(redacted);
        expect(redactValue(JSON.stringify({ said: text }))).to.equal(JSON.stringify({ said: redacted }));
        expect(redactValue([{ said: [text] }])).to.deep.equal([{ said: [redacted] }]);
        if (rule !== 'bearer_token') expect(redactValue({ [text]: 1 })).to.deep.equal({ [redacted]: 1 });
      }
    });

  it('numbers of people are theirs as numbers too; other numbers stay numbers', () => {
    expect(redactValue({ a: 13_800_138_005, b: 12_800_138_005, c: 1_718_000_000_000, d: 1.5, e: -3 })).to.deep.equal({
      ...{ a: '[REDACTED_PHONE]', b: 12_800_138_005, c: 1_718_000_000_000, d: 1.5, e: -3 },
    });
  });

  it('members by name: scalars, objects and lists, in any letter case and form; null and empty stay', () => {
    const names = [
      'password',
      'passwd',
      'pwd',
      'secret',
      'token',
      'api_key',
      'apiKey',
      'access-key',
      'secret_key',
      'Authorization',
      'COOKIE',
    ];
    for (const name of [...names, 'credential', 'my_credentials_v2'])
      expect(redactValue({ [name]: 'x', deep: { [name]: 5 } }), name).to.deep.equal({
        [name]: '[REDACTED_SECRET]',
        deep: { [name]: '[REDACTED_SECRET]' },
      });
    expect(redactValue({ tokens: { a: 1 }, secrets: ['x', null, { y: 1 }], token: null, pwd: '' })).to.deep.equal({
      ...{ tokens: '[REDACTED_SECRET_OBJECT]', secrets: ['[REDACTED_SECRET]', null, '[REDACTED_SECRET_OBJECT]'], token: null, pwd: '' },
    });
  });

  it('what lies deeper than twelve is not shown at all', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'leaf' : { a: nested(depth - 1) });
    expect(JSON.stringify(redactValue(nested(12)))).to.contain('leaf');
    const deep = JSON.stringify(redactValue(nested(13)));
    expect(deep).to.contain('[REDACTED_MAX_DEPTH]').and.not.contain('leaf');
  });

  it('a JSON text that was cut off keeps no secret either, and ids of the hub stay whole', () => {
    expect(redactValue('{"password":"hunter2","no')).to.equal('{"password":"[REDACTED_SECRET]","no');
    for (const id of ['13800138-0050-4000-8000-138001380051', '1'.repeat(64)]) expect(redactValue({ id })).to.deep.equal({ id });
  });
});
