import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { root } from '../support/root.js';

describe('the page of diagnostics', () => {
  it('is what the compiler says today, with something to do for every code', async () => {
    const { diagnosticsPage } = (await import(path.join(root, 'scripts/lib/diagnostics-page.mjs'))) as { diagnosticsPage: () => string };
    const written = fs.readFileSync(path.join(root, 'docs/reference/tool-diagnostics.md'), 'utf8');
    expect(written, 'run node scripts/diagnostics-reference.mjs').to.equal(diagnosticsPage());
    expect(written.match(/^\| `/gm)?.length).to.be.greaterThan(100);
  }).timeout(20_000);
});
