import { expect } from 'chai';
import { compileOne, jsonBody, oneOperation } from '../test-support/document.js';

type Members = Record<string, unknown>;
const text = { type: 'string', description: 'Said' };
const body = (content: unknown, more: Members = {}): Members => ({ requestBody: { required: true, content, ...more } });
const form = (schema: unknown, encoding?: unknown) =>
  body({ 'application/x-www-form-urlencoded': { schema, ...(encoding ? { encoding } : {}) } });
const multipart = (schema: unknown, encoding?: unknown) => body({ 'multipart/form-data': { schema, ...(encoding ? { encoding } : {}) } });
const bindingOf = (operation: Members, more: Members = {}) => compileOne(oneOperation(operation, more)).draft?.binding;
const saidOf = (operation: Members, more: Members = {}) =>
  compileOne(oneOperation(operation, more)).said.filter((one) => !one.startsWith('info'));
const member = (name: string, more: Members = {}): Members => ({ [name]: { in: 'body', name, ...more } });

describe('a JSON body', () => {
  it('that is an object gives an argument for each member, and is sent as application/json', () => {
    const binding = bindingOf(jsonBody({ type: 'object', properties: { a: text, b: text } }));
    expect([binding?.args, binding?.body]).to.deep.equal([{ ...member('a'), ...member('b') }, undefined]);
  });

  it('keeps a media type of its own', () => {
    expect(
      bindingOf(body({ 'application/vnd.shop+json; charset=utf-8': { schema: { type: 'object', properties: { a: text } } } }))?.body,
    ).to.deep.equal({ mediaType: 'application/vnd.shop+json' });
    expect(bindingOf(body({ '*/*': { schema: { type: 'object', properties: { a: text } } } }))?.body).to.equal(undefined);
  });

  it('is preferred to forms, and application/json to its relatives', () => {
    const schema = { type: 'object', properties: { a: text } };
    const content = {
      'multipart/form-data': { schema },
      'application/problem+json': { schema },
      'application/x-www-form-urlencoded': { schema },
      'application/json': { schema },
    };
    expect(bindingOf(body(content))?.body).to.equal(undefined);
    const { ['application/json']: _json, ...rest } = content;
    expect(bindingOf(body(rest))?.body).to.deep.equal({ mediaType: 'application/problem+json' });
  });

  const joined: [string, Members][] = [
    ['allOf of objects', { allOf: [{ type: 'object', required: ['a'], properties: { a: text } }, { $ref: '#/components/schemas/B' }] }],
    [
      'allOf with rules of its own beside',
      { type: 'object', properties: { a: text }, allOf: [{ required: ['a'] }, { $ref: '#/components/schemas/B' }] },
    ],
    ['a reference to a reference', { $ref: '#/components/schemas/Ref' }],
  ];
  const components = {
    schemas: {
      B: { type: 'object', properties: { b: text } },
      Ref: { $ref: '#/components/schemas/AB' },
      AB: { type: ['object', 'null'], required: ['a'], properties: { a: text, b: text } },
    },
  };
  for (const [what, schema] of joined)
    it(`is taken apart through ${what}`, () => {
      const { draft } = compileOne(oneOperation(jsonBody(schema), { components }));
      expect(draft?.input).to.deep.equal({
        type: 'object',
        properties: { a: text, b: text },
        required: ['a'],
        additionalProperties: false,
      });
    });

  it('keeps both rules where allOf describes a member twice', () => {
    const { draft } = compileOne(
      oneOperation(
        jsonBody({
          allOf: [{ type: 'object', properties: { a: { type: 'string', description: 'x' } } }, { properties: { a: { maxLength: 5 } } }],
        }),
      ),
    );
    expect(draft?.input).to.deep.nested.include({ 'properties.a': { allOf: [{ type: 'string', description: 'x' }, { maxLength: 5 }] } });
  });

  it('keeps rules over several members beside the arguments', () => {
    const oneOf = [{ required: ['a'] }, { required: ['b'] }];
    const { draft } = compileOne(oneOperation(jsonBody({ type: 'object', properties: { a: text, b: text }, oneOf })));
    expect(draft?.input).to.deep.equal({
      type: 'object',
      properties: { a: text, b: text },
      allOf: [{ oneOf }],
      additionalProperties: false,
    });
  });

  it('keeps a count of members where names can say it, and is one argument where they cannot', () => {
    const argsOf = (more: Members) => {
      const { draft } = compileOne(oneOperation(jsonBody({ type: 'object', properties: { a: text, b: text }, ...more })));
      return [Object.keys(draft?.binding.args ?? {}), (draft?.input as Members | undefined)?.['allOf']];
    };
    expect(argsOf({ minProperties: 1 })).to.deep.equal([['a', 'b'], [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }]]);
    expect(argsOf({ minProperties: 1, required: ['a'] })).to.deep.equal([['a', 'b'], undefined]);
    expect(argsOf({ maxProperties: 2 })).to.deep.equal([['a', 'b'], undefined]);
    expect(argsOf({ maxProperties: 1 })).to.deep.equal([['body'], undefined]);
    expect(argsOf({ minProperties: 2 })).to.deep.equal([['body'], undefined]);
  });

  const whole: [string, unknown][] = [
    ['an array', { type: 'array', items: { type: 'string' } }],
    ['a plain value', { type: 'integer' }],
    [
      'a choice of objects',
      {
        oneOf: [
          { type: 'object', properties: { a: text } },
          { type: 'object', properties: { b: text } },
        ],
      },
    ],
    [
      'an object whose choices bring members of their own',
      { type: 'object', properties: { kind: text }, oneOf: [{ properties: { a: text } }, { properties: { b: text } }] },
    ],
    ['an object with names of any kind', { type: 'object', additionalProperties: { type: 'number' } }],
    ['an object with pattern properties', { type: 'object', properties: { a: text }, patternProperties: { '^x': text } }],
    ['anything at all', true],
    ['a schema that says nothing', {}],
  ];
  for (const [what, schema] of whole)
    it(`that is ${what} is one argument called body`, () => {
      const { draft } = compileOne(oneOperation(jsonBody(schema)));
      expect([draft?.binding.args, draft?.binding.body]).to.deep.equal([member('body'), { mediaType: 'application/json', whole: 'body' }]);
      expect(draft?.input)
        .to.deep.nested.include({ 'properties.body': schema })
        .and.to.deep.include({ required: ['body'] });
    });

  it('that is one argument gives way to a parameter called body', () => {
    const binding = bindingOf({
      ...jsonBody({ type: 'array' }),
      parameters: [{ name: 'body', in: 'query', schema: { type: 'string' }, description: 'Said' }],
    });
    expect([Object.keys(binding?.args ?? {}), binding?.body]).to.deep.equal([
      ['body_in_query', 'body_in_body'],
      { mediaType: 'application/json', whole: 'body_in_body' },
    ]);
  });

  it('that is optional is required nevertheless where its absence cannot be sent', () => {
    const required = (schema: unknown) =>
      compileOne(oneOperation({ requestBody: { content: { 'application/json': { schema } } } })).draft?.input;
    expect(required({ type: 'array' })).to.deep.include({ required: ['body'] });
    expect(required({ type: 'object', additionalProperties: { type: 'number' } })).not.to.have.property('required');
  });

  it('that requires a member it does not describe refuses the operation', () => {
    expect(saidOf(jsonBody({ type: 'object', required: ['a', 'b'], properties: { a: text } }))).to.deep.equal([
      'error required_param_missing_schema /paths/~1things/post/requestBody/content/application~1json/schema',
    ]);
  });

  it('in a circle keeps its circle under $defs', () => {
    const schemas = { Node: { type: 'object', properties: { v: text, next: { $ref: '#/components/schemas/Node' } } } };
    const { draft } = compileOne(oneOperation(jsonBody({ $ref: '#/components/schemas/Node' }), { components: { schemas } }));
    expect(draft?.input).to.deep.equal({
      type: 'object',
      properties: { v: text, next: { $ref: '#/$defs/Node' } },
      additionalProperties: false,
      $defs: { Node: { type: 'object', properties: { v: text, next: { $ref: '#/$defs/Node' } } } },
    });
  });
});

describe('a body that says too little', () => {
  const post = '/paths/~1things/post';
  it('does not expose a write; an empty object is enough where there is nothing to send', () => {
    expect(saidOf({})).to.deep.equal([`error write_without_schema ${post}`]);
    expect(saidOf(jsonBody({ type: 'object' }))).to.deep.equal([]);
    expect(bindingOf(jsonBody({ type: 'object' }))).to.deep.equal({ kind: 'http', method: 'POST', path: '/things', args: {} });
    expect(saidOf({ parameters: [{ name: 'q', in: 'query', schema: text }] })).to.deep.equal([]);
  });
  it('is refused where it is required, and left out with a warning where it is not', () => {
    const place = `${post}/requestBody/content/application~1json`;
    expect(saidOf(body({ 'application/json': {} }))).to.include(`error write_without_schema ${place}`);
    const parameters = [{ name: 'q', in: 'query', schema: text, description: 'Said' }];
    expect(saidOf({ parameters, ...body({ 'application/json': {} }, { required: false }) })).to.deep.equal([
      `warning write_without_schema ${place}`,
    ]);
  });
  it('of a type the hub cannot write is refused, a malformed type is remarked on', () => {
    expect(saidOf(body({ 'text/csv': { schema: text } }))).to.include(`error unsupported_media_type ${post}/requestBody/content`);
    expect(saidOf(body({ json: { schema: text }, 'application/json': { schema: { type: 'object' } } }))).to.deep.equal([
      `warning invalid_media_type ${post}/requestBody/content/json`,
    ]);
    expect(saidOf({ requestBody: [] })).to.include(`error invalid_request_body ${post}/requestBody`);
    expect(saidOf({ requestBody: { $ref: '#/components/requestBodies/None' } })).to.include(
      `error ref_unresolved ${post}/requestBody/$ref`,
    );
  });
  it('cannot be carried by a GET', () => {
    const optional = { requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { a: text } } } } } };
    expect(saidOf(optional, { method: 'get' })).to.deep.equal(['warning body_on_get /paths/~1things/get/requestBody']);
    expect(saidOf(jsonBody({ type: 'object' }), { method: 'get' })).to.deep.equal(['error body_on_get /paths/~1things/get/requestBody']);
    expect(bindingOf(jsonBody({ type: 'object', properties: { a: text } }), { method: 'delete' })?.args).to.deep.equal(member('a'));
  });
});

describe('a form body', () => {
  const object = { type: 'object', properties: { x: text } };
  it('has fields in OpenAPI’s default forms', () => {
    const binding = bindingOf(
      form({
        type: 'object',
        properties: {
          plain: text,
          list: { type: 'array', items: { type: 'string' }, description: 'Said' },
          inner: { ...object, description: 'Said' },
        },
      }),
    );
    expect([binding?.args, binding?.body]).to.deep.equal([
      { ...member('plain'), ...member('list', { style: 'form', explode: true }), ...member('inner', { json: true }) },
      { mediaType: 'application/x-www-form-urlencoded' },
    ]);
  });
  it('follows its encoding', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' }, description: 'Said' }, inner: { ...object, description: 'Said' } },
    };
    expect(bindingOf(form(schema, { list: { style: 'pipeDelimited' }, inner: { style: 'deepObject' } }))?.args).to.deep.equal({
      ...member('list', { style: 'pipeDelimited', explode: false }),
      ...member('inner', { style: 'deepObject', explode: true }),
    });
    expect(saidOf(form(schema, { list: { style: 'matrix' } }))).to.deep.equal([
      'error unsupported_param_style /paths/~1things/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/list',
    ]);
  });
  it('may be one argument where its names are open, and is refused where it is no object', () => {
    expect(bindingOf(form({ type: 'object', additionalProperties: { type: 'string' } }))?.body).to.deep.equal({
      mediaType: 'application/x-www-form-urlencoded',
      whole: 'body',
    });
    expect(saidOf(form({ type: 'array', items: text }))).to.include(
      'error unsupported_body /paths/~1things/post/requestBody/content/application~1x-www-form-urlencoded',
    );
  });
});

describe('a multipart body', () => {
  it('carries text fields, and files by their URL', () => {
    const binding = bindingOf(
      multipart({ type: 'object', properties: { title: text, file: { ...text, format: 'uri' }, inline: { ...text, format: 'byte' } } }),
    );
    expect([Object.keys(binding?.args ?? {}), binding?.body]).to.deep.equal([
      ['title', 'file', 'inline'],
      { mediaType: 'multipart/form-data' },
    ]);
  });
  const binary: [string, unknown, unknown?][] = [
    ['by its format', { type: 'string', format: 'binary', description: 'Said' }],
    ['by its media type', { type: 'string', contentMediaType: 'image/png', description: 'Said' }],
    ['by its encoding', { description: 'Said' }, { file: { contentType: 'image/png, image/jpeg' } }],
    ['inside a list', { type: 'array', items: { type: 'string', format: 'binary' }, description: 'Said' }],
  ];
  for (const [what, file, encoding] of binary)
    it(`with a field that is binary ${what} is refused where the field is required, and leaves it out where it is not`, () => {
      const place = '/paths/~1things/post/requestBody/content/multipart~1form-data/schema/properties/file';
      const schema = { type: 'object', properties: { title: text, file } };
      expect(saidOf(multipart({ ...schema, required: ['file'] }, encoding))).to.deep.equal([`error binary_not_supported ${place}`]);
      expect(saidOf(multipart(schema, encoding))).to.deep.equal([`warning binary_not_supported ${place}`]);
      expect(Object.keys(bindingOf(multipart(schema, encoding))?.args ?? {})).to.deep.equal(['title']);
    });
});
