import { expect } from 'chai';
import { cases } from './test-support/cases.js';
import { moreCases } from './test-support/more-cases.js';
import { play } from './test-support/play.js';
import { all } from './test-support/tools.js';

describe('the planner picks the right tool and the right arguments', () => {
  for (const { says, tools, calls } of [...cases, ...moreCases]) {
    it(`for “${says}”`, async () => {
      expect((await play(says, tools)).calls).to.deep.equal(calls);
    });
  }
});

describe('the planner picks the same out of the tools of all four businesses together', () => {
  for (const { says, calls } of cases) {
    it(`for “${says}”`, async () => {
      expect((await play(says, all)).calls).to.deep.equal(calls);
    });
  }
});
