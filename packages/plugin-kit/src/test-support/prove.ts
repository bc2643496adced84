import { expect } from 'chai';
import { failingTitles, type Case, type Make } from '../index.js';

/** A thing that breaks, in words; a piece of the title of the case that must turn red; and the broken thing. */
export type Broken<T> = readonly [what: string, title: string, make: Make<T>];

/** Declares that good things pass every case, that each broken one turns its case red, and that no case is without a broken one. */
export function proveCases<T>(cases: readonly Case<T>[], good: Readonly<Record<string, Make<T>>>, broken: readonly Broken<T>[]): void {
  for (const [what, make] of Object.entries(good)) {
    it(`let ${what} pass`, async () => {
      expect(await failingTitles(cases, make)).to.deep.equal([]);
    });
  }
  for (const [what, title, make] of broken) {
    it(`turn red on one that ${what}`, async () => {
      const meant = cases.filter((one) => one.title.includes(title));
      expect(await failingTitles(meant, make, 60)).to.deep.equal(meant.map((one) => one.title));
    });
  }
  it('each have a broken fake that turns them red', () => {
    const unproven = cases.filter(({ title }) => !broken.some(([, piece]) => title.includes(piece)));
    expect(unproven.map(({ title }) => title)).to.deep.equal([]);
  });
}
