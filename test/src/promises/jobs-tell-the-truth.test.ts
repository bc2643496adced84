import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ShopWorld } from '../support/shop-world.js';

const READ = { tool: 'order_read', arguments: { order_no: 'A-1001' } };
const REFUND = { tool: 'refund_create', arguments: { order_no: 'A-1001', amount: 300 } };

for (const fixture of await databases()) {
  describe(`promises: a job tells the truth, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    afterEach(() => world.close());

    it('what is refused to a worker that lost its lease is not the end of the job: it is taken again and done', async () => {
      let lost = false;
      world = await ShopWorld.open(fixture, {
        react: async ({ tool }) => {
          if (tool === 'order_read' && !lost) await world.database.query('UPDATE bz_jobs SET lease_until = 0');
          lost = true;
          return { is: 'answer', status: 200 };
        },
      });
      const job = await world.run([[READ], [REFUND]]);
      expect(job).to.include({ status: 'done' });
      expect(world.business.effects()).to.have.length(1);
      const events = await world.events(String(job.job_id));
      expect(events.find(({ event }) => event === 'job_released')?.detail).to.include({ reason: 'lease_lost' });
      expect(events.filter(({ event }) => event === 'finished')).to.have.length(1);
    });

    it('a write that cannot be journalled is not sent, and the job ends saying so instead of done', async () => {
      world = await ShopWorld.open(fixture);
      await world.refuse('INSERT ON', 'bz_tool_executions');
      const job = await world.run([[READ], [REFUND]]);
      expect(job).to.include({ status: 'error', error: 'tool_execution_journal_unavailable' });
      expect(job.result).to.include({ governance_state: 'execution_journal_unavailable', auto_retry_allowed: false });
      expect(world.business.arrivals.map(({ tool }) => tool)).to.deep.equal(['order_read']);
      const events = (await world.events(String(job.job_id))).map(({ event }) => event);
      expect(events).to.include.members(['tool_blocked', 'tool_execution_journal_unavailable', 'finished']);
    });

    it('a job whose end cannot be written down does not end as something else: it goes on and ends as what it is', async () => {
      world = await ShopWorld.open(fixture, { shop: { leaseMs: 1_000 } });
      const allow = await world.refuse('UPDATE ON', 'bz_jobs', `NEW.status = 'done'`);
      setTimeout(() => void allow(), 600);
      expect(await world.run([[REFUND]])).to.include({ status: 'done' });
      expect(world.business.effects()).to.have.length(1);
    });
  });
}
