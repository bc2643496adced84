import { expect } from 'chai';
import { createSchemaCheck } from './index.js';

const schemas = createSchemaCheck();

function configure(schema: unknown, value: unknown): unknown {
  const compiled = schemas.compileConfig(schema);
  if (!compiled.ok) return compiled.problems.map(({ at, says }) => `schema ${at}: ${says}`);
  const checked = compiled.check(value);
  return checked.ok ? checked.value : checked.problems.map(({ at, says }) => `${at}: ${says}`);
}

describe('configuration schemas', () => {
  it('fill in defaults, nested ones too, without touching what was given', () => {
    const schema = {
      type: 'object',
      properties: {
        until: { type: 'integer', default: 18 },
        retry: { type: 'object', default: {}, properties: { times: { type: 'integer', default: 3 } } },
      },
    };
    const given = {};
    expect(configure(schema, given)).to.deep.equal({ until: 18, retry: { times: 3 } });
    expect(given).to.deep.equal({});
  });

  it('refuse what they do not declare, at every depth, and name the field that was probably meant', () => {
    const schema = { type: 'object', properties: { retry: { type: 'object', properties: { times: { type: 'integer' } } } } };
    expect(configure(schema, { retry: { time: 3 }, other: 1 })).to.have.members([
      'retry.time: There is no such field here; did you mean "times"?',
      'other: There is no such field here.',
    ]);
  });

  it('let an object be open where it says so', () => {
    expect(configure({ type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } }, { b: 'x' })).to.deep.equal({
      b: 'x',
    });
    expect(configure({ type: 'object' }, { b: 'x' })).to.deep.equal({ b: 'x' });
  });

  it('count the fields of all parts of a composed object', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ properties: { b: { type: 'string' } } }] };
    expect(configure(schema, { a: 'x', b: 'y' })).to.deep.equal({ a: 'x', b: 'y' });
    expect(configure(schema, { a: 'x', c: 'y' })).to.deep.equal(['c: There is no such field here.']);
  });

  it('refuse keywords and formats that nobody knows, so that a typo in a schema cannot switch a check off', () => {
    expect(configure({ type: 'object', properties: { a: { type: 'string', maxLenght: 3 } } }, {})).to.deep.equal([
      'schema properties.a.maxLenght: There is no keyword "maxLenght" in JSON Schema.',
    ]);
    expect(configure({ type: 'object', properties: { a: { type: 'string', format: 'phone' } } }, {})).to.deep.equal([
      'schema properties.a.format: The format "phone" is not known and checks nothing.',
    ]);
  });

  it('allow every keyword of JSON Schema and remarks that start with x-', () => {
    const words = {
      title: 't',
      description: 'd',
      default: 'a',
      examples: ['a'],
      writeOnly: true,
      readOnly: false,
      deprecated: false,
      $comment: 'c',
      'x-order': 1,
    };
    expect(
      configure(
        { type: 'object', $defs: { n: { $anchor: 'n', ...words, type: 'string' } }, properties: { a: { $ref: '#/$defs/n' } } },
        { a: 'b' },
      ),
    ).to.deep.equal({ a: 'b' });
    const rest = {
      if: {},
      then: {},
      else: {},
      not: false,
      contains: {},
      minContains: 0,
      maxContains: 9,
      dependentRequired: {},
      contentMediaType: 'a/b',
      contentEncoding: 'base64',
    };
    expect(configure({ properties: { a: rest } }, {})).to.deep.equal({});
  });

  it('never repeat a secret and never coerce', () => {
    const said = configure(
      { type: 'object', properties: { key: { type: 'string', maxLength: 3, writeOnly: true }, port: { type: 'integer' } } },
      { key: 'hunter2', port: '80' },
    );
    expect(said).to.deep.equal(['key: Must have at most 3 characters.', 'port: Must be a whole number, not text.']);
  });

  it('refuse what is not plain data', () => {
    expect(configure({ type: 'object' }, { run: () => 1 })).to.deep.equal([
      ': Must be plain data: text, numbers, true, false, null, lists and objects.',
    ]);
  });
});
