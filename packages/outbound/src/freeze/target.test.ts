import { BailingError, type HttpArg, type HttpBinding } from '@bailing/plugin-api';
import { expect } from 'chai';
import { bindingOf, CONTEXT, toolFor } from '../test-support/calls.js';
import { freezeCall } from './freeze.js';

type Args = Readonly<Record<string, unknown>>;

function targetOf(binding: HttpBinding, args: Args = {}): string {
  return freezeCall(toolFor(binding), args, CONTEXT, 1_000).target;
}

function refusalOf(binding: HttpBinding, args: Args = {}): string {
  try {
    return `sent to ${targetOf(binding, args)}`;
  } catch (error) {
    if (error instanceof BailingError) return error.code;
    throw error;
  }
}

const UNSAFE = 'BAILING_TARGET_UNSAFE';
const styled = (place: HttpArg['in'], style?: HttpArg['style'], explode?: boolean): HttpArg => ({
  in: place,
  name: 'v',
  ...(style && { style }),
  ...(explode !== undefined && { explode }),
});

describe('the target of a call', () => {
  it('is the vector of the contract', () => {
    const binding = bindingOf('GET', '/orders/{order_no}', { order_no: 'path', status: 'query', tags: 'query', n: 'query' });
    const args = { order_no: 'A 1/2', status: '待 付', tags: ['a', 'b'], n: 10 };
    expect(targetOf(binding, args)).to.equal('/orders/A%201%2F2?status=%E5%BE%85+%E4%BB%98&tags=a%2Cb&n=10');
  });

  describe('path arguments', () => {
    const one = bindingOf('GET', '/orders/{no}/lines', { no: 'path' });

    it('are one encoded segment each, whatever they hold', () => {
      for (const [value, segment] of [
        ['a/b', 'a%2Fb'],
        ['../x', '..%2Fx'],
        ['a?b#c', 'a%3Fb%23c'],
        ['%2e%2e', '%252e%252e'],
        ['%2F', '%252F'],
        ['a\\b', 'a%5Cb'],
        ['...', '...'],
        ['a;b=c', 'a%3Bb%3Dc'],
        ['\u0000\r\n', '%00%0D%0A'],
        [' ', '%20'],
        ['订单', '%E8%AE%A2%E5%8D%95'],
        [0, '0'],
        [false, 'false'],
        [['a', 'b'], 'a%2Cb'],
      ] as const) {
        expect(targetOf(one, { no: value })).to.equal(`/orders/${segment}/lines`);
      }
    });

    it('never name another endpoint: dots, empty and missing values are refused', () => {
      for (const value of ['', '.', '..', null, undefined, [], {}, { a: 1 }, ['..'], '\ud800']) {
        expect(refusalOf(one, { no: value }), JSON.stringify(value)).to.equal(UNSAFE);
      }
      expect(refusalOf(one, {})).to.equal(UNSAFE);
      expect(refusalOf(one, { other: 'x' })).to.equal(UNSAFE);
    });

    it('do not make dots together with each other or with the template', () => {
      expect(refusalOf(bindingOf('GET', '/a/{x}{y}/b', { x: 'path', y: 'path' }), { x: '.', y: '.' })).to.equal(UNSAFE);
      expect(refusalOf(bindingOf('GET', '/a/.{x}', { x: 'path' }), { x: '.' })).to.equal(UNSAFE);
      expect(refusalOf(bindingOf('GET', '/a/%2e{x}', { x: 'path' }), { x: '.' })).to.equal(UNSAFE);
      expect(targetOf(bindingOf('GET', '/a/{x}.{y}', { x: 'path', y: 'path' }), { x: 'b', y: 'pdf' })).to.equal('/a/b.pdf');
    });

    it('fill every place of their name', () => {
      expect(targetOf(bindingOf('GET', '/a/{x}/b/{x}', { x: 'path' }), { x: 1 })).to.equal('/a/1/b/1');
    });

    it('follow the styles of OpenAPI where one is named', () => {
      const at = (arg: HttpArg, value: unknown): string => targetOf(bindingOf('GET', '/p/{v}', { v: arg }), { v: value }).slice(3);
      const list = ['a,b', 'c'];
      const object = { R: 100, 'G/': 'x' };
      expect(at(styled('path', 'simple'), list)).to.equal('a%2Cb,c');
      expect(at(styled('path', 'simple'), object)).to.equal('R,100,G%2F,x');
      expect(at(styled('path', 'simple', true), object)).to.equal('R=100,G%2F=x');
      expect(at(styled('path', 'label'), list)).to.equal('.a%2Cb,c');
      expect(at(styled('path', 'label', true), list)).to.equal('.a%2Cb.c');
      expect(at(styled('path', 'label'), 'x')).to.equal('.x');
      expect(at(styled('path', 'matrix'), 'x')).to.equal(';v=x');
      expect(at(styled('path', 'matrix'), list)).to.equal(';v=a%2Cb,c');
      expect(at(styled('path', 'matrix', true), list)).to.equal(';v=a%2Cb;v=c');
      expect(at(styled('path', 'matrix', true), object)).to.equal(';R=100;G%2F=x');
      expect(at({ in: 'path', name: 'v', json: true }, { a: ['/'] })).to.equal('%7B%22a%22%3A%5B%22%2F%22%5D%7D');
      for (const style of ['simple', 'label', 'matrix'] as const) {
        for (const value of ['', [], {}])
          expect(refusalOf(bindingOf('GET', '/p/{v}', { v: styled('path', style) }), { v: value })).to.equal(UNSAFE);
      }
      expect(refusalOf(bindingOf('GET', '/p/{v}', { v: styled('path', 'label') }), { v: '.' })).to.equal(UNSAFE);
    });
  });

  describe('the path of the document', () => {
    it('is encoded once where a request line cannot carry it, and stays where it is encoded already', () => {
      expect(targetOf(bindingOf('GET', '/订单/a b'))).to.equal('/%E8%AE%A2%E5%8D%95/a%20b');
      expect(targetOf(bindingOf('GET', '/a%20b/c%2Fd/100%'))).to.equal('/a%20b/c%2Fd/100%25');
      expect(targetOf(bindingOf('GET', "/a(b);v=1/$x,y+z'~@:"))).to.equal("/a(b);v=1/$x,y+z'~@:");
      expect(targetOf(bindingOf('GET', '/a"<>\\^`|[]\r\n'))).to.equal('/a%22%3C%3E%5C%5E%60%7C%5B%5D%0D%0A');
      expect(targetOf(bindingOf('GET', '/trailing/'))).to.equal('/trailing/');
    });

    it('is refused where parsers on the way would read another one', () => {
      for (const path of [
        'relative',
        '',
        '//evil.example/x',
        '/a/../b',
        '/a/./b',
        '/a/..',
        '/%2e%2E/b',
        '/a/.%2e',
        '/a#b',
        '/a/{missing}',
        '/\ud800',
      ]) {
        expect(refusalOf(bindingOf('GET', path)), path).to.equal(UNSAFE);
      }
    });

    it('keeps its own query text first; a placeholder in it is filled, a bare question mark dropped', () => {
      expect(targetOf(bindingOf('GET', '/x?kind=a b&flag', { q: 'query' }), { q: 1 })).to.equal('/x?kind=a%20b&flag&q=1');
      expect(targetOf(bindingOf('GET', '/x?id={id}&to={to}', { id: 'path', to: 'query' }), { id: 'a&b', to: 'c d' })).to.equal(
        '/x?id=a%26b&to=c+d',
      );
      expect(targetOf(bindingOf('GET', '/x?'))).to.equal('/x');
      expect(refusalOf(bindingOf('GET', '/x?id={id}', { id: 'path' }))).to.equal(UNSAFE);
    });

    it('keeps what it fixed: no argument repeats or replaces a name of its query', () => {
      const binding = bindingOf('GET', '/api?action=list', { action: 'query' });
      expect(refusalOf(binding, { action: 'delete' })).to.equal(UNSAFE);
      expect(targetOf(binding, { action: 'list' })).to.equal('/api?action=list');
      const encoded = bindingOf('GET', '/api?acti%6Fn=list', { action: 'query' });
      expect(refusalOf(encoded, { action: 'delete' })).to.equal(UNSAFE);
      const exploding = bindingOf('GET', '/api?action=list', { v: styled('query', 'form', true) });
      expect(refusalOf(exploding, { v: { action: 'delete' } })).to.equal(UNSAFE);
    });

    it('has an end', () => {
      expect(refusalOf(bindingOf('GET', '/x', { q: 'query' }), { q: 'y'.repeat(20_000) })).to.equal(UNSAFE);
    });
  });

  describe('query arguments', () => {
    it('keep the order they came in and the form of the contract', () => {
      const binding = bindingOf('GET', '/x', { b: 'query', a: 'query', s: 'query' });
      expect(targetOf(binding, { s: "it's (1) *~!", b: true, a: 1e21 })).to.equal('/x?s=it%27s+%281%29+*%7E%21&b=true&a=1e%2B21');
      expect(targetOf(binding, { a: null, b: undefined, s: '' })).to.equal('/x?s=');
      expect(targetOf(binding, { a: [], b: [null, 1, ''] })).to.equal('/x?a=&b=%2C1%2C');
    });

    it('of the contract form are exactly what URLSearchParams would write', () => {
      const value = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).join('') + '😀';
      expect(targetOf(bindingOf('GET', '/x', { v: 'query' }), { v: value })).to.equal(`/x?${new URLSearchParams({ v: value }).toString()}`);
    });

    it('that are objects, or lists of them, have no form there and are refused', () => {
      for (const value of [{}, { a: 1 }, [{}], [['a']]])
        expect(refusalOf(bindingOf('GET', '/x', { v: 'query' }), { v: value })).to.equal(UNSAFE);
    });

    it('go to the query of a GET when the document names no place, and body arguments of a GET are dropped', () => {
      expect(targetOf(bindingOf('GET', '/x', { b: 'body' }), { b: 1, extra: 2 })).to.equal('/x?extra=2');
    });

    it('follow the styles of OpenAPI where one is named', () => {
      const at = (arg: HttpArg, value: unknown): string => targetOf(bindingOf('GET', '/x', { v: arg }), { v: value }).slice(2);
      const list = ['a b', 'c,d'];
      const object = { R: 1, G: 'x&y' };
      expect(at(styled('query', 'form'), list)).to.equal('?v=a+b&v=c%2Cd');
      expect(at(styled('query', 'form', false), list)).to.equal('?v=a+b,c%2Cd');
      expect(at(styled('query', undefined, true), list)).to.equal('?v=a+b&v=c%2Cd');
      expect(at(styled('query', 'spaceDelimited'), list)).to.equal('?v=a+b%20c%2Cd');
      expect(at(styled('query', 'pipeDelimited', false), list)).to.equal('?v=a+b%7Cc%2Cd');
      expect(at(styled('query', 'pipeDelimited', true), list)).to.equal('?v=a+b&v=c%2Cd');
      expect(at(styled('query', 'form'), object)).to.equal('?R=1&G=x%26y');
      expect(at(styled('query', 'form', false), object)).to.equal('?v=R,1,G,x%26y');
      expect(at(styled('query', 'deepObject'), { a: { b: [1, 2] }, c: null, 'd]': 'x' })).to.equal(
        '?v%5Ba%5D%5Bb%5D=1&v%5Ba%5D%5Bb%5D=2&v%5Bd%5D%5D=x',
      );
      expect(at({ in: 'query', name: 'v', json: true }, { a: [1] })).to.equal('?v=%7B%22a%22%3A%5B1%5D%7D');
      expect(at({ in: 'query', name: 'v', style: 'form', allowReserved: true }, 'a/b:c?d=e&f#g+h%i')).to.equal(
        '?v=a/b:c?d%3De%26f%23g%2Bh%25i',
      );
      expect(at(styled('query', 'form'), [])).to.equal('');
    });

    it('that explode cannot set a name that another argument has', () => {
      const binding = bindingOf('GET', '/x', { v: styled('query', 'form', true), admin: 'query' });
      expect(refusalOf(binding, { v: { admin: true } })).to.equal(UNSAFE);
      expect(targetOf(binding, { v: { colour: 'red' } })).to.equal('/x?colour=red');
    });

    it('cannot share one place', () => {
      const binding = bindingOf('GET', '/x', { a: { in: 'query', name: 'v' }, b: { in: 'query', name: 'v' } });
      expect(refusalOf(binding, { a: 1, b: 2 })).to.equal(UNSAFE);
    });
  });
});
