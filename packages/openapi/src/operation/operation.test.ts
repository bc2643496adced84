import { expect } from 'chai';
import { capability, compileOne, documentOf, jsonBody, oneOperation, query } from '../test-support/document.js';

type Members = Record<string, unknown>;
const parameters = (...list: unknown[]): Members => ({ parameters: list });
const get = { method: 'get' };
const argsOf = (text: string) => compileOne(text).draft?.binding.args;
const errorsOf = (text: string, index = 0) => compileOne(text, index).said.filter((one) => one.startsWith('error'));

describe('which operations become tools', () => {
  it('only those whose x-agent-capability is an object with enabled literally true', () => {
    expect(compileOne(documentOf({ '/a': { get: {} } })).operation.outcome).to.equal('not_declared');
    expect(compileOne(oneOperation({ 'x-agent-capability': capability({ enabled: 'true' }) })).said).to.deep.equal([
      'warning invalid_boolean /paths/~1things/post/x-agent-capability/enabled',
    ]);
    expect(compileOne(oneOperation({ 'x-agent-capability': capability({ enabled: 'true' }) })).operation.outcome).to.equal('not_declared');
    const wrong = compileOne(oneOperation({ 'x-agent-capability': 'yes' }));
    expect([wrong.operation.outcome, wrong.codes]).to.deep.equal(['refused', ['invalid_agent_capability']]);
  });

  it('not those that are deprecated, that no hub sends, or whose declaration is malformed', () => {
    expect(errorsOf(oneOperation({ deprecated: true, ...jsonBody({ type: 'object' }) }))).to.deep.equal([
      'error deprecated /paths/~1things/post/deprecated',
    ]);
    expect(errorsOf(oneOperation(jsonBody({ type: 'object' }), { method: 'trace' }))).to.deep.equal([
      'error invalid_method /paths/~1things/trace',
    ]);
    expect(errorsOf(oneOperation({ 'x-agent-capability': capability({ version: 2 }), ...jsonBody({ type: 'object' }) }))).to.deep.equal([
      'error invalid_schema_version /paths/~1things/post/x-agent-capability/version',
    ]);
    expect(errorsOf(oneOperation({ 'x-agent-capability': capability() }, { method: 'query' }))).to.include(
      'error invalid_method /paths/~1things/query',
    );
  });

  it('says so where a name looks like a slip of the pen for the capability', () => {
    const { operation, said } = compileOne(documentOf({ '/a': { get: { 'x-agent-capabilities': capability() } } }));
    expect([operation.outcome, said]).to.deep.equal(['not_declared', ['warning extension_namespace /paths/~1a/get/x-agent-capabilities']]);
  });

  it('reads a method in capitals, and reports each operation under its own pointer', () => {
    const { operation } = compileOne(oneOperation(jsonBody({ type: 'object' }), { method: 'POST' }));
    expect([operation.pointer, operation.method, operation.outcome]).to.deep.equal(['/paths/~1things/POST', 'POST', 'imported']);
  });

  it('reports webhooks and callbacks only where they are declared, and refuses them', () => {
    const hook = { post: { 'x-agent-capability': capability() }, get: {} };
    const { report } = compileOne(
      documentOf({ '/a': { post: { callbacks: { done: { '{$request.body#/url}': hook } } } } }, {}, { webhooks: { paid: hook } }),
    );
    expect(report.operations.map((one) => `${one.pointer} ${one.outcome} ${one.diagnostics[0]?.code ?? ''}`)).to.deep.equal([
      '/paths/~1a/post not_declared ',
      '/paths/~1a/post/callbacks/done/{$request.body#~1url}/post refused not_callable',
      '/webhooks/paid/post refused not_callable',
    ]);
  });

  it('reads a path item behind a reference, and reports one that leads nowhere in its place', () => {
    const item = {
      parameters: [query('q', { type: 'string' })],
      get: { operationId: 'a', summary: 'Find the things', 'x-agent-capability': capability() },
    };
    const { report } = compileOne(
      documentOf(
        { '/a': { $ref: '#/components/pathItems/A' }, '/b': { $ref: '#/components/pathItems/None' }, '/c': 7, '/d': null },
        { pathItems: { A: item } },
      ),
    );
    expect(report.operations.map((one) => `${one.method} ${one.path} ${one.outcome}`)).to.deep.equal([
      'GET /a imported',
      '* /b refused',
      '* /c refused',
    ]);
    expect(report.drafts[0]?.binding.args).to.deep.equal({ q: { in: 'query', name: 'q' } });
  });
});

describe('a path item with members beside its reference', () => {
  it('reads each where it stands', () => {
    const item = {
      parameters: [query('q', { type: 'string' })],
      get: { operationId: 'a', summary: 'Find the things', 'x-agent-capability': capability() },
    };
    const text = documentOf(
      { '/a': { $ref: '#/components/pathItems/A', parameters: [query('r', { type: 'boolean' })] } },
      { pathItems: { A: item } },
    );
    expect(compileOne(text).draft?.input).to.deep.nested.include({ 'properties.r': { type: 'boolean', description: 'Said' } });
  });
});

describe('the name of a tool', () => {
  const named = (operation: Members, path = '/a', method = 'get'): unknown => ({
    [path]: { [method]: { summary: 'Find the things', 'x-agent-capability': capability(), ...operation } },
  });
  const nameOf = (paths: unknown) => compileOne(documentOf(paths)).draft?.name;

  it('is the operationId as written, else method and path', () => {
    expect(nameOf(named({ operationId: 'order_Read2' }))).to.equal('order_Read2');
    expect(nameOf(named({}, '/openTenantApi/staff-list/'))).to.equal('get_openTenantApi_staff_list');
    expect(nameOf(named({}, '/opentenantapi/staff/list'))).to.equal('get_opentenantapi_staff_list');
    expect(nameOf(named({ operationId: '' }, '/x'))).to.equal('get_x');
  });

  it('is cut with a piece of its hash, so that cutting never makes two alike', () => {
    const [a, b] = ['a'.repeat(70), `${'a'.repeat(69)}b`];
    const { report } = compileOne(
      documentOf({ ...(named({ operationId: a }, '/a') as Members), ...(named({ operationId: b }, '/b') as Members) }),
    );
    const names = report.drafts.map((one) => one.name);
    expect(names.every((name) => name.length === 64 && name.startsWith('a'.repeat(55)))).to.equal(true);
    expect(new Set(names).size).to.equal(2);
    expect(nameOf(named({ operationId: 'a'.repeat(64) }))).to.equal('a'.repeat(64));
  });

  it('is refused where it is not legal, reserved, or not a string, with a name that would do', () => {
    const one = compileOne(documentOf(named({ operationId: 'orders.list-all' })));
    expect(one.operation.diagnostics[0]).to.include({ code: 'invalid_name', suggestion: 'Call it orders_list_all.' });
    expect(errorsOf(documentOf(named({ operationId: '1st' })))).to.deep.equal(['error invalid_name /paths/~1a/get/operationId']);
    expect(errorsOf(documentOf(named({ operationId: 7 })))).to.deep.equal(['error invalid_name /paths/~1a/get/operationId']);
    for (const operationId of ['send_message', 'find_tools', 'search_tools', 'see_image'])
      expect(errorsOf(documentOf(named({ operationId })))).to.deep.equal(['error reserved_name /paths/~1a/get/operationId']);
  });

  it('claimed twice is refused for both; claimed beside an undeclared operation it is a warning', () => {
    const twice = documentOf({
      ...(named({ operationId: 'same' }, '/a') as Members),
      ...(named({ operationId: 'same' }, '/b') as Members),
      '/c': { get: { operationId: 'same' } },
    });
    expect([errorsOf(twice, 0), errorsOf(twice, 1)]).to.deep.equal([
      ['error duplicate_operation_id /paths/~1a/get/operationId'],
      ['error duplicate_operation_id /paths/~1b/get/operationId'],
    ]);
    const slugs = documentOf({ ...(named({}, '/a/b') as Members), ...(named({}, '/a-b') as Members) });
    expect([errorsOf(slugs, 0), errorsOf(slugs, 1)]).to.deep.equal([
      ['error duplicate_name /paths/~1a~1b/get'],
      ['error duplicate_name /paths/~1a-b/get'],
    ]);
    const beside = documentOf({ ...(named({ operationId: 'same' }, '/a') as Members), '/c': { get: { operationId: 'same' } } });
    expect(compileOne(beside).said).to.deep.equal(['warning duplicate_operation_id /paths/~1a/get/operationId']);
  });

  it('is the same after the document is written in another order', () => {
    const [a, b] = [named({ operationId: 'x'.repeat(80) }, '/a'), named({ operationId: `${'x'.repeat(79)}y` }, '/b')] as [Members, Members];
    const names = (paths: unknown) => new Map(compileOne(documentOf(paths)).report.drafts.map((one) => [one.path, one.name]));
    expect(names({ ...b, ...a }).get('/a')).to.equal(names({ ...a, ...b }).get('/a'));
  });
});

describe('the path of an operation', () => {
  const at = (path: string, operation: Members = {}, item: Members = {}) =>
    errorsOf(oneOperation(operation, { method: 'get', path, item }));
  it('must be a target that a request line carries as it is written', () => {
    for (const path of [
      '/a/../b',
      '/a/%2e%2E/b',
      '/./a',
      '//host/a',
      'a',
      '/a#b',
      '/a b',
      '/a\\b',
      '/a%zz',
      '/a{b',
      '/a}',
      '/a/{}',
      '/a\u0000b',
    ])
      expect(
        at(path).map((one) => one.split(' ')[1]),
        path,
      ).to.include('invalid_path');
    for (const path of ['/a?kind=x', '/a/b.json', '/a:search', "/a('1')", '/a%20b', '/..a/b..', '/'])
      expect(at(path), path).to.deep.equal([]);
    expect(compileOne(oneOperation({}, { method: 'get', path: '/订单' })).codes).to.deep.equal(['path_not_ascii']);
  });

  it('has a parameter for every placeholder; one without a placeholder is left out with a warning', () => {
    expect(at('/a/{id}')).to.deep.equal(['error path_param_missing /paths/~1a~1{id}/get']);
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Said' };
    expect(argsOf(oneOperation(parameters(id), { method: 'get', path: '/a/{id}' }))).to.deep.equal({ id: { in: 'path', name: 'id' } });
    const lost = compileOne(oneOperation(parameters(id), get));
    expect([lost.said, lost.draft?.binding.args]).to.deep.equal([['warning path_param_not_in_path /paths/~1things/get/parameters/0'], {}]);
    expect(at('/a?x={q}', parameters(query('q', { type: 'string' })))).to.deep.equal([]);
  });
});

describe('servers of a document', () => {
  const prefixOf = (servers: { root?: unknown; item?: unknown; operation?: unknown }) =>
    compileOne(
      oneOperation(
        { ...(servers.operation ? { servers: servers.operation } : {}) },
        { method: 'get', item: servers.item ? { servers: servers.item } : {}, ...(servers.root ? { servers: servers.root } : {}) },
      ),
    );
  const url = (value: string, variables?: unknown) => [{ url: value, ...(variables ? { variables } : {}) }];

  it('are followed only as a path prefix of the operation, else of its path item, and never as a host', () => {
    expect(prefixOf({ root: url('https://api.example.com/v1') }).draft?.binding.prefix).to.equal(undefined);
    expect(prefixOf({ item: url('https://evil.example.com/admin/') }).draft?.binding.prefix).to.equal('/admin');
    expect(prefixOf({ item: url('/item'), operation: url('/op') }).draft?.binding.prefix).to.equal('/op');
    expect(prefixOf({ item: url('https://evil.example.com/admin') }).codes).to.deep.equal(['server_host_ignored', 'server_prefix']);
    expect(prefixOf({ operation: url('https://other.example.com') }).draft?.binding.prefix).to.equal(undefined);
  });

  it('of an operation below the document’s own path are taken relative to it, and others are said to be elsewhere', () => {
    const root = url('https://api.example.com/v1/');
    expect(prefixOf({ root, operation: url('/v1/admin') }).draft?.binding.prefix).to.equal('/admin');
    expect(prefixOf({ root, operation: url('/v1') }).draft?.binding.prefix).to.equal(undefined);
    const other = prefixOf({ root, operation: url('/v2') });
    expect([other.draft?.binding.prefix, other.said[0]]).to.deep.equal(['/v2', 'warning server_prefix /paths/~1things/get/servers/0']);
    expect(prefixOf({ root, operation: url('/v10') }).draft?.binding.prefix).to.equal('/v10');
  });

  it('take the defaults of their variables, which no caller can set, and refuse paths that are not plain', () => {
    expect(
      prefixOf({ operation: url('https://{h}.example.com/{base}', { h: { default: 'x' }, base: { default: 'v3', enum: ['v3'] } }) }).draft
        ?.binding.prefix,
    ).to.equal('/v3');
    for (const bad of ['/{base}', '/a/../b', '/a b', '/a//b'])
      expect(prefixOf({ operation: url(bad) }).said, bad).to.deep.equal(['error invalid_server /paths/~1things/get/servers/0']);
  });
});

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

describe('the description of a tool', () => {
  const says = (operation: Members, guidance?: unknown) =>
    compileOne(
      oneOperation({ ...jsonBody({ type: 'object' }), ...operation, 'x-agent-capability': capability(guidance ? { guidance } : {}) }),
    ).draft?.says;
  it('is the summary, else the description, else the scope, with the guidance in its order', () => {
    expect(says({ summary: 'Do it', description: 'Longer' })).to.equal('Do it');
    expect(says({ summary: '  ', description: 'Longer' })).to.equal('Longer');
    expect(says({ summary: undefined })).to.equal('thing.do');
    expect(says({ summary: '查订单' }, { when_to_use: '用户问订单', returns: '订单', examples: [{ no: 'A1' }, { no: 'A2' }] })).to.equal(
      '查订单。何时用：用户问订单。返回：订单。示例参数：{"no":"A1"}',
    );
    expect(says({ summary: 'Do it' }, { examples: ['text'] })).to.equal('Do it');
  });
  it('is cut to 500 characters and never inside a surrogate pair', () => {
    expect(says({ summary: 'x'.repeat(600) })?.length).to.equal(500);
    expect(says({ summary: `${'x'.repeat(499)}😀` })).to.equal('x'.repeat(499));
  });
  it('keeps the extensions of the hub and the business, and no others', () => {
    const { draft } = compileOne(
      oneOperation({ ...jsonBody({ type: 'object' }), 'x-bailing-note': 1, 'x-business-owner': 'ops', 'x-other': 2 }),
    );
    expect(draft?.extensions).to.deep.equal({ 'x-bailing-note': 1, 'x-business-owner': 'ops' });
  });
});
