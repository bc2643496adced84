import fs from 'node:fs';
import path from 'node:path';
import { BootFailure } from '@bailing/kernel';
import { expect } from 'chai';
import { eventsOf, submit, waitForEnd } from '../support/http.js';
import { startHub } from '../support/hub.js';
import { makeWorld, type World } from '../support/world.js';

const HEAD = "import { definePlugin, points } from '@bailing/plugin-api';\n";

/** Ten lines, as the README's second door shows them. */
const DENIES = `${HEAD}export default definePlugin({
  id: 'gate-no-damage',
  provides: (add) => [
    add(points.gate, 'no-damage', () => ({
      judge: ({ args }) =>
        /damaged/.test(String(args.reason)) ? { is: 'deny', code: 'no_damage', reason: 'damage goes to the warehouse first' } : { is: 'allow' },
    })),
  ],
});
`;
const ALLOWS = `${HEAD}export default definePlugin({ id: 'gate-yes', provides: (add) => [add(points.gate, 'yes', () => ({ judge: () => ({ is: 'allow' }) }))] });\n`;
const BREAKS = `${HEAD}export default definePlugin({ id: 'gate-broken', setup: () => { throw new Error('out of order'); } });\n`;

describe('journey: a plugin in a local folder', function () {
  this.timeout(20_000);
  let world: World | undefined;
  afterEach(async () => world?.close());

  /** A world whose configuration names plugins written beside it. They import plugin-api as an installed package would. */
  async function worldWith(plugins: Record<string, string>, entries: string): Promise<World> {
    world = await makeWorld({ more: `plugins:\n${entries}` });
    fs.mkdirSync(path.join(world.folder, 'node_modules', '@bailing'), { recursive: true });
    const api = path.dirname(path.dirname(new URL(import.meta.resolve('@bailing/plugin-api')).pathname));
    fs.symlinkSync(api, path.join(world.folder, 'node_modules', '@bailing', 'plugin-api'));
    for (const [name, text] of Object.entries(plugins)) fs.writeFileSync(path.join(world.folder, name), text);
    return world;
  }

  it('adds a gate that denies by argument, and another that allows changes nothing about it', async () => {
    const made = await worldWith({ 'deny.mjs': DENIES, 'allow.mjs': ALLOWS }, '  - ./deny.mjs\n  - ./allow.mjs');
    const { hub, url } = await startHub(made);
    try {
      const { body } = await submit(url, 'p:1', 'Create a refund request of 300 for order A-1001 because the parcel arrived damaged');
      await waitForEnd(url, String(body.job_id));
      const blocked = (await eventsOf(url, String(body.job_id))).find(({ event }) => event === 'tool_blocked');
      expect(blocked?.detail).to.include({ reason: 'no_damage', gate: 'gate-no-damage/no-damage', code: 'BAILING_CALL_DENIED' });
      expect(made.service.refunds()).to.have.length(0);
      const held = await submit(url, 'p:2', 'Create a refund request of 5000 for order A-1002 because it is late');
      await waitForEnd(url, String(held.body.job_id));
      expect((await eventsOf(url, String(held.body.job_id))).map(({ event }) => event)).to.include('tool_approval_pending');
      expect(made.arrived).to.deep.equal([]);
    } finally {
      await hub.stop();
    }
  });

  it('that is required and broken stops the boot by name; an optional one degrades', async () => {
    const required = await worldWith({ 'broken.mjs': BREAKS }, '  - ./broken.mjs');
    let failure: unknown;
    await startHub(required).catch((error: unknown) => (failure = error));
    expect(failure).to.be.instanceOf(BootFailure);
    expect(String(failure)).to.include('gate-broken').and.include('out of order');
    await world?.close();
    const optional = await worldWith({ 'broken.mjs': BREAKS }, '  - { use: ./broken.mjs, optional: true }');
    const { hub } = await startHub(optional);
    expect(JSON.stringify(await hub.plugins())).to.include('gate-broken');
    await hub.stop();
  });
});
