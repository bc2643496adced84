import { expect } from 'chai';
import { compileOne, oneOperation, query } from '../test-support/document.js';

type Members = Record<string, unknown>;
const parameters = (...list: unknown[]): Members => ({ parameters: list });
const get = { method: 'get' };
const argsOf = (text: string) => compileOne(text).draft?.binding.args;
const errorsOf = (text: string, index = 0) => compileOne(text, index).said.filter((one) => one.startsWith('error'));

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
