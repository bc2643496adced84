import { allPages } from '../docs/pages.js';
import { LONG, playPages } from '../docs/runs.js';

describe('The commands of the longer pages of the documentation', function () {
  this.timeout(120_000);
  playPages(allPages().filter(({ file }) => LONG.has(file)));
});
