import { expect } from 'chai';
import fc from 'fast-check';
import { createSchemaCheck } from '../index.js';
import { compilePattern } from './index.js';

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern, { left: 1_000_000 });
  if (!compiled.ok) throw new Error(compiled.says);
  return compiled.pattern.test(text);
}

function refused(pattern: string): string {
  const compiled = compilePattern(pattern, { left: 0 });
  return compiled.ok ? '' : compiled.says;
}

/** The native engine asked at every character: on its own it also starts inside a surrogate pair, which ECMAScript forbids. */
function nativeMatches(source: string, text: string): boolean {
  const sticky = new RegExp(source, 'uy');
  for (let at = 0; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    sticky.lastIndex = at;
    if (sticky.test(text)) return true;
  }
  return false;
}

/** Patterns over a small alphabet, rich in nesting, so that short texts meet every construct. */
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'groups' },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\w',
      '\\W',
      '\\s',
      '[ab]',
      '[^a]',
      '[a-c1]',
      '\\b',
      '\\B',
      '^',
      '$',
      '\\x61',
      '\\u{1F600}',
      '\\p{L}',
      '-',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    fc.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('pattern')).map(([look, inner]) => `(${look}${inner})`),
  ),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?'))
    .map(([atom, count]) => (/^(\\b|\\B|\^|\$|\(\?[=!<])/i.test(atom) && !atom.startsWith('(?:') ? atom : atom + count)),
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((all) => all.join('|')),
}));

describe('bounded patterns', () => {
  it('agree with the native engine on every pattern and text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '-', '\n', '😀', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        fc.pre(source.length < 120);
        expect(matches(source, value), `${source} on ${JSON.stringify(value)}`).to.equal(nativeMatches(source, value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('agree with the native engine on the patterns that documents really carry', () => {
    const patterns = [
      '^[A-Z]{2}-\\d{6}$',
      '^(\\d+,)*\\d+$',
      '^(?=.*[A-Z])(?=.*\\d).{8,64}$',
      '^(?!\\s)[\\s\\S]*$',
      '(?<year>\\d{4})-\\d\\d',
      '^[\\u4e00-\\u9fa5]{2,8}$',
      '^\\p{Script=Han}+$',
      '^https?://[^/]+/',
    ];
    const texts = [
      '',
      'AB-123456',
      'AB-1234567',
      '1,22,333',
      '1,',
      'Password1',
      'password',
      ' x',
      'x y\n',
      'on 2026-11-30',
      '退款申请',
      'https://example.com/x',
    ];
    for (const source of patterns)
      for (const text of texts) expect(matches(source, text), `${source} ${text}`).to.equal(new RegExp(source, 'u').test(text));
  });

  it('forgive punctuation that is escaped without need, as documents of every language do', () => {
    expect(matches('^[\\w\\-\\.\\_\\@]+\\@\\w+$', 'a.b-c_@d')).to.equal(true);
    expect(matches('^[\\w-.]+$', 'a-b.c')).to.equal(true);
    expect(matches('^{x}$', '{x}')).to.equal(true);
  });

  it('refuse what JSON Schema does not know, with a sentence', () => {
    for (const bad of [
      '(',
      ')',
      '[a',
      'a**',
      '*a',
      'a++',
      '(?i)a',
      '(?P<x>a)',
      '\\A',
      '\\Z',
      '[\\q]',
      'a{3,2}',
      '\\',
      '[z-a]',
      '\\p{Nope}',
      '(?<x',
      '\\u12',
    ]) {
      expect(refused(bad), bad).to.match(/^The pattern .*\.$|^A character class .*\.$/);
    }
    expect(refused('(a)\\1')).to.equal('The pattern refers back to an earlier group, which cannot be checked in bounded time.');
  });

  it('refuse what would be too large, quickly', () => {
    const before = performance.now();
    expect(matches('((){100000}){100000}', '')).to.equal(true);
    for (const huge of [
      '(a{1000}){1000}',

      `${'('.repeat(100)}a${')'.repeat(100)}`,
      'a'.repeat(2_001),
      '(((a{0,99}){0,99}){0,99}){0,99}',
      'a{0,999999999}',
    ]) {
      expect(refused(huge), huge.slice(0, 40)).not.to.equal('');
    }
    expect(performance.now() - before).to.be.below(500);
  });

  it('stay quick where a backtracking engine would hang', () => {
    const evil = [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '(a*)*b',
      '^(\\w+\\s?)*$',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(?=(a+)+b)',
      '^(?:a?){50}a{50}$',
    ];
    const before = performance.now();
    for (const source of evil) matches(source, `${'a'.repeat(2_000)}!`);
    expect(performance.now() - before).to.be.below(3_000);
  });

  it('give up after a fixed number of steps, and then the whole value is refused, even under "not"', () => {
    const schemas = createSchemaCheck();
    const heavy = `^(${'a?'.repeat(300)})*b$`;
    for (const schema of [{ pattern: heavy }, { not: { pattern: heavy } }]) {
      const compiled = schemas.tryCompile(schema);
      expect(compiled.ok && compiled.validate('a'.repeat(100_000))).to.deep.equal([
        { at: '', says: 'The value is too long to be checked against the patterns of its schema.' },
      ]);
      expect(compiled.ok && compiled.validate('ab').length).to.equal('pattern' in schema ? 0 : 1);
    }
  });

  it('keep two patterns of one schema apart', () => {
    const compiled = createSchemaCheck().tryCompile({
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^x-(a+)+$': false },
    });
    expect(compiled.ok && compiled.validate({ a: 'a', b: 'b' })).to.deep.equal([]);
    expect(compiled.ok && compiled.validate({ a: 'b', b: 'a', 'x-aa': 1 })).to.have.length(3);
  });

  it('do not let a format run away either', () => {
    const schemas = createSchemaCheck();
    const before = performance.now();
    for (const format of [
      'email',
      'url',
      'uri',
      'uri-reference',
      'uri-template',
      'hostname',
      'ipv6',
      'duration',
      'json-pointer',
      'byte',
      'date-time',
    ]) {
      const compiled = schemas.tryCompile({ format });
      for (const text of ['a', ':', '.', '1', 'a@', '/', '%', 'http://a:', 'a.', '-']) {
        if (compiled.ok) compiled.validate(`${text.repeat(Math.floor(4_000 / text.length))}\n`);
        if (compiled.ok) compiled.validate(text.repeat(100_000));
      }
    }
    expect(performance.now() - before).to.be.below(5_000);
  });
});
