import { expect } from 'chai';
import { CLEAN, compareToEachOther, compareToExpected } from './compare.js';
import type { Run } from './runners.js';

const run = (language: string, results: Record<string, string>, more: Partial<Run> = {}): Run => {
  return { report: { language, version: '1', total: Object.keys(results).length, results }, code: 0, stderr: '', ...more };
};
const asked = new Map([
  ['a/1', 'ok'],
  ['a/2', 'bad_signature'],
]);

describe('comparing reports', () => {
  it('has nothing to say of a report that answers everything as expected', () => {
    expect(compareToExpected('node', run('node', { 'a/1': 'ok', 'a/2': 'bad_signature' }), asked)).to.deep.equal([]);
  });

  it('finds a wrong answer, a missing case and a wrong count', () => {
    const found = compareToExpected('node', run('node', { 'a/1': 'bad_signature' }), asked);
    expect(found).to.deep.equal([
      'node: 2 cases asked, 1 answered, 1 counted',
      'node: a/1: expected ok, got bad_signature',
      'node: a/2: expected bad_signature, got nothing',
    ]);
  });

  it('finds a runner that failed, warned, or reports for another language', () => {
    const results = { 'a/1': 'ok', 'a/2': 'bad_signature' };
    expect(compareToExpected('php', run('php', results, { stderr: 'Notice: x' }), asked).join()).to.match(/standard error: Notice/);
    expect(compareToExpected('php', run('php', results, { code: 255 }), asked).join()).to.match(/ended with 255/);
    expect(compareToExpected('php', run('node', results), asked).join()).to.match(/report is of node/);
    expect(compareToExpected('php', { report: null, code: 0, stderr: '' }, asked)).to.deep.equal(['php: no report']);
  });

  it('finds parties that disagree, and answers that are not clean', () => {
    const both = (one: string, other: string): string[] =>
      compareToEachOther(new Map([['node', run('node', { x: one })] as const, ['php', run('php', { x: other })] as const]), ['x']);
    expect(both('ok', 'ok')).to.deep.equal([]);
    expect(both('ok', 'bad_signature')).to.deep.equal(['x: node ok · php bad_signature']);
    expect(both('threw:TypeError', 'threw:TypeError')).to.have.length(1);
    expect(both('warned', 'warned')).to.have.length(1);
  });

  it('knows a clean answer', () => {
    for (const word of ['ok', 'ok:张\n三', '401:bad_signature', 'invalid_arguments', `{"a":1}#${'0'.repeat(64)}`])
      expect(word).to.match(CLEAN);
    for (const word of ['threw:Error', '', 'OK', '500', 'unknown_kind', 'true']) expect(word).not.to.match(CLEAN);
  });
});
