import { expect } from 'chai';
import { capability, compileOne, jsonBody, oneOperation, query } from '../test-support/document.js';

type Members = Record<string, unknown>;
const parameters = (...list: unknown[]): Members => ({ parameters: list });
const get = { method: 'get' };
const argsOf = (text: string) => compileOne(text).draft?.binding.args;
const errorsOf = (text: string, index = 0) => compileOne(text, index).said.filter((one) => one.startsWith('error'));

describe('parameters', () => {
  it('of the path item come first, and the operation’s own of the same name and place replace them', () => {
    const item = parameters(query('q', { type: 'string' }), query('r', { type: 'string' }), {
      name: 'X-Id',
      in: 'header',
      schema: { type: 'string' },
      description: 'Said',
    });
    const own = parameters(
      query('q', { type: 'integer' }),
      { name: 'x-id', in: 'header', schema: { type: 'integer' }, description: 'Said' },
      query('s', { type: 'string' }),
    );
    const { draft } = compileOne(oneOperation(own, { method: 'get', item }));
    expect(Object.keys(draft?.binding.args ?? {})).to.deep.equal(['q', 'r', 'x-id', 's']);
    expect(draft?.input).to.deep.nested.include({ 'properties.q': { type: 'integer', description: 'Said' } });
  });

  it('may stand behind references, of components or of other operations', () => {
    const components = {
      parameters: { Q: { $ref: '#/components/parameters/P' }, P: query('p', { $ref: '#/components/schemas/S' }) },
      schemas: { S: { type: 'integer' } },
    };
    expect(argsOf(oneOperation(parameters({ $ref: '#/components/parameters/Q' }), { ...get, components }))).to.deep.equal({
      p: { in: 'query', name: 'p' },
    });
    expect(errorsOf(oneOperation(parameters({ $ref: '#/components/parameters/None' }), get))).to.deep.equal([
      'error ref_unresolved /paths/~1things/get/parameters/0/$ref',
    ]);
  });

  const refused: [string, Members, string][] = [
    ['in a cookie', { name: 'c', in: 'cookie', schema: {} }, 'unsupported_param_location'],
    ['in no place', { name: 'c', schema: {} }, 'unsupported_param_location'],
    ['in a place of Swagger 2.0', { name: 'c', in: 'formData', schema: {} }, 'unsupported_param_location'],
    ['without a name', { in: 'query', schema: {} }, 'param_without_name'],
    ['without a schema', { name: 'c', in: 'query', type: 'string' }, 'param_without_schema'],
    [
      'with two contents',
      { name: 'c', in: 'query', content: { 'application/json': { schema: {} }, 'text/plain': {} } },
      'unsupported_param_content',
    ],
    ['with a content that is not JSON', { name: 'c', in: 'query', content: { 'text/csv': { schema: {} } } }, 'unsupported_param_content'],
    ['with a content without a schema', { name: 'c', in: 'query', content: { 'application/json': {} } }, 'param_without_schema'],
    [
      'with a style of another place',
      { name: 'c', in: 'query', required: true, style: 'matrix', schema: { type: 'string' } },
      'unsupported_param_style',
    ],
    [
      'with a style of no place',
      { name: 'c', in: 'query', required: true, style: 7, schema: { type: 'string' } },
      'unsupported_param_style',
    ],
    [
      'with arrays of objects',
      { name: 'c', in: 'query', required: true, schema: { type: 'array', items: { type: 'object' } } },
      'unsupported_param_style',
    ],
    [
      'with deepObject for a list',
      { name: 'c', in: 'query', required: true, style: 'deepObject', schema: { type: 'array', items: { type: 'string' } } },
      'unsupported_param_style',
    ],
    ['called __proto__', { name: '__proto__', in: 'query', schema: {} }, 'invalid_param_name'],
    ['of another kind than an object', 'q' as never, 'invalid_parameters'],
  ];
  for (const [what, parameter, code] of refused)
    it(`${what} refuse the operation`, () => {
      const { operation } = compileOne(oneOperation(parameters(parameter), get));
      expect([operation.outcome, operation.diagnostics.find((one) => one.severity === 'error')?.code]).to.deep.equal(['refused', code]);
    });

  it('that are the hub’s own headers are refused in any letter case; those that OpenAPI ignores are left out', () => {
    const header = (name: string): Members => ({ name, in: 'header', schema: { type: 'string' }, description: 'Said' });
    for (const name of [
      'X-Bailing-On-Behalf-Of',
      'x-bailing-signature',
      'Host',
      'content-LENGTH',
      'Cookie',
      'Transfer-Encoding',
      'Connection',
      'X-Forwarded-For',
      'X_Bailing_Subject',
      'X-HTTP-Method-Override',
      'Content-Encoding',
      'X Y',
      'X-Original-URL',
    ])
      expect(errorsOf(oneOperation(parameters(header(name)), get)), name).to.deep.equal([
        'error reserved_header /paths/~1things/get/parameters/0',
      ]);
    for (const name of ['Authorization', 'content-type', 'ACCEPT']) {
      const { draft, said } = compileOne(oneOperation(parameters(header(name)), get));
      expect([draft?.binding.args, said], name).to.deep.equal([{}, ['warning header_param_ignored /paths/~1things/get/parameters/0']]);
    }
    expect(argsOf(oneOperation(parameters(header('X-Tenant')), get))).to.deep.equal({ 'X-Tenant': { in: 'header', name: 'X-Tenant' } });
  });

  it('listed twice in the same words are one; in other words the operation is refused', () => {
    const q = query('q', { type: 'string' });
    expect(compileOne(oneOperation(parameters(q, { ...q }), get)).said).to.deep.equal([
      'info duplicate_parameter /paths/~1things/get/parameters/1',
    ]);
    expect(errorsOf(oneOperation(parameters(q, query('q', { type: 'integer' })), get))).to.deep.equal([
      'error duplicate_parameter /paths/~1things/get/parameters/1',
    ]);
  });

  const styles: [string, Members, Members][] = [
    ['a plain query value keeps the contract’s form', query('q', { type: 'string' }), { in: 'query', name: 'q' }],
    [
      'a query array without a style keeps the contract’s comma-joined form',
      query('q', { type: 'array', items: { type: 'string' } }),
      { in: 'query', name: 'q' },
    ],
    [
      'explode alone declares a form',
      query('q', { type: 'array', items: {} }, { explode: true }),
      { in: 'query', name: 'q', style: 'form', explode: true },
    ],
    [
      'a declared form explodes by default',
      query('q', { type: 'array' }, { style: 'form' }),
      { in: 'query', name: 'q', style: 'form', explode: true },
    ],
    [
      'a delimited style does not explode by default',
      query('q', { type: 'array' }, { style: 'pipeDelimited' }),
      { in: 'query', name: 'q', style: 'pipeDelimited', explode: false },
    ],
    [
      'an object without a style has OpenAPI’s default',
      query('q', { type: 'object', properties: { a: { type: 'string' } } }),
      { in: 'query', name: 'q', style: 'form', explode: true },
    ],
    [
      'an object behind a choice too',
      query('q', { oneOf: [{ type: 'string' }, { type: 'object' }] }),
      { in: 'query', name: 'q', style: 'form', explode: true },
    ],
    [
      'deepObject is kept',
      query('q', { type: 'object' }, { style: 'deepObject' }),
      { in: 'query', name: 'q', style: 'deepObject', explode: true },
    ],
    [
      'allowReserved is kept in the query',
      query('q', { type: 'string' }, { allowReserved: true }),
      { in: 'query', name: 'q', allowReserved: true },
    ],
    [
      'a content is JSON text',
      { name: 'q', in: 'query', description: 'Said', content: { 'application/json': { schema: { type: 'object' } } } },
      { in: 'query', name: 'q', json: true },
    ],
    [
      'a header object is simple',
      { name: 'H', in: 'header', description: 'Said', schema: { type: 'object' } },
      { in: 'header', name: 'H', style: 'simple', explode: false },
    ],
  ];
  for (const [what, parameter, http] of styles)
    it(`are written as the document says: ${what}`, () => {
      expect(Object.values(argsOf(oneOperation(parameters(parameter), get)) ?? {})).to.deep.equal([http]);
    });

  it('in the path may be matrix, label or simple', () => {
    for (const style of ['matrix', 'label', 'simple']) {
      const parameter = {
        name: 'id',
        in: 'path',
        required: true,
        style,
        schema: { type: 'array', items: { type: 'string' } },
        description: 'Said',
      };
      expect(argsOf(oneOperation(parameters(parameter), { method: 'get', path: '/a/{id}' }))).to.deep.equal({
        id: { in: 'path', name: 'id', style, explode: false },
      });
    }
  });

  it('that are optional and cannot be written are left out with a warning', () => {
    const { draft, said } = compileOne(oneOperation(parameters(query('q', { type: 'array', items: { type: 'array' } })), get));
    expect([draft?.binding.args, said]).to.deep.equal([{}, ['warning unsupported_param_style /paths/~1things/get/parameters/0']]);
  });

  it('without words are remarked on, and their own words win over those of a shared schema', () => {
    const components = { schemas: { S: { type: 'string', description: 'Shared' } } };
    const described = compileOne(oneOperation(parameters({ ...query('q', { $ref: '#/components/schemas/S' }) }), { ...get, components }));
    expect(described.draft?.input).to.deep.nested.include({ 'properties.q': { type: 'string', description: 'Said' } });
    const bare = compileOne(oneOperation(parameters({ name: 'q', in: 'query', schema: { type: 'string' } }), get));
    expect(bare.said).to.deep.equal(['warning param_missing_description /paths/~1things/get/parameters/0']);
  });
});

describe('arguments', () => {
  it('of the same name in two places both get their place as a suffix, and a condition on the bare name is refused', () => {
    const both = {
      ...parameters({ name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Said' }),
      ...jsonBody({ type: 'object', required: ['id'], properties: { id: { type: 'integer', description: 'Said' } } }),
    };
    const { draft } = compileOne(oneOperation(both, { path: '/a/{id}' }));
    expect(draft?.binding.args).to.deep.equal({ id_in_path: { in: 'path', name: 'id' }, id_in_body: { in: 'body', name: 'id' } });
    expect(draft?.input).to.deep.include({ required: ['id_in_path', 'id_in_body'] });
    const when = (param: string): Members => ({ 'x-agent-capability': capability({ approval: { when: [{ param, op: 'exists' }] } }) });
    expect(errorsOf(oneOperation({ ...both, ...when('id') }, { path: '/a/{id}' }))).to.deep.equal([
      'error confirm_when_param_missing_schema /paths/~1a~1{id}/post/x-agent-capability/approval/when/0/param',
    ]);
    expect(errorsOf(oneOperation({ ...both, ...when('id_in_body') }, { path: '/a/{id}' }))).to.deep.equal([]);
  });

  it('that would still share a name refuse the operation', () => {
    const list = [
      query('id', { type: 'string' }),
      query('id_in_query', { type: 'string' }),
      { name: 'id', in: 'header', schema: { type: 'string' }, description: 'Said' },
    ];
    expect(errorsOf(oneOperation(parameters(...list), get)).map((one) => one.split(' ')[1])).to.deep.equal(['duplicate_argument']);
  });

  it('form one closed object schema', () => {
    const { draft } = compileOne(
      oneOperation({
        ...parameters(query('dry', { type: 'boolean' })),
        ...jsonBody({
          type: 'object',
          required: ['a', 'a'],
          properties: { a: { type: ['string', 'null'], description: 'Said' }, b: { type: ['string', 'null'], description: 'Said' } },
        }),
      }),
    );
    expect(draft?.input).to.deep.equal({
      type: 'object',
      properties: {
        dry: { type: 'boolean', description: 'Said' },
        a: { type: 'string', description: 'Said' },
        b: { type: ['string', 'null'], description: 'Said' },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('are checked against approval.when at compile time, through references', () => {
    const components = {
      schemas: { Order: { type: 'object', properties: { total: { type: 'number' }, self: { $ref: '#/components/schemas/Order' } } } },
    };
    const when = (param: string, op: string, value: unknown) =>
      errorsOf(
        oneOperation(
          {
            ...jsonBody({ type: 'object', properties: { order: { $ref: '#/components/schemas/Order' } } }),
            'x-agent-capability': capability({ approval: { when: [{ param, op, value }] } }),
          },
          { components },
        ),
      ).map((one) => one.split(' ')[1]);
    expect(when('order.self.total', '>', 3)).to.deep.equal([]);
    expect(when('order.sum', '>', 3)).to.deep.equal(['confirm_when_param_missing_schema']);
    expect(when('order', '>', 3)).to.deep.equal(['confirm_when_numeric_type']);
  });
});
