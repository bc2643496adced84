// One database's part of `npm run crash-matrix`, and its page. See scripts/crash-matrix.mjs.
import { parseArgs } from 'node:util';
import { databases } from '@bailing/store/testing';
import { isCurrent, write } from './document.js';
import { EDGES } from './edges.js';
import { playAll, type Played } from './matrix.js';
import { print, printEnd } from './print.js';
import { titleOf } from './words.js';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '4' },
  },
});

/** `--check` and `--write` are about the page alone; everything else plays. */
async function main(): Promise<number> {
  if (values.write) write();
  if (values.check || values.write) {
    if (isCurrent()) return 0;
    process.stderr.write('docs/reference/failures.md is not what the edges make: run `npm run crash-matrix`.\n');
    return 1;
  }
  const started = performance.now();
  const fixtures = (await databases()).filter(({ name }) => values.database === '' || name === values.database);
  const edges = EDGES.filter((edge) => titleOf(edge).includes(values.only));
  const played: readonly Played[] = await playAll(edges, fixtures, Number(values['at-once']), print);
  const red = played.filter(({ broken }) => broken.length > 0);
  printEnd(played, red, performance.now() - started);
  return red.length > 0 || played.length === 0 ? 1 : 0;
}

process.exit(await main());
