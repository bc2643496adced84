import { sha256Hex } from '@bailing/contract';
import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import type { FrozenRow, SpecFact, SpecState } from '../ports/index.js';
import { freezing, reasons } from './freezing.js';
import { makeRevision, type Revision } from './revision.js';

const RISKS = ['low', 'medium', 'high'] as const;
type Shop = Readonly<Record<string, 0 | 1 | 2>>;

const draft = (name: string, risk: number): ToolDraft => ({
  ...{ name, method: 'POST', path: `/${name}`, input: {}, binding: {}, says: name },
  acc: { version: 1, enabled: true, scope: `s.${name}`, risk: { level: RISKS[risk] } },
});
const revisionOf = (shop: Shop): Revision =>
  makeRevision(
    'p',
    JSON.stringify(shop),
    { drafts: Object.entries(shop).map(([name, risk]) => draft(name, risk)), operations: [], document: [] },
    { compile: () => () => [] },
  );
const looserOf = (before: Shop, after: Shop): SpecFact[] =>
  Object.entries(after).flatMap(([tool, risk]): SpecFact[] => {
    const was = before[tool];
    if (was !== undefined && risk >= was) return [];
    return [{ tool, direction: 'looser', code: was === undefined ? 'tool_added' : 'risk_lowered', says: `${tool} is looser.` }];
  });
const stateOf = (frozen: readonly FrozenRow[], baseUrl = 'https://a'): SpecState => ({
  ...{ provider: 'p', rev: 1, revision: 'x', origin: 'o', baseUrl, attemptedAt: 0, authz: null, frozen },
});

function step(frozen: readonly FrozenRow[], before: Shop, after: Shop, freezes = true): readonly FrozenRow[] {
  const input = { state: stateOf(frozen), before: revisionOf(before), after: revisionOf(after), baseUrl: 'https://a', at: 7 };
  const { freeze, thaw } = freezing({ ...input, looser: looserOf(before, after), freezes });
  const kept = frozen.filter(({ tool }) => !thaw.includes(tool) && !freeze.some((row) => row.tool === tool));
  return [...kept, ...freeze];
}

describe('what a looser contract freezes', () => {
  it('is the tool, with the facts and the fingerprint that was accepted last; it thaws by going back', () => {
    const [row, ...others] = step([], { a: 2, b: 1 }, { a: 0, b: 1 });
    expect(others).to.deep.equal([]);
    expect(row).to.deep.include({ tool: 'a', accepted: revisionOf({ a: 2 }).tools.get('a')?.definition.fingerprint, since: 7 });
    const frozen = row ? [row] : [];
    expect(step(frozen, { a: 0, b: 1 }, { a: 1, b: 1 })).to.deep.equal(frozen);
    expect(step(frozen, { a: 0, b: 1 }, { a: 2, b: 1 })).to.deep.equal([]);
    expect(step(frozen, { a: 0, b: 1 }, { b: 1 })).to.deep.equal([]);
    expect(reasons(frozen)).to.deep.equal(new Map([['a', 'a is looser.']]));
  });

  it('is a new tool that an allow list reached already, accepted never', () => {
    expect(step([], { a: 1 }, { a: 1, b: 1 })).to.deep.include.members([
      { tool: 'b', accepted: '', facts: looserOf({}, { b: 1 }), since: 7 },
    ]);
  });

  it('is nothing where the operator only wants to be told; what was frozen before stays so', () => {
    expect(step([], { a: 2 }, { a: 0 }, false)).to.deep.equal([]);
    const frozen = step([], { a: 2 }, { a: 0 });
    expect(step(frozen, { a: 0 }, { a: 0, b: 2 }, false)).to.deep.equal(frozen);
  });

  it('is the whole provider where the base URL moves, until it moves back', () => {
    const at = (from: string, to: string, frozen: readonly FrozenRow[]) =>
      freezing({
        ...{ state: stateOf(frozen, from), before: revisionOf({ a: 1 }), after: revisionOf({ a: 1 }), baseUrl: to, at: 7, freezes: true },
        looser: [{ tool: '', direction: 'looser', code: 'base_url_changed', says: 'Calls go to another base URL.' }],
      });
    const { freeze } = at('https://a', 'https://b', []);
    expect(freeze).to.have.length(1);
    expect(freeze[0]).to.include({ tool: '*', accepted: sha256Hex('https://a') });
    expect(at('https://b', 'https://c', freeze).freeze[0]).to.include({ accepted: sha256Hex('https://a') });
    expect(at('https://b', 'https://a', freeze)).to.deep.equal({ freeze: [], thaw: ['*'] });
  });

  it('holds over any history: a tool is callable only as it was accepted, or as something stricter', () => {
    const shop = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0 as const, 1 as const, 2 as const), { maxKeys: 3 });
    fc.assert(
      fc.property(fc.array(shop, { minLength: 2, maxLength: 12 }), (history) => {
        let frozen: readonly FrozenRow[] = [];
        /** Least risk each tool was ever freely callable at, and what an operator knew of: the start, and whatever only tightened. */
        const known = new Map(Object.entries(history[0] ?? {}));
        for (let i = 1; i < history.length; i++) {
          const [before, after] = [history[i - 1] ?? {}, history[i] ?? {}];
          frozen = step(frozen, before, after);
          for (const [tool, risk] of Object.entries(after)) {
            if (frozen.some((row) => row.tool === tool)) continue;
            expect(known.get(tool), `${tool} in step ${String(i)}`).to.satisfy(
              (was: number | undefined) => was !== undefined && risk >= was,
            );
            known.set(tool, risk);
          }
          for (const tool of [...known.keys()]) if (!(tool in after)) known.delete(tool);
        }
      }),
      { numRuns: 300 },
    );
  });
});
