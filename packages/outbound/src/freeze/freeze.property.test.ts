import { BailingError, type FrozenCall } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { bindingOf, CONTEXT, toolFor } from '../test-support/calls.js';
import { freezeCall } from './freeze.js';

const ORIGIN = 'http://shop.example';
const TEMPLATE = '/erp/{a}/orders/{b}';

/** Text that attackers and accidents are made of. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '?', '#', '&', '=', ';', ' ', '\r', '\n', '\0', 'é', '单', '{', '}'),
  }),
  fc.constantFrom('..', '.', '', '%2e%2e', '..;', '../..', '//evil.example', '\ud800'),
);

function tryFreeze(work: () => FrozenCall): FrozenCall | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof BailingError && error.code === 'BAILING_TARGET_UNSAFE') return null;
    throw error;
  }
}

describe('freezing, for any arguments', () => {
  it('keeps the endpoint: the path has the segments of its template and every value comes back out of its own', () => {
    const tool = toolFor(bindingOf('GET', TEMPLATE, { a: 'path', b: 'path', q: 'query' }));
    fc.assert(
      fc.property(nasty, nasty, nasty, (a, b, q) => {
        const call = tryFreeze(() => freezeCall(tool, { a, b, q }, CONTEXT, 1_000));
        if (!call) return;
        const url = new URL(call.target, ORIGIN);
        const segments = url.pathname.split('/');
        expect([url.origin, url.hash, segments.length, segments[1], segments[3]]).to.deep.equal([ORIGIN, '', 5, 'erp', 'orders']);
        expect([decodeURIComponent(segments[2] ?? ''), decodeURIComponent(segments[4] ?? '')]).to.deep.equal([a, b]);
        expect([...url.searchParams]).to.deep.equal([['q', q]]);
        // What a URL parser makes of the target is the target: nothing on the way has a reason to change it.
        expect(url.pathname + url.search).to.equal(call.target);
      }),
      { numRuns: 500 },
    );
  });

  it('sends every well-formed value that is not a dot segment', () => {
    const tool = toolFor(bindingOf('GET', TEMPLATE, { a: 'path', b: 'path' }));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (a) => {
        fc.pre(a !== '.' && a !== '..' && a.isWellFormed());
        expect(tryFreeze(() => freezeCall(tool, { a, b: 'x' }, CONTEXT, 1_000))).to.not.equal(null);
      }),
    );
  });

  it('keeps the headers: whatever a header parameter is called or holds, those of the hub are the same and nothing is split', () => {
    const names = fc.oneof(nasty, fc.constantFrom('X-Bailing-Client', 'x_bailing_client', 'Host', 'cookie', 'X-Shop', 'Accept'));
    const hub = freezeCall(toolFor(bindingOf('GET', '/x')), {}, CONTEXT, 1_000).headers;
    fc.assert(
      fc.property(names, nasty, (name, value) => {
        const tool = toolFor(bindingOf('GET', '/x', { v: { in: 'header', name } }));
        const call = tryFreeze(() => freezeCall(tool, { v: value }, CONTEXT, 1_000));
        if (!call) return;
        expect(call.headers.slice(0, hub.length)).to.deep.equal(hub);
        expect(call.headers.slice(hub.length)).to.deep.equal([[name, value]]);
        // eslint-disable-next-line no-control-regex -- no control character may be in a header
        expect(name + value).to.not.match(/[\u0000-\u001f\u007f]/);
        const folded = name.toLowerCase().replace(/_/g, '-');
        expect(hub.some(([own]) => own.toLowerCase() === folded)).to.equal(false);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a JSON body: it reads back as the arguments that are not null', () => {
    const tool = toolFor(bindingOf('POST', '/x'));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const call = freezeCall(tool, args, CONTEXT, 1_000);
        const kept = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
        expect(JSON.parse(Buffer.from(call.body).toString('utf8'))).to.deep.equal(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });

  it('gives equal calls equal digests and different calls different ones', () => {
    const tool = toolFor(bindingOf('POST', '/x/{p}', { p: 'path', q: 'query', h: { in: 'header', name: 'X-H' } }));
    const args = fc.record({
      p: fc.stringMatching(/^[a-z]{1,3}$/),
      q: fc.stringMatching(/^[a-z]{0,3}$/),
      h: fc.stringMatching(/^[a-z]{0,3}$/),
    });
    fc.assert(
      fc.property(args, args, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        const digest = (given: typeof one): string => freezeCall(tool, given, CONTEXT, 1_000).digest;
        expect(digest(one) === digest(other)).to.equal(same);
      }),
    );
  });
});
