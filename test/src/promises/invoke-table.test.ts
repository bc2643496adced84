import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ShopWorld } from '../support/shop-world.js';
import { fits, read, REFUND } from './invoke/row.js';
import { ROWS_AFTER } from './invoke/rows-after.js';
import { ROWS_BEFORE } from './invoke/rows-before.js';

for (const fixture of await databases()) {
  describe(`promises: the table of the executor door (WIRE 3.4), on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    afterEach(() => world.close());

    for (const row of [...ROWS_BEFORE, ...ROWS_AFTER]) {
      it(`row ${row.row}: ${row.says}`, async () => {
        // What the last invoke does is what came after the answers before it.
        let seen: { readonly arrivals: number; readonly events: number };
        const { react } = row;
        world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', ...row.shop }, ...(react && { react: () => react }) });
        const work = await world.work();
        const invoke = world.invoke.bind(world);
        const look = async () => ({ arrivals: world.business.arrivals.length, events: (await world.settled(work.job_id)).length });
        seen = await look();
        world.invoke = async (...call) => {
          seen = await look();
          return invoke(...call);
        };
        const answer = await row.act(world, work);
        expect(answer.status).to.equal(row.http);
        expect(Object.keys(answer.body)).to.have.members(Object.keys(row.body));
        expect(fits(answer.body, row.body), JSON.stringify(answer.body)).to.equal(true);
        expect(world.business.arrivals.length - seen.arrivals, 'requests at the business').to.equal(row.outbound);
        // Notifications go out by themselves, a moment later.
        const written = (await world.settled(work.job_id)).slice(seen.events).filter(({ event }) => event !== 'approval_notify');
        expect(written.map(({ event }) => event)).to.deep.equal(row.audit);
        if (row.detail) expect(fits(written.at(-1)?.detail, row.detail), JSON.stringify(written.at(-1)?.detail)).to.equal(true);
      });
    }

    it('row 2: the token of a job that was reported on is dead', async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent' } });
      const work = await world.work();
      await world.report(work);
      expect((await read(world, work)).status).to.equal(401);
    });

    it('row 7: a job whose tools are all locked for want of a subject, or that has none, is malformed', async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', allow: ['refund.create'] } });
      const { status, body } = await world.lockedJob('refund_create', REFUND);
      expect([status, body.at]).to.deep.equal([400, 'tool']);
      expect(world.business.arrivals).to.have.length(0);
    });

    it('row 11: a tool that needs a subject is refused to a job without one, and noted', async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent' } });
      const { status, body, events } = await world.lockedJob('refund_create', REFUND);
      expect([status, body.ok, body.status]).to.deep.equal([200, false, 0]);
      expect(events.at(-1)).to.have.property('event', 'tool_blocked');
      expect(world.business.arrivals).to.have.length(0);
    });
  });
}
