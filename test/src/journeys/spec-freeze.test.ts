import { databases, type DatabaseFixture, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { documentOf, operation } from '../support/changing-business.js';
import type { RunningHub } from '../support/hub.js';
import { eventually, SpecWorld } from '../support/spec-world.js';

const high = { risk: { level: 'high' } };

for (const fixture of await databases()) describe(`journey: what became looser is frozen (${fixture.name})`, () => journey(fixture));

function journey(fixture: DatabaseFixture): void {
  let database: FreshDatabase;
  let world: SpecWorld;
  let one: RunningHub;
  let two: RunningHub;

  before(async function () {
    this.timeout(30_000);
    database = await fixture.create();
    const document = documentOf(operation('refund', high), operation('note'));
    world = await SpecWorld.make({ document, database: database.url, provider: { on_looser: 'freeze' } });
    one = await world.hub();
    two = await world.hub();
  });
  after(async () => {
    await world.close();
    await database.drop();
  });

  const frozenAt = async (hub: RunningHub) => {
    const [provider] = (await world.admin(hub, 'GET')).body as unknown as { frozen: { tool: string }[] }[];
    return provider?.frozen.map(({ tool }) => tool) ?? [];
  };
  const inForce = async (hub: RunningHub, tool: string) =>
    ((await world.admin(hub, 'GET', 'tools')).body.tools as { name: string; frozen: boolean }[]).find(({ name }) => name === tool)?.frozen;

  it('until an operator accepts: no job sees it, no running job may call it, at any hub', async () => {
    const began = await world.work(one);
    expect((await world.invoke(one, began, 'note')).body).to.include({ ok: true });
    world.business.document = documentOf(operation('refund', { risk: { level: 'low' } }), operation('note'), operation('payout'));
    const { body } = await world.admin(one, 'POST', 'refresh');
    expect((body.frozen as { tool: string }[]).map(({ tool }) => tool)).to.deep.equal(['payout', 'refund']);
    await eventually(
      'the freeze at the other hub',
      () => inForce(two, 'refund'),
      (frozen) => frozen === true,
    );

    const calls = world.business.calls.length;
    expect((await world.invoke(two, began, 'refund')).body).to.include({ ok: false, code: 'BAILING_TOOL_FROZEN' });
    expect(String((await world.invoke(one, began, 'refund')).body.text)).to.match(/from high to low.*bailing refresh .* --accept/);
    expect(world.business.calls.length).to.equal(calls);
    expect((await world.invoke(two, began, 'note')).body).to.include({ ok: true });
    expect((await world.work(two)).tools.defs.map(({ name }) => name)).to.deep.equal(['note']);
  });

  it('is accepted by name, once, with evidence of who did, and then callable everywhere', async () => {
    expect((await world.admin(two, 'POST', 'accept', { tools: ['nothing'] })).status).to.equal(400);
    expect((await world.admin(two, 'POST', 'accept', { tools: [] })).status).to.equal(400);
    const accepted = await world.admin(two, 'POST', 'accept', { tools: ['refund'] });
    expect(accepted.body).to.deep.include({ ok: true, accepted: ['refund'] });
    await eventually(
      'the acceptance at the other hub',
      () => inForce(one, 'refund'),
      (frozen) => frozen === false,
    );
    expect(await frozenAt(one)).to.deep.equal(['payout']);
    const work = await world.work(one);
    expect(work.tools.defs.map(({ name }) => name)).to.deep.equal(['note', 'refund']);
    expect((await world.invoke(one, work, 'refund')).body).to.include({ ok: true });
    const lines = await database.query(`SELECT detail FROM bz_audit WHERE event = 'spec_accepted'`);
    expect(lines.map(({ detail }) => JSON.parse(String(detail)) as object)).to.deep.equal([
      { provider: 'shop', tools: ['refund'], by: 'admin' },
    ]);
  });

  it('thaws by itself where the business takes the change back', async () => {
    world.business.document = documentOf(operation('refund', { risk: { level: 'low' } }), operation('note'));
    const { body } = await world.admin(one, 'POST', 'refresh');
    expect(body.frozen).to.deep.equal([]);
  });

  it('is every tool where calls would go to another base URL, and none again where they go back', async function () {
    this.timeout(20_000);
    const moved = await world.hub({}, { base_url: `${world.business.url}/elsewhere` });
    expect(await frozenAt(moved)).to.deep.equal(['*']);
    const listed = await world.work(moved).catch((error: unknown) => String(error));
    expect((listed as { tools?: unknown }).tools).to.equal(undefined);
    const accepted = await world.admin(moved, 'POST', 'accept', { tools: ['*'] });
    expect(accepted.body).to.deep.include({ accepted: ['*'], frozen: [] });
    expect((await world.work(moved)).tools.defs.map(({ name }) => name)).to.deep.equal(['note', 'refund']);
  });
}
