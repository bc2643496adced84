import { createSchemaCheck } from '@bailing/schema';
import { expect } from 'chai';
import fc from 'fast-check';
import { compileOne, jsonBody, oneOperation } from '../test-support/document.js';
import { SchemaLibrary } from './library.js';
import { patternCheck } from './patterns.js';

type Members = Record<string, unknown>;

function library(schemas: Members, version: '3.0' | '3.1' = '3.1'): SchemaLibrary {
  return new SchemaLibrary({ root: { components: { schemas } }, version, duplicates: [] }, patternCheck());
}
const pointer = (name: string): string => `/components/schemas/${name}`;
const read = (schema: unknown, version: '3.0' | '3.1' = '3.1', more: Members = {}) => {
  const def = library({ It: schema, ...more }, version).at(pointer('It'));
  return {
    schema: def.schema,
    codes: def.settled?.notes.map((note) => `${note.severity} ${note.code} ${note.pointer.slice(pointer('It').length)}`),
  };
};

describe('a schema of a document', () => {
  it('is read as 2020-12, whichever spelling it has', () => {
    expect(read({ type: 'string', nullable: true }, '3.0').schema).to.deep.equal({ type: ['string', 'null'] });
    expect(read({ type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }, '3.0').schema).to.deep.equal({
      type: 'integer',
      exclusiveMinimum: 1,
      maximum: 9,
    });
    expect(read({ type: ['integer', 'null', 'integer'], exclusiveMinimum: 1 }).schema).to.deep.equal({
      type: ['integer', 'null'],
      exclusiveMinimum: 1,
    });
    expect(read({ type: 'array', items: [{ type: 'string' }], additionalItems: false }).schema).to.deep.equal({
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: false,
    });
    expect(read({ type: 'string', example: 'a' }, '3.0').schema).to.deep.equal({ type: 'string', examples: ['a'] });
    expect(read({ exclusiveMinimum: true }, '3.0').schema).to.deep.equal({});
  });

  it('loses what says nothing about values, and keeps words', () => {
    const raw = {
      $id: 'x',
      $schema: 'y',
      xml: {},
      discriminator: { propertyName: 'p' },
      'x-foo': 1,
      externalDocs: {},
      title: 'T',
      description: 'D',
      format: 'money',
      default: 3,
    };
    expect(read(raw)).to.deep.equal({ schema: { title: 'T', description: 'D', format: 'money', default: 3 }, codes: [] });
  });

  it('does not look for schemas inside values', () => {
    const schema = { enum: [{ nullable: true, $ref: '#/x' }], const: { type: 'nonsense' }, default: { $ref: '#/y' } };
    expect(read(schema)).to.deep.equal({ schema, codes: [] });
  });

  const broken: [unknown, string][] = [
    [{ type: 'float' }, 'error invalid_input_schema /type'],
    [{ type: [] }, 'error invalid_input_schema /type'],
    [{ properties: [7] }, 'error invalid_input_schema /properties'],
    [{ properties: { a: 'string' } }, 'error invalid_input_schema /properties/a'],
    [{ required: 'a' }, 'error invalid_input_schema /required'],
    [{ required: true }, 'warning required_not_a_list /required'],
    [{ enum: [] }, 'error invalid_input_schema /enum'],
    [{ enum: 'a' }, 'error invalid_input_schema /enum'],
    [{ minimum: '1' }, 'error invalid_input_schema /minimum'],
    [{ minLength: -1 }, 'error invalid_input_schema /minLength'],
    [{ multipleOf: 0 }, 'error invalid_input_schema /multipleOf'],
    [{ allOf: {} }, 'error invalid_input_schema /allOf'],
    [{ oneOf: [] }, 'error invalid_input_schema /oneOf'],
    [{ items: 3 }, 'error invalid_input_schema /items'],
    [{ pattern: 7 }, 'error invalid_input_schema /pattern'],
    [{ pattern: '(?<name' }, 'warning pattern_unsupported /pattern'],
    [{ nullable: true }, 'info nullable_without_type '],
    [{ $ref: 7 }, 'error ref_invalid /$ref'],
    [{ $ref: '#/components/schemas/None' }, 'error ref_unresolved /$ref'],
    [{ $ref: 'other.yaml#/A' }, 'error ref_external /$ref'],
    [{ $ref: 'https://example.com/a.json' }, 'error ref_external /$ref'],
    [{ $ref: 'file:///etc/passwd' }, 'error ref_external /$ref'],
    [{ $ref: '#/components/schemas/It' }, 'error ref_circular /$ref'],
    [{ allOf: [{ $ref: '#/components/schemas/It' }] }, 'error schema_judges_itself '],
    [{ anyOf: [{ type: 'string' }, { not: { $ref: '#/components/schemas/It' } }] }, 'error schema_judges_itself '],
    [7, 'error invalid_input_schema '],
    [null, 'error invalid_input_schema '],
  ];
  for (const [schema, expected] of broken)
    it(`says ${expected.trim()} of ${JSON.stringify(schema)}`, () => {
      expect(read(schema).codes).to.deep.equal([expected]);
    });

  it('gives a type that other languages use its name in JSON Schema', () => {
    const def = library({ It: { type: 'Float' } }).at(pointer('It'));
    expect(def.notes[0]?.suggestion).to.equal('Write number.');
  });

  it('leaves a pattern that cannot be checked to the business, and keeps those that can', () => {
    expect(read({ type: 'string', pattern: '^(?i)abc$' }).schema).to.deep.equal({ type: 'string' });
    expect(read({ type: 'string', pattern: '^[\\w\\-\\.]+\\_$' })).to.deep.equal({
      schema: { type: 'string', pattern: '^[\\w\\-\\.]+\\_$' },
      codes: [],
    });
    expect(read({ patternProperties: { '^a': { type: 'string' }, '(?<b': { type: 'string' } } })).to.deep.equal({
      schema: { patternProperties: { '^a': { type: 'string' } } },
      codes: ['warning pattern_unsupported /patternProperties/(?<b'],
    });
  });

  it('reads siblings of a reference by the version: together in 3.1, words only in 3.0', () => {
    const more = { Name: { type: 'string', maxLength: 5, description: 'A name' } };
    const ref = { $ref: '#/components/schemas/Name', description: 'Mine', minLength: 2 };
    expect(read(ref, '3.1', more).schema).to.deep.equal({
      description: 'Mine',
      minLength: 2,
      allOf: [{ type: 'string', maxLength: 5, description: 'A name' }],
    });
    expect(read(ref, '3.0', more).schema).to.deep.equal({ type: 'string', maxLength: 5, description: 'Mine' });
  });

  it('leaves out properties that only answers carry, and their requirement', () => {
    const more = { Id: { type: 'string', readOnly: true } };
    const schema = {
      type: 'object',
      required: ['id', 'ref', 'name'],
      properties: { id: { type: 'string', readOnly: true }, ref: { $ref: '#/components/schemas/Id' }, name: { type: 'string' } },
    };
    const result = read(schema, '3.0', more);
    expect(result.schema).to.deep.equal({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } });
    expect(result.codes).to.deep.equal(['info readonly_property_omitted /properties/id', 'info readonly_property_omitted /properties/ref']);
  });

  it('follows escaped pointers, percent-encoded ones, and pointers into other schemas', () => {
    const more = { 'a/b~c d': { type: 'string', description: 'odd' }, Deep: { type: 'object', properties: { x: { type: 'boolean' } } } };
    expect(read({ $ref: '#/components/schemas/a~1b~0c%20d' }, '3.1', more).schema).to.deep.equal({ type: 'string', description: 'odd' });
    expect(read({ $ref: '#/components/schemas/Deep/properties/x' }, '3.1', more).schema).to.deep.equal({ type: 'boolean' });
  });

  it('keeps members called __proto__ and constructor as plain names', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}') as unknown;
    const result = read(schema).schema as { properties: Members };
    expect(Object.keys(result.properties)).to.deep.equal(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(result.properties)).to.equal(Object.prototype);
  });
});

describe('references between schemas', () => {
  const ring = (size: number): Members =>
    Object.fromEntries(
      Array.from({ length: size }, (_, i) => [
        `N${i}`,
        { type: 'object', properties: { v: { type: 'integer' }, next: { $ref: `#/components/schemas/N${(i + 1) % size}` } } },
      ]),
    );

  it('are written out where the part is small and in no circle, and named where it is not', () => {
    const small = library({ A: { type: 'object', properties: { b: { $ref: pointer('B').replace('/', '#/') } } }, B: { type: 'string' } });
    expect(small.at(pointer('A')).schema).to.deep.equal({ type: 'object', properties: { b: { type: 'string' } } });
    const big = library({
      A: { properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { properties: Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, { type: 'string' }])) },
    });
    const def = big.at(pointer('A'));
    expect(def.schema).to.deep.equal({ properties: { b: { $ref: '#/$defs/B' } } });
    expect(Object.keys(big.closure(def.settled?.needs ?? new Set()).defs)).to.deep.equal(['B']);
  });

  it('in a ring of any length are kept under $defs, without recursion of the compiler', () => {
    for (const size of [1, 2, 8, 400]) {
      const lib = library(ring(size));
      const closure = lib.closure(new Set([pointer('N0')]));
      expect([Object.keys(closure.defs).length, closure.tooLarge]).to.deep.equal([size, false]);
    }
  });

  it('in a ring of 5,000 refuse the tool as too large, and in a chain of 5,000 cost no recursion', () => {
    const text = (schemas: Members) =>
      oneOperation(jsonBody({ type: 'object', properties: { n: { $ref: '#/components/schemas/N0' } } }), { components: { schemas } });
    expect(compileOne(text(ring(5_000))).said).to.include('error schema_too_large /paths/~1things/post');
    expect(compileOne(text({ ...ring(5_000), N4999: { type: 'string' } })).draft?.name).to.equal('thing_do');
  });

  it('that double at every step never multiply the result', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `D${i}`,
        {
          type: 'object',
          properties:
            i === 39
              ? { end: { type: 'string' } }
              : { a: { $ref: `#/components/schemas/D${i + 1}` }, b: { $ref: `#/components/schemas/D${i + 1}` } },
        },
      ]),
    );
    const { draft } = compileOne(oneOperation(jsonBody({ $ref: '#/components/schemas/D0' }), { components: { schemas } }));
    expect(JSON.stringify(draft?.input).length).to.be.lessThan(20_000);
  });

  it('are settled the same whoever asks first, and every name they use is there', () => {
    const graph = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(graph, fc.nat(11), (edges, start) => {
        const schemas = Object.fromEntries(
          edges.map((targets, i) => [
            `G${i}`,
            {
              type: 'object',
              properties: Object.fromEntries(targets.map((t, k) => [`p${k}`, { $ref: `#/components/schemas/G${t % edges.length}` }])),
            },
          ]),
        );
        const names = Object.keys(schemas);
        const [one, other] = [library(schemas), library(schemas)];
        for (const name of names) one.at(pointer(name));
        for (const name of [...names.slice(start % names.length), ...names].reverse()) other.at(pointer(name));
        const check = createSchemaCheck();
        for (const name of names) {
          const [a, b] = [one.at(pointer(name)), other.at(pointer(name))];
          expect(a.schema).to.deep.equal(b.schema);
          const input = { ...(a.schema as object), $defs: one.closure(a.settled?.needs ?? new Set()).defs };
          expect(check.tryCompile(input).ok).to.equal(true);
        }
      }),
      { numRuns: 25 },
    );
  });
});
