import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { points, type GovernedCall } from '@bailing/plugin-api';
import { expect } from 'chai';
import { createKernel, discover, renderTree } from './index.js';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const example = path.join(root, 'docs', 'examples', 'gate-deny-by-argument');

async function boot(entry: object | string) {
  const kernel = createKernel({ ...(await discover([entry], { cwd: example })), env: {} });
  await kernel.init();
  await kernel.start();
  const [gate] = kernel.contributions(points.gate);
  const judge = (amount: unknown) => gate?.value.judge({ args: { amount } } as unknown as GovernedCall, new AbortController().signal);
  return { kernel, judge };
}

describe('the plugin of docs/how-to/write-a-plugin.md', () => {
  it('is, on the page, the file that this test loads', async () => {
    const page = await readFile(path.join(root, 'docs', 'how-to', 'write-a-plugin.md'), 'utf8');
    const shown = /<!-- file: docs\/examples\/gate-deny-by-argument\/index\.mjs -->\n\n```js\n([\s\S]*?)```/.exec(page)?.[1];
    expect(shown).to.equal(await readFile(path.join(example, 'index.mjs'), 'utf8'));
  });

  it('is loaded from its folder and denies by argument', async () => {
    const { kernel, judge } = await boot('.');
    expect(judge(1_000)).to.deep.equal({ is: 'allow' });
    expect(judge('5000')).to.deep.equal({ is: 'allow' });
    expect(judge(1_000.01)).to.deep.equal({ is: 'deny', code: 'refund_too_large', reason: 'An agent does not refund more than 1000.' });
    expect(renderTree(await kernel.tree())).to.match(/└─ gate-large-refunds {2}\. +[\d.]+ ms {2}ok\n {3}└─ adds gate\/1 large-refunds$/);
  });

  it('takes its limit from the configuration, and refuses one that makes no sense', async () => {
    expect((await boot({ use: './', config: { limit: 500 } })).judge(501)).to.have.property('is', 'deny');
    const { plugins } = await discover([{ use: './index.mjs', config: { limit: -1 } }], { cwd: example });
    expect(
      createKernel({ plugins, env: {} })
        .check()
        .map(({ at, says }) => `${at}: ${says}`),
    ).to.deep.equal(['config.limit: Must be at least 0.']);
  });
});
