import { expect } from 'chai';
import { admin, deskHub, ended, SCRIPTED, submitScript, until } from '../support/desk.js';
import { ask, eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

describe('A job is cancelled', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;
  let hold: Promise<void> | undefined;

  before(async () => {
    world = await makeWorld({ ...SCRIPTED, service: { onCall: () => hold } });
    hub = await deskHub(world);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const cancel = (job: string, token?: string) => ask(hub.url, 'POST', `/jobs/${job}/cancel`, undefined, token);
  const read = { tool: 'order_read', arguments: { order_no: 'A-1001' } };

  it('before its next call: what was read stays, nothing more is sent, and it ends rejected', async () => {
    let letGo = (): void => undefined;
    hold = new Promise((resolve) => (letGo = resolve));
    const job = await submitScript(hub.url, 'cancel:1', [[read], [read], [read]]);
    const before = world.arrived.length;
    await until(() => world.arrived.length > before);
    const answer = await cancel(job);
    expect([answer.status, answer.body.status, answer.body.reason]).to.deep.equal([200, 'rejected', 'cancelled']);
    letGo();
    hold = undefined;
    const end = await ended(hub.url, job);
    expect([end.status, end.error]).to.deep.equal(['rejected', 'cancelled']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(world.arrived.length).to.equal(before + 1);
    const events = await eventsOf(hub.url, job);
    expect(events.find(({ event }) => event === 'rejected')?.detail).to.include({ reason: 'cancelled', by: 'client:back-office' });
    expect((await cancel(job)).status).to.equal(200);
  });

  it('only while it has not ended, and runs again where an administrator says so', async () => {
    const job = await submitScript(hub.url, 'cancel:2', [[read]]);
    await ended(hub.url, job);
    expect((await cancel(job)).body.code).to.equal('BAILING_JOB_ENDED');
    expect((await cancel('11111111-2222-4333-8444-555555555555', SERVER_TOKEN)).status).to.equal(404);
    expect((await admin(hub.url, 'POST', `/runs/${job}/rerun`)).status).to.equal(200);
    expect((await ended(hub.url, job)).status).to.equal('done');
  });
});
