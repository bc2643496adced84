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

  const write = (amount: number) => ({ tool: 'refund_request_create', arguments: { order_no: 'A-1001', amount, reason: 'late' } });
  /** A job of three writes in one turn, the first of which has arrived and is not answered until `letGo`. */
  async function writing(requestId: string) {
    let letGo = (): void => undefined;
    hold = new Promise((resolve) => (letGo = resolve));
    const before = world.arrived.length;
    const job = await submitScript(hub.url, requestId, [[write(1), write(2), write(3)]]);
    await until(() => world.arrived.length > before);
    const answered = (): void => {
      hold = undefined;
      letGo();
    };
    return { job, letGo: answered, sent: () => world.arrived.length - before };
  }
  const flags = async () => (await admin(hub.url, 'GET', '/stops')).body.items as { readonly what: string; readonly by: string }[];

  it('during a write: that one is settled, the others are not sent, and it ends rejected', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { job, letGo, sent } = await writing(`cancel:write:${String(i)}`);
      const answer = cancel(job);
      await until(async () => (await flags()).some(({ what }) => what === `cancel:${job}`));
      letGo();
      const { status, body } = await answer;
      expect([status, body.status, body.reason]).to.deep.equal([200, 'rejected', 'cancelled']);
      const end = await ended(hub.url, job);
      expect([end.status, end.error, sent()]).to.deep.equal(['rejected', 'cancelled', 1]);
      const events = (await eventsOf(hub.url, job)).map(({ event }) => event);
      expect(events.filter((event) => ['tool_result', 'rejected', 'finished'].includes(event))).to.deep.equal([
        'tool_result',
        'rejected',
        'finished',
      ]);
      expect(await flags()).to.deep.equal([]);
    }
  });

  it('though nobody waits for it any more, and though somebody else asks too', async () => {
    const { job, letGo, sent } = await writing('cancel:overlap');
    const headers = { authorization: `Bearer ${SERVER_TOKEN}` };
    const leaves = new AbortController();
    const left = fetch(`${hub.url}/jobs/${job}/cancel`, { method: 'POST', headers, signal: leaves.signal }).catch(() => 'left');
    await until(async () => (await flags()).length > 0);
    const stays = cancel(job);
    leaves.abort();
    expect(await left).to.equal('left');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await flags()).map(({ what }) => what)).to.deep.equal([`cancel:${job}`]);
    letGo();
    expect((await stays).status).to.equal(200);
    const end = await ended(hub.url, job);
    expect([end.status, end.error, sent()]).to.deep.equal(['rejected', 'cancelled', 1]);
    expect(await flags()).to.deep.equal([]);
  });

  it('also where the only one who asked has left', async () => {
    const { job, letGo, sent } = await writing('cancel:left');
    const headers = { authorization: `Bearer ${SERVER_TOKEN}` };
    const leaves = new AbortController();
    const left = fetch(`${hub.url}/jobs/${job}/cancel`, { method: 'POST', headers, signal: leaves.signal }).catch(() => 'left');
    await until(async () => (await flags()).length > 0);
    leaves.abort();
    await left;
    await new Promise((resolve) => setTimeout(resolve, 250));
    letGo();
    const end = await ended(hub.url, job);
    expect([end.status, end.error, sent()]).to.deep.equal(['rejected', 'cancelled', 1]);
    const blocked = (await eventsOf(hub.url, job)).filter(({ event }) => event === 'tool_blocked');
    expect(blocked.map(({ detail }) => detail?.['reason'])).to.deep.equal(['cancelled']);
    expect(await flags()).to.deep.equal([]);
  });
});
