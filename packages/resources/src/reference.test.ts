import fs from 'node:fs';
import { expect } from 'chai';
import { jsonSchemas } from './files/json-schemas.js';
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

  it('is the schema for editors in the docs', () => {
    const file = new URL('../../../docs/reference/bailing.schema.json', import.meta.url);
    const kept = JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;
    expect(kept, 'run node scripts/config-reference.mjs').to.deep.equal(
      JSON.parse(JSON.stringify(jsonSchemas().get('bailing.schema.json'))),
    );
  });
});
