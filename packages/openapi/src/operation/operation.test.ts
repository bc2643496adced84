import { expect } from 'chai';
import { capability, compileOne, documentOf, jsonBody, oneOperation, query } from '../test-support/document.js';

type Members = Record<string, unknown>;
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
