import { definePlugin } from '@bailing/plugin-api';
import { expect } from 'chai';
import { renderTree } from './index.js';
import { found, kernelOf } from './test-support/boot.js';
import { diary } from './test-support/diary.js';

describe('health and the tree', () => {
  it('ask each plugin, with a time limit, and take a throw for an answer', async () => {
    const answering = (id: string, health: () => never | Promise<never> | object) => definePlugin({ id, health: health as never });
    const kernel = kernelOf(
      [
        answering('fine', () => ({ ok: true, says: 'warm' })),
        answering('ill', () => ({ ok: false, says: 'no database' })),
        answering('throws', () => {
          throw new Error('broken');
        }),
        answering('hangs', () => new Promise<never>(() => undefined)),
        answering('mute', () => ({})),
      ],
      { healthTimeoutMs: 20 },
    );
    expect((await kernel.health()).length).to.equal(0);
    await kernel.init();
    expect((await kernel.health()).map(({ plugin, ok, says }) => [plugin, ok, says])).to.deep.equal([
      ['fine', true, 'warm'],
      ['ill', false, 'no database'],
      ['throws', false, 'broken'],
      ['hangs', false, 'It did not answer within 20 ms.'],
      ['mute', false, 'It did not say how it is.'],
    ]);
  });

  it('draw who adds, offers and needs what, with times and health', async () => {
    const lines: string[] = [];
    const kernel = kernelOf([
      found(diary('gate-user', lines, { needs: 'thing/1' }), { from: './gate-user' }),
      found(diary('giver', lines, { offers: 'thing/1' }), { from: 'built-in' }),
      found(diary('lost', lines, { failsIn: 'setup' }), { optional: true }),
    ]);
    expect(renderTree(await kernel.tree())).to.contain('not started');
    await kernel.init();
    await kernel.start();
    const text = renderTree(await kernel.tree())
      .replace(/[\d.]+ ms/g, 'N ms')
      .replace(/ +/g, ' ');
    expect(text.split('\n')).to.deep.equal([
      '3 plugins, N ms',
      '├─ giver built-in N ms ok',
      '│ ├─ adds gate/1 giver',
      '│ └─ offers thing/1',
      '├─ gate-user ./gate-user N ms ok',
      '│ ├─ adds gate/1 gate-user',
      '│ └─ needs thing/1 (giver)',
      '└─ lost (optional) embedded N ms failed',
      ' ├─ adds gate/1 lost',
      ' └─ setup: lost breaks in setup [BAILING_PLUGIN_INIT_FAILED]',
    ]);
  });
});
