import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from '../support/root.js';

describe('The API reference', () => {
  it('is what openapi.yaml says today; write it anew with node scripts/api-reference.mjs', async () => {
    const page = pathToFileURL(path.join(root, 'scripts', 'lib', 'api-page.mjs')).href;
    const { apiPage } = (await import(page)) as { apiPage: () => string };
    expect(fs.readFileSync(path.join(root, 'docs', 'reference', 'api.md'), 'utf8')).to.equal(apiPage());
  });
});
