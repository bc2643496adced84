import { expect } from 'chai';
import fc from 'fast-check';
import { compileDocument } from '../compile.js';
import { documentOf } from '../test-support/document.js';
import { applyOverlay } from './overlay.js';

const document = documentOf({
  '/orders': {
    get: { operationId: 'order_list', summary: 'List the orders', tags: ['a'] },
    post: { operationId: 'order_create', summary: 'Create an order' },
  },
  '/orders/{id}': {
    get: {
      operationId: 'order_read',
      summary: 'Read one order',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Number' }],
    },
  },
});
const overlay = (...actions: unknown[]): string => JSON.stringify({ overlay: '1.0.0', info: { title: 'Ours', version: '1' }, actions });
const on = { 'x-agent-capability': { version: 1, enabled: true, scope: 'order.read' } };
function apply(...actions: unknown[]) {
  const result = applyOverlay(document, overlay(...actions));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return { value: JSON.parse(result.text) as { paths: Record<string, Record<string, Record<string, unknown>>> }, ...result.outcome };
}
const codes = (list: readonly { code: string; severity: string }[]) => list.map((one) => `${one.severity} ${one.code}`);

describe('an OpenAPI overlay', () => {
  it('merges objects, appends to arrays and replaces anything else', () => {
    const { value, actions } = apply({
      target: "$.paths['/orders'].get",
      update: { summary: 'Find orders', tags: ['b', 'c'], new: { deep: [1] } },
    });
    expect(value.paths['/orders']?.['get']).to.deep.equal({
      operationId: 'order_list',
      summary: 'Find orders',
      tags: ['a', 'b', 'c'],
      new: { deep: [1] },
    });
    expect(actions).to.deep.equal([{ target: "$.paths['/orders'].get", kind: 'update', matches: 1, places: ['/paths/~1orders/get'] }]);
  });

  it('appends to an array it targets, one item or several', () => {
    expect(apply({ target: "$.paths['/orders'].get.tags", update: 'b' }).value.paths['/orders']?.['get']?.['tags']).to.deep.equal([
      'a',
      'b',
    ]);
    expect(apply({ target: "$.paths['/orders'].get.tags", update: ['b', 'c'] }).value.paths['/orders']?.['get']?.['tags']).to.deep.equal([
      'a',
      'b',
      'c',
    ]);
  });

  it('removes from objects and arrays, several places at once, without moving one by removing another', () => {
    const text = documentOf({}, {}, { list: [1, 2, 3, 4, { inner: [5, 6] }] });
    const result = applyOverlay(text, overlay({ target: '$.list[1,3]', remove: true }, { target: '$..inner[*]', remove: true }));
    expect(result.ok && (JSON.parse(result.text) as { list: unknown }).list).to.deep.equal([1, 3, { inner: [] }]);
    expect(Object.keys(apply({ target: '$.paths.*.post', remove: true }).value.paths['/orders'] ?? {})).to.deep.equal(['get']);
  });

  it('applies its actions in order, filters included', () => {
    const { value, actions } = apply(
      { target: '$.paths.*.get', update: on },
      { target: '$.paths.*[?@.operationId == "order_list"]', update: { 'x-agent-capability': { risk: { level: 'high' } } } },
    );
    expect(actions.map((one) => one.matches)).to.deep.equal([2, 1]);
    expect(value.paths['/orders']?.['get']?.['x-agent-capability']).to.deep.equal({ ...on['x-agent-capability'], risk: { level: 'high' } });
  });

  it('warns where an action matches nothing, and says that the capability it would switch on stays off', () => {
    const { diagnostics, actions } = apply({ target: "$.paths['/order'].get", update: on }, { target: '$.nothing', remove: true });
    expect(actions.map((one) => one.matches)).to.deep.equal([0, 0]);
    expect(codes(diagnostics)).to.deep.equal(['warning overlay_no_match', 'warning overlay_no_match']);
    expect(diagnostics[0]?.message).to.match(/the capability it would switch on stays off/);
    expect(diagnostics[1]?.message).not.to.match(/stays off/);
  });

  it('is a document of its own, with lines of its own', () => {
    const bad = (text: string) => {
      const result = applyOverlay(document, text);
      return result.ok ? [] : codes(result.diagnostics);
    };
    for (const text of [
      'overlay: 2.0.0\nactions: [{}]',
      'actions: [{}]',
      'overlay: 1.0.0\nactions: {}',
      'overlay: 1.0.0\nactions: []',
      'overlay: [',
      '- 1',
      '',
    ])
      expect(bad(text), text).to.deep.equal(['error overlay_invalid']);
    const result = applyOverlay(
      document,
      'overlay: 1.0.0\nactions:\n  - target: $.paths[\n    update: {}\n  - update: {}\n  - target: $\n  - target: $.openapi\n    update: {a: 1}\n',
    );
    expect(result.ok && result.outcome.diagnostics.map((one) => `${one.code} ${one.line}`)).to.deep.equal([
      'overlay_action_invalid 5',
      'overlay_action_invalid 6',
      'overlay_target_invalid 3',
      'overlay_target_unfit 7',
    ]);
  });

  it('given to the compiler switches capabilities on, while places stay those of the document', () => {
    const report = compileDocument(document, { overlays: [overlay({ target: "$.paths['/orders/{id}'].get", update: on })] });
    expect(report.drafts.map((one) => one.name)).to.deep.equal(['order_read']);
    const line = document.split('\n').findIndex((one) => one.includes('"/orders/{id}"')) + 2;
    const warned = compileDocument(document, {
      overlays: [overlay({ target: "$.paths['/orders/{id}'].get", update: { ...on, summary: '' } })],
    });
    expect(warned.operations[2]?.diagnostics[0]).to.include({ code: 'missing_summary', line });
  });

  it('that cannot be carried out leaves no tools, because it may have meant to tighten', () => {
    const enabled = documentOf({ '/a': { get: { operationId: 'a', summary: 'Find the things', ...on } } });
    expect(compileDocument(enabled).drafts.length).to.equal(1);
    for (const text of ['overlay: [', overlay({ target: '$.paths[', update: {} })]) {
      const report = compileDocument(enabled, { overlays: [text] });
      expect([report.drafts, report.operations, report.document[0]?.severity]).to.deep.equal([[], [], 'error']);
    }
    const unmatched = compileDocument(enabled, { overlays: [overlay({ target: '$.none', update: on })] });
    expect([unmatched.drafts.length, unmatched.document[0]?.code]).to.deep.equal([1, 'overlay_no_match']);
  });

  it('changes only the place it names where YAML shares one node, and defines members by any name', () => {
    const shared = 'openapi: 3.1.0\npaths:\n  /a: &p {get: {summary: x}}\n  /b: *p\n';
    const result = applyOverlay(
      shared,
      '{"overlay":"1.0.0","actions":[{"target":"$.paths[\'/a\'].get","update":{"__proto__":{"polluted":true},"y":1}}]}',
    );
    const value = result.ok ? (JSON.parse(result.text) as { paths: Record<string, { get: object }> }) : undefined;
    expect(Object.keys(value?.paths['/a']?.get ?? {})).to.deep.equal(['summary', '__proto__', 'y']);
    expect(Object.keys(value?.paths['/b']?.get ?? {})).to.deep.equal(['summary']);
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
  });

  it('never throws, whatever it is', () => {
    const action = fc.record({
      target: fc.oneof(fc.constantFrom('$', '$..*', '$.paths.*', '$.paths.*.*', '$[0]', '$.openapi'), fc.string()),
      update: fc.jsonValue(),
      remove: fc.constantFrom(undefined, true, false, 'x'),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(action, { maxLength: 3 }).map((actions) => overlay(...actions)),
        ),
        (text) => {
          const result = applyOverlay(document, text);
          if (result.ok) JSON.parse(result.text);
          compileDocument(document, { overlays: [text] });
        },
      ),
      { numRuns: 300 },
    );
  });
});
