import { dump } from 'js-yaml';
import { expect } from 'chai';
import fc from 'fast-check';
import { at } from '../pointer.js';
import { measure } from './measure.js';
import { parseText } from './parse.js';

function read(text: string) {
  const parsed = parseText(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.text;
}
const place = (text: string, pointer: string) => {
  const { line, column } = read(text).locate([pointer])(pointer);
  return `${line}:${column}`;
};

/** Every pointer below a value. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return [pointer, ...Object.entries(value).flatMap(([key, inner]) => pointersOf(inner, at(pointer, key)))];
}

describe('the text of a document', () => {
  it('is read as JSON or YAML 1.2 with the same outcome, a byte order mark ignored', () => {
    expect(read('\ufeff{"a":[1,{"b":null}]}').value).to.deep.equal({ a: [1, { b: null }] });
    expect(read('a: [1, {b: null}]').value).to.deep.equal({ a: [1, { b: null }] });
    expect(read('{a: [1, {b: null}]} # flow YAML').value).to.deep.equal({ a: [1, { b: null }] });
  });

  it('keeps no, off, y and dates as strings, and octal-looking numbers as YAML 1.2 reads them', () => {
    expect(read('a: [no, off, y, yes, 2024-01-01, 1:30]').value).to.deep.equal({ a: ['no', 'off', 'y', 'yes', '2024-01-01', '1:30'] });
    expect(read('a: [010, 0o10, 1_000]').value).to.deep.equal({ a: [10, 8, '1_000'] });
  });

  it('follows anchors and merge keys, and refuses tags that make objects', () => {
    expect(read('a: &x {p: 1}\nb: *x\nc: {<<: *x, q: 2}').value).to.deep.equal({ a: { p: 1 }, b: { p: 1 }, c: { p: 1, q: 2 } });
    expect(parseText('a: !!binary AAAA').ok).to.equal(false);
    expect(parseText('a: !js/function x').ok).to.equal(false);
  });

  it('says where it breaks off', () => {
    expect(parseText('a: 1\nb: [2\n')).to.deep.include({ ok: false, line: 3 });
    expect(parseText('{"a": 1,\n "b" 2}')).to.include({ ok: false, line: 2 });
    expect(parseText('a: 1\n---\nb: 2')).to.deep.equal({ ok: false, message: 'The text holds more than one YAML document.' });
  });

  it('knows the line and column of every member: of its key, or of an item', () => {
    const json = '{\n  "paths": {\n    "/a~b": { "get": [10, {"x": 1}] }\n  }\n}';
    expect(
      ['', '/paths', '/paths/~1a~0b', '/paths/~1a~0b/get', '/paths/~1a~0b/get/0', '/paths/~1a~0b/get/1/x'].map((p) => place(json, p)),
    ).to.deep.equal(['1:1', '2:3', '3:5', '3:15', '3:23', '3:28']);
    const yaml = 'paths:\n  "/a~b":\n    get:\n      - 10\n      - x: 1\n';
    expect(
      ['/paths', '/paths/~1a~0b', '/paths/~1a~0b/get', '/paths/~1a~0b/get/0', '/paths/~1a~0b/get/1/x'].map((p) => place(yaml, p)),
    ).to.deep.equal(['1:1', '2:3', '3:5', '4:9', '5:9']);
  });

  it('gives what an alias, a merge or nothing brings in the place of its nearest ancestor', () => {
    const yaml = 'a: &x\n  p: 1\nb: *x\nc:\n  <<: *x\n';
    expect([place(yaml, '/b/p'), place(yaml, '/c/p'), place(yaml, '/c/none/at/all'), place(yaml, '/zzz')]).to.deep.equal([
      '3:1',
      '4:1',
      '4:1',
      '1:1',
    ]);
  });

  it('reports members that are written twice, which JSON.parse would pass over', () => {
    expect(read('{"a": {"b": 1, "c": [ {"d": 1, "d": 2} ], "b": 2}}').duplicates).to.deep.equal(['/a/c/0/d', '/a/b']);
    expect(read('a:\n  b: 1\n  b: 2\n  c: [{d: 1, d: 2}]\n').duplicates).to.deep.equal(['/a/b', '/a/c/0/d']);
    expect(read('{"a\\u0062": 1, "ab": 2}').duplicates).to.deep.equal(['/ab']);
    expect(read('a: &x {p: 1}\nb: {<<: *x, p: 2}\n').duplicates).to.deep.equal([]);
    expect(read('{"k": ["k", "k", {"k": "k"}]}').duplicates).to.deep.equal([]);
  });

  it('is located truly for any JSON value, whatever its layout and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify({ root: value }, null, indent);
        const pointers = pointersOf({ root: value });
        const find = read(text).locate(pointers);
        const lines = text.split('\n');
        for (const pointer of pointers) {
          const { line, column } = find(pointer);
          const rest = lines
            .slice(line - 1)
            .join('\n')
            .slice(column - 1);
          const token = pointer.split('/').pop()?.replace(/~1/g, '/').replace(/~0/g, '~') ?? '';
          const key = JSON.stringify(token);
          expect(pointer === '' || /^(?:0|[1-9]\d*)$/.test(token) || rest.startsWith(key), `${pointer} in ${text}`).to.equal(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is located truly for any value written as YAML', () => {
    const name = fc.stringMatching(/^[a-z ~/]{1,6}$/);
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const text = dump({ root: value }, { lineWidth: -1 });
        const source = read(text);
        expect(source.value).to.deep.equal({ root: value });
        const pointers = pointersOf({ root: value });
        const find = source.locate(pointers);
        const lines = text.split('\n');
        for (const pointer of pointers.slice(1)) {
          const { line, column } = find(pointer);
          const token = pointer.split('/').pop()?.replace(/~1/g, '/').replace(/~0/g, '~') ?? '';
          const rest = (lines[line - 1] ?? '').slice(column - 1).replace(/^['"]/, '');
          expect(/^(?:0|[1-9]\d*)$/.test(token) || rest.startsWith(token), `${pointer} in ${text}`).to.equal(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is measured with its aliases written out, and stops at the limit', () => {
    const bomb = `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\n`;
    expect(measure(read(bomb).value, { nodes: 100_000, depth: 200 })).to.deep.equal({ ok: false, what: 'nodes' });
    expect(measure(read('&a [*a]').value, { nodes: 100_000, depth: 200 })).to.deep.equal({ ok: false, what: 'depth' });
    expect(measure(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), { nodes: 1_000_000, depth: 200 })).to.deep.equal({
      ok: false,
      what: 'depth',
    });
    expect(measure({ a: [1, 2] }, { nodes: 4, depth: 2 })).to.deep.equal({ ok: true, nodes: 4 });
  });
});
