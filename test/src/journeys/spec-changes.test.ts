import { databases, type DatabaseFixture, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { documentOf, operation } from '../support/changing-business.js';
import { eventsOf } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { eventually, SpecWorld, type Work } from '../support/spec-world.js';

const upTo = (maximum: number) => ({ type: 'object', properties: { n: { type: 'integer', maximum } } });
const high = { risk: { level: 'high' } };
const low = { risk: { level: 'low' } };

for (const fixture of await databases()) describe(`journey: a document that changes (${fixture.name})`, () => journey(fixture));

function journey(fixture: DatabaseFixture): void {
  let database: FreshDatabase;
  let world: SpecWorld;
  let one: RunningHub;
  let two: RunningHub;

  before(async function () {
    this.timeout(30_000);
    database = await fixture.create();
    const first = documentOf(
      operation('same'),
      operation('gone'),
      operation('tightened'),
      operation('loosened', high),
      operation('widened', {}, upTo(10)),
    );
    world = await SpecWorld.make({ document: first, database: database.url });
    one = await world.hub();
    two = await world.hub();
  });
  after(async () => {
    await world.close();
    await database.drop();
  });

  const noted = async (event: string) =>
    (await database.query(`SELECT detail FROM bz_audit WHERE event = '${event}' ORDER BY id`)).map(
      ({ detail }) => JSON.parse(String(detail)) as Record<string, unknown>,
    );
  const toolsAt = async (hub: RunningHub) =>
    ((await world.admin(hub, 'GET', 'tools')).body.tools as { name: string }[]).map(({ name }) => name);
  const blocked = async (hub: RunningHub, work: Work) =>
    (await eventsOf(hub.url, work.job_id)).filter(({ event }) => event === 'tool_blocked').map(({ detail }) => detail.reason);

  it('is published once by the hub that read it first; the other finds it current', async () => {
    expect(await toolsAt(two)).to.deep.equal(['gone', 'loosened', 'same', 'tightened', 'widened']);
    expect(await noted('spec_refreshed')).to.have.length(1);
    expect(await noted('alert')).to.deep.equal([]);
  });

  it('reaches the other hub within moments, and calls of jobs that run by the stricter of then and now', async () => {
    const began = await world.work(one);
    expect(began.tools.defs.map(({ name }) => name)).to.have.length(5);
    world.business.document = documentOf(
      operation('same'),
      operation('tightened', high),
      operation('loosened', low),
      operation('widened', {}, upTo(100)),
      operation('brand_new'),
    );
    const reads = world.business.reads;
    const refreshed = await world.admin(one, 'POST', 'refresh');
    expect(refreshed.body).to.deep.include({
      ok: true,
      added: ['brand_new'],
      removed: ['gone'],
      changed: ['loosened', 'tightened', 'widened'],
    });
    await eventually(
      'the new document at the other hub',
      () => toolsAt(two),
      (tools) => tools.includes('brand_new'),
    );
    expect(world.business.reads - reads).to.equal(1);

    const calls = world.business.calls.length;
    expect((await world.invoke(two, began, 'gone')).body).to.include({ ok: false, code: 'BAILING_TOOL_NOT_GRANTED' });
    expect((await world.invoke(two, began, 'brand_new')).body).to.include({ ok: false, code: 'BAILING_TOOL_NOT_GRANTED' });
    expect((await world.invoke(two, began, 'tightened')).body).to.include({ ok: false, governance_state: 'approval_pending' });
    expect((await world.invoke(two, began, 'loosened')).body).to.include({ ok: false, governance_state: 'approval_pending' });
    expect((await world.invoke(two, began, 'widened', { n: 50 })).body).to.include({ ok: false, code: 'BAILING_ARGS_INVALID' });
    expect(world.business.calls.length).to.equal(calls);
    expect((await world.invoke(two, began, 'widened', { n: 5 })).body).to.include({ ok: true });
    expect(await blocked(one, began)).to.deep.equal(['tool_removed', 'tool_not_granted', 'tool_args_schema_invalid']);

    const later = await world.work(two);
    expect(later.tools.defs.map(({ name }) => name)).to.deep.equal(['brand_new', 'loosened', 'same', 'tightened', 'widened']);
    expect((await world.invoke(one, later, 'loosened')).body).to.include({ ok: true });
    expect((await world.invoke(one, later, 'widened', { n: 50 })).body).to.include({ ok: true });
  });

  it('leaves evidence of every looser fact, and an alert that names it', async () => {
    const [loosened, ...others] = await noted('spec_loosened');
    expect(others).to.deep.equal([]);
    const facts = loosened?.facts as { tool: string; code: string }[];
    expect(facts.map(({ tool, code }) => `${tool} ${code}`)).to.have.members([
      'loosened risk_lowered',
      'widened range_widened',
      'brand_new tool_added',
    ]);
    const alerts = await noted('alert');
    expect(alerts).to.have.length(1);
    expect(alerts[0]?.key).to.match(/^spec_change_shop_[0-9a-f]{8}$/);
    expect(alerts[0]?.message).to.match(/LOOSER: .*risk went from high to low/);
  });

  it('that is read again without a change moves nothing but the time of the look', async () => {
    const before = (await noted('spec_refreshed')).length;
    const again = await world.admin(two, 'POST', 'refresh');
    expect(again.body).to.deep.include({ ok: true, added: [], removed: [], changed: [], facts: [] });
    expect(await noted('spec_refreshed')).to.have.length(before);
  });

  it('keeps a job to its own revision after a restart, whichever hub takes it on', async function () {
    this.timeout(20_000);
    const began = await world.work(one);
    world.business.document = documentOf(operation('same', low), operation('widened', {}, upTo(1_000)));
    await world.admin(one, 'POST', 'refresh');
    const fresh = await world.hub();
    expect((await world.invoke(fresh, began, 'widened', { n: 500 })).body).to.include({ ok: false, code: 'BAILING_ARGS_INVALID' });
    expect((await world.invoke(fresh, began, 'widened', { n: 50 })).body).to.include({ ok: true });
    const compiled = await database.query('SELECT id FROM bz_spec_revisions');
    expect(compiled).to.have.length(3);
  });
}
