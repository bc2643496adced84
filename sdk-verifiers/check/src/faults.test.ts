import { expect } from 'chai';
import path from 'node:path';
import { compareToExpected } from './compare.js';
import { constantTimeProblems, FAULTS, runCopy, withCopy, withFault } from './faults.js';
import { missing, SDKS } from './runners.js';
import { askedOf, PARTIES, readVectors, type Party } from './vectors.js';

const FOLDER = path.join(SDKS, 'vectors');

/** Without a language its faults cannot be tried: said aloud here, and an error in CI. */
function isThere(party: Party): boolean {
  const why = missing(party);
  if (why === null) return true;
  if (process.env['CI']) throw new Error(`${party}: ${why}, and CI refuses that`);
  process.stderr.write(`${party}: ${why}\n`);
  return false;
}

describe('the vectors against broken verifiers', function () {
  this.timeout(60_000);
  const files = readVectors(FOLDER);

  for (const party of PARTIES) {
    it(`finds nothing in an untouched copy of the ${party} verifier`, async () => {
      if (!isThere(party)) return;
      const problems = await withCopy(party, async (home) => [
        ...compareToExpected(party, await runCopy(party, home, FOLDER), askedOf(files, party)),
        ...constantTimeProblems(party, home),
      ]);
      expect(problems).to.deep.equal([]);
    });
  }

  for (const fault of FAULTS) {
    it(`turns red for the ${fault.party} verifier with the fault "${fault.name}"`, async () => {
      if (!isThere(fault.party)) return;
      const problems = await withFault(fault, async (home) =>
        fault.name === 'plain compare'
          ? constantTimeProblems(fault.party, home)
          : compareToExpected(fault.party, await runCopy(fault.party, home, FOLDER), askedOf(files, fault.party)),
      );
      expect(problems).not.to.deep.equal([]);
      expect(problems.filter((problem) => /no report|the runner ended/.test(problem))).to.deep.equal(
        [],
        'the fault broke the runner instead',
      );
    });
  }

  it('fails when a planted fault no longer fits the source', async () => {
    const stale = { name: '> for >=', party: 'node', file: 'dist/reasons.js', find: 'text that is not there', put: '' } as const;
    const refusal = await withFault(stale, () => Promise.resolve(null)).catch((error: unknown) => error);
    expect(refusal)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/does not apply/);
  });
});
