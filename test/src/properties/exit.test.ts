import { databases } from '@bailing/store/testing';
import fc from 'fast-check';
import { begin, steps, type Model } from './commands.js';
import { governors, Rig } from './rig.js';
import type { Spec } from './shop-tools.js';

const SEED = Number(process.env['BAILING_TEST_SEED'] ?? '20261130');
const RUNS: Readonly<Record<string, number>> = { sqlite: 120, mysql: 12 };
const spec: Spec = { pay: 'plain', look: 'plain' };

for (const fixture of await databases()) {
  describe(`properties: the exit against a small reference, on ${fixture.name}`, function () {
    this.timeout(120_000);
    let rig: Rig;
    before(async () => {
      rig = new Rig(await fixture.create(), await governors());
    });
    after(() => rig.end());

    it('sends at most once per key, keeps every limit, and says of each write what the business counted or that it is unknown', () =>
      fc.assert(
        fc.asyncProperty(fc.commands(steps, { size: 'medium', maxCommands: 40 }), async (commands) => {
          await rig.begin(spec);
          const model: Model = { now: begin(spec, rig.maxCalls, rig) };
          await fc.asyncModelRun(() => ({ model, real: rig }), commands);
        }),
        {
          seed: SEED,
          numRuns: Math.ceil((RUNS[fixture.name] ?? 10) * Number(process.env['BAILING_TEST_RUNS'] ?? '1')),
          endOnFailure: false,
        },
      ));
  });
}
