import fs from 'node:fs';
import { expect } from 'chai';
import { fields, referencePage } from './reference.js';
import { SAYS } from './schemas/says.js';

describe('reference of the configuration', () => {
  it('says something about every field, and about no other', () => {
    expect(
      fields()
        .filter(({ says }) => says === '')
        .map(({ path }) => path),
    ).to.deep.equal([]);
    const known = new Set(fields().map(({ path }) => path));
    expect(Object.keys(SAYS).filter((path) => !known.has(path))).to.deep.equal([]);
  });

  it('is the page in the docs', () => {
    const page = new URL('../../../docs/reference/configuration.md', import.meta.url);
    expect(fs.readFileSync(page, 'utf8') === referencePage(), 'run node scripts/config-reference.mjs').to.equal(true);
  });
});
