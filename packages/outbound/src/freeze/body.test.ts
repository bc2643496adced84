import { BailingError, type FrozenCall, type HttpArg, type HttpBinding } from '@bailing/plugin-api';
import { expect } from 'chai';
import { bindingOf, CONTEXT, toolFor } from '../test-support/calls.js';
import { freezeCall } from './freeze.js';

function frozen(binding: HttpBinding, args: Readonly<Record<string, unknown>>): FrozenCall {
  return freezeCall(toolFor(binding), args, CONTEXT, 1_000);
}

function bodyOf(binding: HttpBinding, args: Readonly<Record<string, unknown>>): readonly [type: string | undefined, text: string] {
  const call = frozen(binding, args);
  return [new Map(call.headers).get('Content-Type'), Buffer.from(call.body).toString('utf8')];
}

const typed = (mediaType: string, whole?: string): HttpBinding => ({
  ...bindingOf('POST', '/x', { a: 'body', b: 'body', c: 'body' }),
  body: { mediaType, ...(whole === undefined ? {} : { whole }) },
});

describe('the body of a call', () => {
  it('is not there for GET and HEAD', () => {
    for (const method of ['GET', 'HEAD']) expect(bodyOf(bindingOf(method, '/x', { a: 'body' }), { a: 1 })).to.deep.equal([undefined, '']);
  });

  it('is compact JSON in the order of the arguments otherwise, {} when empty', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(bodyOf(bindingOf(method, '/x'), {})).to.deep.equal(['application/json', '{}']);
    }
    const args = { b: { z: 1, a: [true, null, 'é'] }, a: 9.5, extra: 'undeclared', n: null };
    expect(bodyOf(bindingOf('POST', '/x', { a: 'body', b: 'body' }), args)).to.deep.equal([
      'application/json',
      '{"b":{"z":1,"a":[true,null,"é"]},"a":9.5,"extra":"undeclared"}',
    ]);
  });

  it('holds a member called __proto__ as data', () => {
    const args = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as Record<string, unknown>;
    expect(bodyOf(bindingOf('POST', '/x'), args)[1]).to.equal('{"__proto__":{"admin":true},"constructor":1}');
  });

  it('uses the names of the wire', () => {
    const arg: HttpArg = { in: 'body', name: 'id' };
    expect(bodyOf(bindingOf('POST', '/x/{id}', { id: 'path', body_id: arg }), { id: 1, body_id: 2 })[1]).to.equal('{"id":2}');
  });

  it('is one argument where the binding says so, of any JSON type', () => {
    for (const [value, text] of [
      [[1, { a: 2 }], '[1,{"a":2}]'],
      ['text', '"text"'],
      [0, '0'],
      [false, 'false'],
      [undefined, '{}'],
    ] as const) {
      expect(bodyOf(typed('application/json', 'all'), { all: value })).to.deep.equal(['application/json', text]);
    }
    const misplaced = (): unknown => bodyOf(typed('application/json', 'all'), { all: [], stray: 1 });
    expect(misplaced).to.throw(BailingError, 'has no place').with.property('code', 'BAILING_ARGS_INVALID');
  });

  it('keeps the media type of other JSON', () => {
    expect(bodyOf(typed('application/merge-patch+json'), { a: 1 })).to.deep.equal(['application/merge-patch+json', '{"a":1}']);
    expect(bodyOf(typed('application/json; charset=utf-8'), { a: 1 })[0]).to.equal('application/json');
  });

  it('is form-encoded: lists repeat their name, objects are JSON text', () => {
    const type = 'application/x-www-form-urlencoded';
    expect(bodyOf(typed(type), { a: 'x y&z', b: ['1', 2], c: { d: [1] } })).to.deep.equal([
      type,
      'a=x+y%26z&b=1&b=2&c=%7B%22d%22%3A%5B1%5D%7D',
    ]);
    expect(bodyOf(typed(type, 'all'), { all: { p: 1, q: null, r: [{ s: 1 }] } })).to.deep.equal([type, 'p=1&r=%5B%7B%22s%22%3A1%7D%5D']);
    expect(bodyOf(typed(type), {})).to.deep.equal([type, '']);
    const styled = { ...typed(type), args: { b: { in: 'body', name: 'b', style: 'form', explode: false } as const } };
    expect(bodyOf(styled, { b: ['1', '2'] })).to.deep.equal([type, 'b=1,2']);
  });

  it('is multipart with a boundary that the content decides and does not hold', async () => {
    const call = frozen(typed('multipart/form-data'), { a: 'x', b: ['1', 2], c: { d: 1 }, 'e"\r\nf': 'y' });
    const type = new Map(call.headers).get('Content-Type') ?? '';
    expect(type).to.match(/^multipart\/form-data; boundary=bailing-[0-9a-f]{32}$/);
    const form = await new Response(Buffer.from(call.body), { headers: { 'content-type': type } }).formData();
    expect([form.get('a'), form.getAll('b')]).to.deep.equal(['x', ['1', '2']]);
    expect(Buffer.from(call.body).toString())
      .to.include('name="c"\r\nContent-Type: application/json\r\n\r\n{"d":1}')
      .and.include('name="e%22%0D%0Af"');
    expect(frozen(typed('multipart/form-data'), { a: 'x' }).digest).to.equal(frozen(typed('multipart/form-data'), { a: 'x' }).digest);
  });

  it('is text where one string is all of it, and refused as anything it cannot be', () => {
    expect(bodyOf(typed('text/plain; charset=utf-8', 'all'), { all: '价格' })).to.deep.equal(['text/plain; charset=utf-8', '价格']);
    for (const [type, args] of [
      ['text/csv', { all: ['a'] }],
      ['application/xml', {}],
      ['application/x-www-form-urlencoded', { all: 'text' }],
    ] as const) {
      expect(() => bodyOf(typed(type, 'all'), args), type)
        .to.throw(BailingError)
        .with.property('code', 'BAILING_ARGS_INVALID');
    }
  });
});
