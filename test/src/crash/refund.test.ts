import { databases } from '@bailing/store/testing';
import { EDGES } from './edges.js';
import { playAll, type Played } from './matrix.js';
import { actOf, edgeOf, outcomeOf, titleOf } from './words.js';

const FAST = EDGES.filter(({ fast }) => fast);

for (const fixture of await databases()) {
  describe(`crash: the hub is killed in the middle of a call, on ${fixture.name} (all edges: npm run crash-matrix)`, function () {
    this.timeout(180_000);
    let played: readonly Played[];
    before(async () => {
      played = await playAll(FAST, [fixture], 4);
    });

    for (const edge of FAST) {
      it(`${edge.story.says} ${edge.story.door === 'executor' ? 'of an executor' : 'in the hub'}, ${actOf(edge.act)} at: ${edgeOf(edge)} → ${outcomeOf(edge)}`, () => {
        const found = played.find((one) => one.edge === edge);
        if (!found || found.broken.length > 0)
          throw new Error(`${titleOf(edge)}: ${found?.broken.join('; ') ?? 'not played'} ${JSON.stringify(found?.facts)}`);
      });
    }
  });
}
