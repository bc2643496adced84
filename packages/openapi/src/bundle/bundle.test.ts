import { expect } from 'chai';
import { compileOne, jsonBody, oneOperation } from '../test-support/document.js';
import { bundle, externalDocuments, externalRefs } from './bundle.js';

const URL_ = 'https://api.example.com/specs/root.yaml?v=1';
const text = (ref: string) => oneOperation(jsonBody({ type: 'object', properties: { a: { $ref: ref } } }));

describe('references out of a document', () => {
  it('are found with their places, wherever a reference may stand and nowhere else', () => {
    const document = JSON.stringify({
      a: { $ref: 'x.yaml#/A' },
      properties: { $ref: { type: 'string' }, default: { $ref: 'y.yaml' } },
      example: { $ref: 'no.yaml' },
      enum: [{ $ref: 'no.yaml' }],
      b: [{ $ref: '#/a' }],
    });
    expect(externalRefs(document)).to.have.deep.members([
      { ref: 'x.yaml#/A', pointer: '/a' },
      { ref: 'y.yaml', pointer: '/properties/default' },
    ]);
    expect(externalRefs('{')).to.deep.equal([]);
  });

  it('name documents by their absolute URL, themselves left out', () => {
    const documents = (ref: string) => [...externalDocuments(text(ref), URL_)];
    expect(documents('../common.yaml#/A')).to.deep.equal(['https://api.example.com/common.yaml']);
    expect(documents('root.yaml?v=1#/components')).to.deep.equal([]);
    expect(documents('https://other.example.com/x.json')).to.deep.equal(['https://other.example.com/x.json']);
    expect(documents('http://[bad')).to.deep.equal([]);
  });

  it('become references inside once the other documents are joined, circles between them included', () => {
    const a = 'https://api.example.com/specs/a b.yaml';
    const url = new URL(a).href;
    const texts = new Map([
      [
        url,
        'Node: {type: object, properties: {v: {type: string}, root: {$ref: "root.yaml?v=1#/components/schemas/R"}, next: {$ref: "#/Node"}, other: {$ref: "b.json#/x~1y"}}}',
      ],
      ['https://api.example.com/specs/b.json', '{"x/y": {"type": "integer", "description": "Odd"}}'],
    ]);
    const root = oneOperation(jsonBody({ type: 'object', properties: { a: { $ref: 'a%20b.yaml#/Node' } } }), {
      components: { schemas: { R: { type: 'boolean' } } },
    });
    const joined = bundle(root, URL_, texts);
    const { draft } = compileOne(joined.ok ? joined.text : '');
    const [name = ''] = Object.keys((draft?.input as { $defs: object }).$defs);
    expect((draft?.input as { $defs: Record<string, unknown> }).$defs[name]).to.deep.equal({
      type: 'object',
      properties: {
        v: { type: 'string' },
        root: { type: 'boolean' },
        next: { $ref: `#/$defs/${name}` },
        other: { type: 'integer', description: 'Odd' },
      },
    });
  });

  it('to what was not fetched stay, and the compiler refuses what needs them', () => {
    const joined = bundle(text('https://other.example.com/x.yaml#/A'), URL_, new Map([['https://api.example.com/y', '{}']]));
    expect(compileOne(joined.ok ? joined.text : '').codes).to.include('ref_external');
  });

  it('to a text that cannot be read say which', () => {
    expect(bundle(text('x'), URL_, new Map([['https://api.example.com/specs/x', '[']]))).to.deep.include({
      ok: false,
      url: 'https://api.example.com/specs/x',
    });
    expect(bundle('[', URL_, new Map())).to.deep.include({ ok: false, url: URL_ });
  });
});
