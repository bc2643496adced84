import { expect } from 'chai';
import { compileDocument } from '../compile.js';
import { capability, compileOne, documentOf, jsonBody, oneOperation } from '../test-support/document.js';
import { exitCode, renderReport, reportJson } from './render.js';

const mixed = documentOf({
  '/a': { get: { operationId: 'a', summary: 'Find the things', 'x-agent-capability': capability() }, put: {} },
  '/b': { get: { operationId: 'send_message', summary: 'Find the things', 'x-agent-capability': capability() } },
});

describe('a report', () => {
  it('for people names file, line and column, what is wrong and what to do, worst first', () => {
    expect(renderReport(compileDocument(mixed), 'orders.json').split('\n')).to.deep.equal([
      'GET /b: refused',
      `  error reserved_name  orders.json:${mixed.split('\n').findIndex((line) => line.includes('"send_message"')) + 1}:9`,
      '    "send_message" is the name of a tool of the hub itself.',
      '    → Give the operation another operationId.',
      'GET /a: imported as a',
      '3 operations: 1 imported (0 with warnings), 1 not declared, 1 refused; 1 errors, 0 warnings',
    ]);
  });

  it('for machines has every operation with its diagnostics, and a summary', () => {
    const json = reportJson(compileDocument(mixed));
    expect(json.summary).to.deep.equal({
      operations: 3,
      imported: 1,
      imported_with_warnings: 0,
      not_declared: 1,
      refused: 1,
      errors: 1,
      warnings: 0,
    });
    expect(json.operations.map((one) => Object.keys(one).sort())).to.deep.equal([
      ['diagnostics', 'method', 'outcome', 'path', 'pointer', 'tool'],
      ['diagnostics', 'method', 'outcome', 'path', 'pointer'],
      ['diagnostics', 'method', 'outcome', 'path', 'pointer'],
    ]);
    expect(Object.keys(json.operations[2]?.diagnostics[0] ?? {})).to.deep.equal([
      'severity',
      'code',
      'pointer',
      'line',
      'column',
      'message',
      'suggestion',
    ]);
  });

  it('ends a check with 0, 1 or 2', () => {
    expect(exitCode(compileDocument(documentOf({})))).to.equal(0);
    expect(exitCode(compileDocument(mixed))).to.equal(1);
    expect(exitCode(compileDocument('swagger: "2.0"'))).to.equal(1);
    expect(exitCode(compileDocument('{'))).to.equal(2);
  });
});

describe('a document as a whole', () => {
  const first = (text: string) => {
    const one = compileDocument(text).document[0];
    return `${one?.severity} ${one?.code} ${one?.line}:${one?.column}`;
  };
  it('is refused by name where it is Swagger 2.0, OpenAPI 3.2 or something else', () => {
    expect(first('info: {}\nswagger: "2.0"\n')).to.equal('error swagger_unsupported 2:1');
    expect(first('openapi: 3.2.0\n')).to.equal('error openapi_version_unsupported 1:1');
    expect(first('{"openapi": "2.9"}')).to.equal('error openapi_version_unsupported 1:2');
    expect(first('openapi: [3.1.0]')).to.equal('error openapi_version_unsupported 1:1');
    expect(first('title: x')).to.equal('error openapi_version_missing 1:1');
    expect(first('[]')).to.equal('error invalid_spec undefined:undefined');
    expect(first('openapi: 3.1.0\npaths: [7]\n')).to.equal('error invalid_spec 2:1');
    expect(first('openapi: 3.1.0\npaths: {}\npaths: {}\n')).to.equal('error duplicate_key 3:1');
  });
  it('may write its version as a number, with a warning', () => {
    expect(compileDocument('openapi: 3.1\npaths: {}').document.map((one) => one.code)).to.deep.equal(['openapi_version_number']);
    expect(compileDocument('openapi: 3.0\npaths: {}').document.map((one) => one.code)).to.deep.equal(['openapi_version_number']);
  });
  it('is bounded in characters, nodes, depth and operations', () => {
    const paths = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`/a${i}`, { get: {} }]));
    expect(compileDocument(documentOf(paths), { maxOperations: 4 }).document[0]?.code).to.equal('too_many_operations');
    expect(compileDocument(documentOf(paths), { maxChars: 50 }).document[0]?.code).to.equal('document_too_large');
    expect(compileDocument(documentOf(paths), { maxNodes: 10 }).document[0]?.code).to.equal('document_too_large');
    expect(compileDocument(`{"openapi":"3.1.0","x":${'['.repeat(300)}${']'.repeat(300)}}`).document[0]?.code).to.equal('document_too_deep');
    const bomb = `openapi: 3.1.0\na0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\n`;
    expect(compileDocument(bomb, { maxNodes: 100_000 }).document[0]?.code).to.equal('document_too_large');
  });
  it('with a member written twice refuses the operations that need it, and no others', () => {
    const text =
      'openapi: 3.1.0\npaths:\n  /a:\n    get: {operationId: a, summary: Find the things, x-agent-capability: {version: 1, enabled: true, scope: x, scope: y}}\n  /b:\n    get: {operationId: b, summary: Find the things, x-agent-capability: {version: 1, enabled: true, scope: x}}\n';
    const report = compileDocument(text);
    expect(report.operations.map((one) => `${one.outcome} ${one.diagnostics[0]?.code ?? ''}`)).to.deep.equal([
      'refused duplicate_key',
      'imported ',
    ]);
    const schemas = documentOf({}).replace(
      '"components": {}',
      '"components": {"schemas": {"A": {"type": "object", "properties": {"x": {"type": "string"}, "x": {"type": "integer"}}}}}',
    );
    const broken = schemas.replace(
      '"paths": {}',
      `"paths": {"/a": {"post": ${JSON.stringify({ operationId: 'a', summary: 'Find the things', 'x-agent-capability': capability(), ...jsonBody({ $ref: '#/components/schemas/A' }) })}}}`,
    );
    expect(compileOne(broken).said).to.include('error duplicate_key /components/schemas/A/properties/x');
  });
  it('may declare a dedicated authorisation probe, else flag an operation', () => {
    const probeOf = (more: Record<string, unknown>, paths = {}) => compileDocument(documentOf(paths, {}, more));
    expect(probeOf({ 'x-bailing-authz-probe': { path: '/probe' } }).probe).to.deep.equal({ method: 'POST', path: '/probe' });
    expect(probeOf({ 'x-bailing-authz-probe': { method: 'get', path: '/probe' } }).probe).to.deep.equal({ method: 'GET', path: '/probe' });
    for (const bad of [
      true,
      { path: 'x' },
      { path: '/a', method: 'PUT' },
      { path: '/../a' },
      { path: `/${'a'.repeat(512)}` },
      { path: '/{a}' },
    ]) {
      const report = probeOf({ 'x-bailing-authz-probe': bad });
      expect([report.probe, report.document[0]?.code], JSON.stringify(bad)).to.deep.equal([undefined, 'invalid_authz_probe']);
    }
    expect(probeOf({}, { '/a': { get: {} }, '/p': { post: { 'x-bailing-authz-probe': true } } }).probe).to.deep.equal({
      method: 'POST',
      path: '/p',
    });
  });
});

describe('the remarks of a reviewer', () => {
  const lint = (operation: Record<string, unknown>, acc: Record<string, unknown> = {}, method = 'post') =>
    compileOne(
      oneOperation(
        {
          ...(method === 'get' ? {} : jsonBody({ type: 'object' })),
          ...operation,
          'x-agent-capability': capability({ ...(method === 'get' ? {} : { risk: { level: 'medium' } }), ...acc }),
        },
        { method },
      ),
      0,
      { lint: true },
    ).codes;

  it('find first sentences that say little', () => {
    for (const summary of ['List', '列表接口', '查询', 'Get order', 'thing.do', '新增'])
      expect(lint({ summary }), summary).to.deep.equal(['poor_first_sentence']);
    for (const summary of ['查询门店员工列表', 'List the orders of one customer. More.', 'Refund an order in full'])
      expect(lint({ summary }), summary).to.deep.equal([]);
  });

  it('find writes without a risk, high risk without a subject, and writes that claim to only read', () => {
    expect(lint({}, { risk: undefined })).to.deep.equal(['write_without_risk']);
    expect(lint({}, { risk: { level: 'high' } })).to.deep.equal(['high_risk_without_subject']);
    expect(lint({}, { risk: { level: 'high' }, subject: { required: true } })).to.deep.equal([]);
    expect(lint({}, { execution: { readonly: true } }, 'delete')).to.deep.equal(['readonly_on_write_method']);
  });

  it('find raw query text and free filters of batch tools', () => {
    const body = (properties: unknown) => jsonBody({ type: 'object', properties });
    const said = { description: 'Said' };
    expect(lint(body({ sql: { type: 'string', ...said } }))).to.deep.equal(['raw_query_text']);
    expect(lint(body({ where: { type: 'string', pattern: '^a$', ...said } }))).to.deep.equal([]);
    const batch = { summary: 'Disable accounts in bulk by a filter' };
    expect(lint({ ...batch, ...body({ filter: { type: 'object', ...said } }) }, { approval: { required: true } })).to.deep.equal([
      'free_filter',
    ]);
    expect(lint({ ...batch, ...body({ filter: { type: 'object', properties: { state: { enum: ['a'] } }, ...said } }) })).to.deep.equal([
      'batch_without_approval',
    ]);
  });

  it('find tools that look alike and sets that flood a context', () => {
    const operation = (i: number) => ({
      post: {
        operationId: `op_${i}`,
        summary: 'Do the very same thing',
        'x-agent-capability': capability({ risk: { level: 'low' } }),
        ...jsonBody({
          type: 'object',
          properties: Object.fromEntries([...'abcde'].map((name) => [name, { type: 'string', description: 'x'.repeat(1_900) }])),
        }),
      },
    });
    const report = compileDocument(documentOf(Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`/p${i}`, operation(i)]))), {
      lint: true,
    });
    expect(report.operations[1]?.diagnostics.map((one) => one.code)).to.deep.equal(['same_first_sentence', 'tool_too_large']);
    expect(report.document.map((one) => one.code)).to.deep.equal(['tool_set_too_large']);
    expect(report.operations[0]?.outcome).to.equal('imported_with_warnings');
  });
});
