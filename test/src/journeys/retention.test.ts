import { openStore, verifyLedger } from '@bailing/store';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { ask } from '../support/http.js';
import { ShopWorld } from '../support/shop-world.js';
import { SERVER_TOKEN } from '../support/world.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0002';
const AGES = 40 * 86_400_000;

for (const fixture of await databases()) {
  describe(`Retention, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    before(async () => {
      const shop = { target: 'my-agent', maxCalls: 50, metricsToken: METRICS_TOKEN, auditDays: 30 } as const;
      world = await ShopWorld.open(fixture, { shop, duties: { retentionMs: 100 } });
    });
    after(() => world.close());

    const scrape = async () => (await fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();
    const count = async (sql: string) => Number((await world.database.query(`SELECT COUNT(*) AS n FROM ${sql}`))[0]?.['n']);
    const verify = () => bailing(world.url, 'audit', 'verify', '--database', world.database.url);

    /** Waits for the end of the rounds that are due. */
    async function rounds(): Promise<void> {
      const ended = `bz_plugin_records WHERE plugin = 'hub.retention' AND value LIKE '%journal%ledger%'`;
      for (let left = 200; (await count(ended)) === 0; left -= 1) {
        if (left === 0) throw new Error('no round of retention ended');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    /** Makes ended jobs and their writes old, and lets the rounds be due that find them. */
    async function aged(): Promise<void> {
      await rounds();
      await world.database.query(`UPDATE bz_jobs SET updated_at = updated_at - ${String(AGES)} WHERE status = 'done'`);
      await world.database.query(`UPDATE bz_tool_executions SET updated_at = updated_at - ${String(AGES)}`);
      await world.database.query(`DELETE FROM bz_plugin_records WHERE plugin = 'hub.retention'`);
      await rounds();
    }

    it('removes the completed writes of jobs that are over; those of the others still answer, and nothing is sent twice', async () => {
      const [over, live] = [await world.work(), await world.work()];
      const call = (amount: number) => ({ order_no: 'A-1001', amount });
      await world.invoke(over, 'refund_create', call(5));
      await world.invoke(live, 'refund_create', call(6));
      await world.report(over);
      await aged();
      expect(await count(`bz_tool_executions WHERE job_id = '${over.job_id}'`)).to.equal(0);
      expect((await world.invoke(live, 'refund_create', call(6))).body.ok).to.equal(true);
      expect(world.business.effects()).to.have.length(2);
      expect(await scrape()).to.include('bailing_retention_removed_total{what="journal"} 1');
      const { body } = await ask(world.url, 'GET', '/admin/api/diagnostics', undefined, SERVER_TOKEN);
      const check = (body.checks as { check: string; is: string; says: string }[]).find((one) => one.check === 'retention');
      expect(check?.is).to.equal('ok');
      expect(check?.says).to.match(/^the ledger is kept 30 days, completed journal rows 3 days, last looked through 20/);
    });

    it('removes old lines of the ledger, says so in it, and bailing audit verify tells both', async () => {
      // Written long ago by a process that is gone.
      const past = () => Date.now() - AGES;
      const old = await openStore({ url: world.database.url, replica: 'old', now: past, lanes: 1 });
      const line = {
        event: 'e',
        at: past(),
        job: '-',
        requestId: 'r',
        stage: 'system',
        severity: 'info',
        title: 't',
        summary: 's',
        detail: '{}',
      } as const;
      await old.jobs.note(Array.from({ length: 300 }, () => line));
      await old.close();
      await aged();
      expect(await count(`bz_audit WHERE event = 'e'`)).to.equal(0);
      expect(await count(`bz_audit WHERE event = 'audit_retention_pruned'`)).to.equal(1);
      expect((await verifyLedger(world.database.url)).found).to.deep.equal([]);
      if (fixture.name !== 'sqlite') return;
      const { out } = await verify();
      expect(out).to.match(
        /^The ledger is whole from 20\S+: \d+ lines in \d+ chains, \d+ checkpoints; 302 earlier lines pruned by retention, the last at 20\S+\.$/m,
      );
      await world.database.query('DELETE FROM bz_audit WHERE seq = 1');
      expect((await verify()).code).to.equal(1);
    });
  });
}
