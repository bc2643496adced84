import { expect } from 'chai';
import { missing } from '../runners.js';
import { PARTIES } from '../vectors.js';
import { corpus } from './corpus.js';
import { fuzz } from './run.js';

/** The seed of the suite; another one can be tried by hand with `npm run vectors -- --seed 1`. */
const SEED = 20_240_610;

describe('the fuzz corpus', function () {
  this.timeout(60_000);

  it('is the same for the same seed', () => {
    expect(corpus({ seed: 1, size: 0.02 })).to.deep.equal(corpus({ seed: 1, size: 0.02 }));
    expect(corpus({ seed: 1, size: 0.02 })).not.to.deep.equal(corpus({ seed: 2, size: 0.02 }));
  });

  it('makes no verifier throw, warn or disagree, and is let in as well as refused', async () => {
    const there = PARTIES.filter((party) => missing(party) === null);
    if (process.env['CI']) expect(there).to.deep.equal(PARTIES);
    const result = await fuzz(there, { seed: SEED });
    expect(result.problems).to.deep.equal([]);
    expect(result.cases).to.be.at.least(5000);
    for (const answer of [
      'ok',
      'bad_signature',
      'timestamp_out_of_window',
      'bad_ticket',
      'ticket_expired',
      '200',
      '403:bad_parameters',
      'canonical',
      'invalid_arguments',
    ]) {
      expect(result.answers[answer], answer).to.be.greaterThan(50);
    }
  });
});
