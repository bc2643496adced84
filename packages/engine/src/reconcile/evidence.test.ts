import { expect } from 'chai';
import fc from 'fast-check';
import { findingOf, reconcileHint } from './evidence.js';

const HINT = reconcileHint({
  operation: 'write_lookup',
  key: 'idempotency_key',
  applied: { pointer: '/found', equals: true },
  not_applied: { pointer: '/found', equals: false },
})!;
const answer = (body: unknown, status = 200) => ({ status, contentType: 'application/json', body: JSON.stringify(body), bytes: 1 });

describe('evidence of the probe', () => {
  it('means what the declaration says it means, and nothing else', () => {
    expect(findingOf(HINT, answer({ found: true }))).to.equal('applied');
    expect(findingOf(HINT, answer({ found: false }))).to.equal('not_applied');
    for (const other of [{ found: 'true' }, { found: null }, {}, [], 'x', { found: 1 }])
      expect(findingOf(HINT, answer(other))).to.equal('inconclusive');
    expect(findingOf(HINT, { ...answer({}), body: '{"found":tr' })).to.equal('inconclusive');
    expect(findingOf(HINT, answer({ found: false }, 500)), 'an error page proves nothing').to.equal('inconclusive');
  });

  it('can lie in the status, and in a place deeper down', () => {
    const hint = reconcileHint({ operation: 'o', key: 'k', applied: { status: 200, pointer: '/a~1b/0' }, not_applied: { status: 404 } })!;
    expect(findingOf(hint, answer({ 'a/b': ['x'] }))).to.equal('applied');
    expect(findingOf(hint, answer({}, 404))).to.equal('not_applied');
    expect(findingOf(hint, answer({}))).to.equal('inconclusive');
    expect(findingOf(hint, answer({ 'a/b': ['x'] }, 404))).to.equal('not_applied');
  });

  it('that fits both rules is no evidence', () => {
    const hint = reconcileHint({ operation: 'o', key: 'k', applied: { status: 200 }, not_applied: { status: 200 } })!;
    expect(findingOf(hint, answer({}))).to.equal('inconclusive');
  });

  it('is never found under inherited names', () => {
    const hint = reconcileHint({ operation: 'o', key: 'k', applied: { pointer: '/constructor' }, not_applied: { status: 404 } })!;
    expect(findingOf(hint, answer({}))).to.equal('inconclusive');
  });

  it('is not asked for by a declaration of another form', () => {
    const whole = { operation: 'o', key: 'k', applied: { status: 200 }, not_applied: { status: 404 } };
    for (const broken of [
      null,
      [],
      {},
      { ...whole, operation: '' },
      { ...whole, key: 1 },
      { ...whole, applied: {} },
      { ...whole, not_applied: { status: 'x' } },
      { ...whole, applied: { pointer: 'found' } },
      { ...whole, applied: { pointer: '/found', equals: {} } },
    ])
      expect(reconcileHint(broken), JSON.stringify(broken)).to.equal(undefined);
  });

  it('is total: whatever comes back, a finding comes out', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 100, max: 599 }), (body, status) => {
        expect(['applied', 'not_applied', 'inconclusive']).to.include(findingOf(HINT, { ...answer(null), body, status }));
      }),
    );
  });
});
