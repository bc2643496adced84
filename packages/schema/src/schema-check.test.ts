import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { createSchemaCheck } from './index.js';

const schemas = createSchemaCheck();

function problems(schema: unknown, value: unknown): string[] {
  const compiled = schemas.tryCompile(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validate(value).map(({ at, says }) => `${at}: ${says}`);
}

function refusals(schema: unknown): string[] {
  const compiled = schemas.tryCompile(schema);
  return compiled.ok ? [] : compiled.problems.map(({ at, says }) => `${at}: ${says}`);
}

describe('schemas of tool inputs', () => {
  it('name the field by its path and say what is wrong without repeating the value', () => {
    const schema = {
      type: 'object',
      required: ['reason'],
      additionalProperties: false,
      properties: {
        reason: { type: 'string' },
        tools: {
          type: 'object',
          properties: { sources: { type: 'array', items: { type: 'object', properties: { allow: { type: 'array' } } } } },
        },
      },
    };
    const value = { tools: { sources: [{ allow: 'hunter2-secret' }] }, reson: 'hunter2-secret' };
    const found = problems(schema, value);
    expect(found).to.have.members([
      'reason: This field is required.',
      'reson: There is no such field here; did you mean "reason"?',
      'tools.sources[0].allow: Must be a list, not text.',
    ]);
    expect(found.join()).not.to.contain('hunter2');
  });

  it('coerce nothing: "50" is not a number and "false" is not false', () => {
    const schema = { type: 'object', properties: { amount: { type: 'number' }, urgent: { type: 'boolean' } } };
    expect(problems(schema, { amount: '50', urgent: 'false' })).to.deep.equal([
      'amount: Must be a number, not text.',
      'urgent: Must be true or false, not text.',
    ]);
  });

  it('take a number written with a fraction of zero for a whole number, and money for a multiple of a cent', () => {
    expect(problems({ type: 'integer' }, 10.0)).to.deep.equal([]);
    expect(problems({ type: 'number', multipleOf: 0.01 }, 19.99)).to.deep.equal([]);
    expect(problems({ type: 'number', multipleOf: 0.01 }, 19.995)).to.deep.equal([': Must be a multiple of 0.01.']);
    expect(problems({ type: 'number' }, NaN)).to.have.length(1);
  });

  it('read OpenAPI 3.0: nullable, and exclusive bounds as flags', () => {
    const amount = { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: false, nullable: true };
    expect(problems(amount, null)).to.deep.equal([]);
    expect(problems(amount, 10)).to.deep.equal([]);
    expect(problems(amount, 0)).to.deep.equal([': Must be more than 0.']);
    expect(problems({ type: 'number', exclusiveMinimum: true }, -5)).to.deep.equal([]);
    expect(problems({ type: 'string' }, null)).to.deep.equal([': Must be text, not null.']);
  });

  it('read 2020-12 and draft-07: numeric exclusive bounds, prefixItems, lists under items, definitions', () => {
    expect(problems({ type: 'number', exclusiveMinimum: 0 }, 0)).to.have.length(1);
    for (const tuple of [
      { prefixItems: [{ type: 'string' }], items: false },
      { items: [{ type: 'string' }], additionalItems: false },
    ]) {
      expect(problems(tuple, ['a'])).to.deep.equal([]);
      expect(problems(tuple, [1])).to.deep.equal(['[0]: Must be text, not a whole number.']);
      expect(problems(tuple, ['a', 'b'])).to.have.length(1);
    }
    const list = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { id: { type: 'integer' } },
      items: { $ref: '#/definitions/id' },
    };
    expect(problems(list, [1, 'x'])).to.deep.equal(['[1]: Must be a whole number, not text.']);
    expect(problems({ dependencies: { card: ['holder'] } }, { card: 1 })).to.deep.equal([
      'holder: This field is required when "card" is given.',
    ]);
    expect(problems({ type: ['string', 'null'], const: 'x' }, 'y')).to.deep.equal([': Must be "x".']);
  });

  it('let a field named like a keyword be a field', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' }, pattern: { type: 'string' }, nullable: { type: 'string' }, items: { type: 'array' } },
    };
    expect(problems(schema, { id: 1 })).to.deep.equal(['id: Must be text, not a whole number.']);
    expect(problems({ enum: [{ id: 1, nullable: true }] }, { id: 1, nullable: true })).to.deep.equal([]);
  });

  it('do not mistake what every object inherits for a field', () => {
    expect(problems({ type: 'object', required: ['toString'] }, {})).to.deep.equal(['toString: This field is required.']);
    expect(problems({ type: 'object', properties: { constructor: { type: 'string' } } }, {})).to.deep.equal([]);
    expect(problems({ type: 'object', additionalProperties: false }, JSON.parse('{"__proto__": 1}'))).to.have.length(1);
  });

  it('treat unknown keywords as remarks and unknown formats as warnings', () => {
    const compiled = schemas.tryCompile({
      type: 'string',
      format: 'phone',
      example: 'x',
      xml: {},
      deprecated: true,
      'x-label': 'y',
      weird: 1,
    });
    expect(compiled.ok && compiled.warnings).to.deep.equal([{ at: 'format', says: 'The format "phone" is not known and checks nothing.' }]);
    expect(compiled.ok && compiled.validate('anything')).to.deep.equal([]);
  });

  it('never answer a promise, whatever the schema asks for', () => {
    const compiled = schemas.tryCompile({ $async: true, type: 'string' });
    expect(compiled.ok && compiled.validate(5)).to.have.length(1);
  });

  it('check the formats that are known', () => {
    expect(problems({ type: 'string', format: 'date' }, '2026-02-30')).to.deep.equal([': Must be written in the format "date".']);
    expect(problems({ type: 'string', format: 'email' }, 'a@example.com')).to.deep.equal([]);
    expect(problems({ type: 'integer', format: 'int32' }, 2 ** 31)).to.have.length(1);
    expect(problems({ type: 'string', format: 'uri' }, `https://example.com/${'a'.repeat(5_000)}`)).to.have.length(1);
  });

  it('fold the branches of an alternative into one sentence, or into the branch that was meant', () => {
    expect(problems({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, true)).to.deep.equal([
      ': Must be text or a whole number, not true or false.',
    ]);
    const either = { oneOf: [{ type: 'object', properties: { id: { type: 'integer' } } }, { type: 'string' }] };
    expect(problems(either, { id: 'x' })).to.deep.equal(['id: Must be a whole number, not text.']);
    expect(problems({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1)).to.deep.equal([
      ': Fits more than one form where exactly one is allowed.',
    ]);
  });

  it('report at most twenty problems', () => {
    const many = problems(
      { type: 'array', items: { type: 'integer' } },
      Array.from({ length: 500 }, () => 'x'),
    );
    expect(many).to.have.length(20);
  });

  it('answer whether items repeat without comparing every pair', () => {
    const unique = { type: 'array', uniqueItems: true };
    const items = Array.from({ length: 30_000 }, (_, index) => ({ a: index, b: [index] }));
    const before = performance.now();
    expect(problems(unique, items)).to.deep.equal([]);
    expect(performance.now() - before).to.be.below(2_000);
    expect(
      problems(unique, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).to.deep.equal([': Must not contain the same item twice.']);
  });

  it('refuse a value that is nested too deeply instead of falling over', () => {
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i++) deep = { child: deep };
    expect(problems({ type: 'object', properties: { child: { $ref: '#' } } }, deep)).to.deep.equal([': The value is nested too deeply.']);
  });
});

describe('schemas that cannot be used', () => {
  it('are refused with the place and a reason, never with a throw', () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle['properties'] = { self: circle };
    expect(refusals({ properties: { code: { pattern: '([a-z' } } })).to.deep.equal([
      'properties.code.pattern: The pattern opens a character class and never closes it.',
    ]);
    expect(refusals({ properties: { code: { type: 'varchar' } } })[0]).to.match(/^properties\.code\.type: Must be/);
    expect(refusals({ properties: { code: { required: true } } })).to.deep.equal([
      'properties.code.required: Must be a list, not true or false.',
    ]);
    expect(refusals({ $ref: '#/$defs/nobody' })).to.deep.equal(['$ref: The reference "#/$defs/nobody" leads nowhere inside the schema.']);
    expect(refusals({ $ref: 'https://example.com/x.json' })[0]).to.contain('leads nowhere');
    expect(refusals(circle)).to.deep.equal(['properties.self: The schema contains itself; name the inner part with $ref instead.']);
    for (const odd of [null, undefined, 7, 'object', [], () => 1]) expect(refusals(odd), String(odd)).to.have.length(1);
  });

  it('are refused where a reference leaves the schema or leads to data, and used where it leads to a schema', () => {
    const defs = { $defs: { 'a b/c': { type: 'integer' }, n: { $anchor: 'named', type: 'string' } }, example: { type: 'integer' } };
    expect(problems({ ...defs, $ref: '#/$defs/a%20b~1c' }, 'x')).to.deep.equal([': Must be a whole number, not text.']);
    expect(problems({ ...defs, $ref: '#named' }, 1)).to.have.length(1);
    expect(refusals({ ...defs, $ref: '#nobody' })[0]).to.contain('leads nowhere');
    expect(refusals({ ...defs, $ref: '#/%' })[0]).to.contain('leads nowhere');
    expect(refusals({ ...defs, properties: { a: { $ref: '#/example' } } })).to.deep.equal([
      'properties.a.$ref: The reference "#/example" leads to something that is not a schema.',
    ]);
    expect(problems({ $defs: { loop: { $ref: '#/$defs/loop' } }, $ref: '#/$defs/loop' }, 1)).to.deep.equal([
      ': The schema is nested too deeply.',
    ]);
  });

  it('are refused where they are too deep or too large', () => {
    let deep: unknown = {};
    for (let i = 0; i < 5_000; i++) deep = { not: deep };
    expect(refusals(deep)).to.have.length(1);
    expect(refusals({ anyOf: Array.from({ length: 20_001 }, () => ({})) })).to.deep.equal(['anyOf[19999]: The schema is too large.']);
  });

  it('make compile throw an error of the catalogue', () => {
    expect(() => schemas.compile({ pattern: '(' }))
      .to.throw(BailingError)
      .with.property('code', 'BAILING_SCHEMA_INVALID');
  });
});

describe('compiled schemas', () => {
  it('are kept by content, and the least recently used one is let go', () => {
    const room = createSchemaCheck({ cacheSize: 2 });
    const first = room.tryCompile({ type: 'string' });
    expect(room.tryCompile({ type: 'string' })).to.equal(first);
    room.tryCompile({ type: 'number' });
    room.tryCompile({ type: 'string' });
    room.tryCompile({ type: 'boolean' });
    expect(room.tryCompile({ type: 'string' })).to.equal(first);
    const number = room.tryCompile({ type: 'number' });
    expect(number.ok && number.validate('x')).to.have.length(1);
  });

  it('do not share state: the problems of one value are not those of the next', () => {
    const validate = schemas.compile({ type: 'string' });
    expect(validate(1)).to.have.length(1);
    expect(validate('x')).to.have.length(0);
  });
});
