import { ALWAYS } from '@bailing/app';
import { definePlugin, points } from '@bailing/plugin-api';
import { expect } from 'chai';
import { admin, deskHub, deskWorld, ended, SCRIPTED, submitScript, until } from '../support/desk.js';
import { deskModelPlugin } from '../support/desk-model.js';
import { eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN, type World } from '../support/world.js';

const SAID = `401 for ${CLIENT_TOKEN} and ${Buffer.from(SECRET).toString('base64')} of ${SERVER_TOKEN}`;

/** An adapter that quotes what it was refused with. */
const telltale = definePlugin({
  id: 'approval-telltale',
  provides: (add) => [
    add(points.approval, 'telltale', () => ({
      row: { type: 'object' },
      open: () => ({ compose: () => '{}', send: () => Promise.resolve({ is: 'failed' as const, final: true, error: SAID }) }),
    })),
  ],
});

describe('journey: an approval adapter that quotes secrets', function () {
  this.timeout(20_000);
  let world: World;
  let hub: RunningHub;
  before(async () => {
    world = await deskWorld({ ...SCRIPTED, approval: () => '{ type: telltale }' });
    hub = await deskHub(world, { plugins: [...ALWAYS, deskModelPlugin, telltale] });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  it('is told without them in the dead letter, the ledger and the alert', async () => {
    const call = { tool: 'refund_execute', arguments: { order_no: 'A-1001', amount: 100, reason: 'late' } };
    const job = await submitScript(hub.url, 'quoted:1', [[call]]);
    await ended(hub.url, job);
    const dead = await until(async () => {
      const text = JSON.stringify((await admin(hub.url, 'GET', '/delivery-dlq')).body);
      return text.includes('401 for') && text;
    });
    const told = dead + JSON.stringify(await eventsOf(hub.url, job)) + hub.logged.join('\n');
    expect(told).to.include('401 for [secret] and [secret] of [secret]');
    for (const secret of [CLIENT_TOKEN, SECRET, SERVER_TOKEN, Buffer.from(SECRET).toString('base64')]) expect(told).to.not.include(secret);
  });
});
