import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { ShopWorld } from '../support/shop-world.js';
import { SERVER_TOKEN } from '../support/world.js';

const AT = '/admin/api/tool-providers/shop/debug-invoke';
const ID = '0d9c3bd8-3a52-4a62-9f3b-1c1f6d0e7b01';
const REFUND = { tool: 'refund_create', args: { order_no: 'A-1001', amount: 5 }, on_behalf_of: 'u-ada' };

interface Shown {
  readonly ok: boolean;
  readonly job_id: string;
  readonly reason?: string;
  readonly code?: string;
  readonly fix?: string;
  readonly request: { readonly signature_material: string } | null;
  readonly response?: { readonly status: number };
}

for (const fixture of await databases()) {
  describe(`A debug call that was asked for before, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    let react: 'answer' | 'cut' = 'answer';
    before(async () => {
      world = await ShopWorld.open(fixture, {
        shop: { providerRate: 0 },
        react: () => (react === 'cut' ? { is: 'cut' } : { is: 'answer', status: 200 }),
      });
    });
    after(() => world.close());
    beforeEach(() => (react = 'answer'));

    const debug = async (body: object): Promise<Shown> => {
      const { status, body: shown } = await ask(world.url, 'POST', AT, body, SERVER_TOKEN);
      expect(status, JSON.stringify(shown)).to.equal(200);
      return shown as unknown as Shown;
    };
    const arrivals = () => world.business.arrivals.length;

    it('tells an outcome nobody knows as one, and does not send again', async () => {
      react = 'cut';
      const lost = await debug({ ...REFUND, job_id: ID.replace(/1$/, '2') });
      expect(lost).to.include({ ok: false, governance_state: 'reconciliation_required' });
      expect(lost.request?.signature_material).to.match(/^\d+\.POST\./);
      const before = arrivals();
      react = 'answer';
      const { code, fix } = lost;
      expect(code).to.equal('BAILING_CALL_UNKNOWN');
      const asked = { ...REFUND, job_id: ID.replace(/1$/, '2') };
      expect(await debug(asked)).to.include({ ok: false, repeated: true, code, fix });
      // An end without what was seen on the way, as that of a hub that died in the middle.
      const kept = `result = '{"governance_state":"reconciliation_required"}'`;
      await world.database.query(`UPDATE bz_job_texts SET ${kept} WHERE job_id = '${asked.job_id}'`);
      const blind = await debug(asked);
      expect(blind).to.include({ ok: false, repeated: true, code, fix });
      expect(blind.reason).to.match(/^It is not known/);
      expect(arrivals()).to.equal(before);
    });

    it('says who settled it where somebody did, and not that the business answered', async () => {
      const settle = async (id: string, verdict: string) => {
        const row = (
          (await ask(world.url, 'GET', '/admin/api/unresolved', undefined, SERVER_TOKEN)).body.items as { id: number; job_id: string }[]
        ).find((one) => one.job_id === id);
        // Long enough ago that nothing sent then can arrive any more.
        await world.database.query(`UPDATE bz_tool_executions SET send_by = 1, attempted_at = 1 WHERE job_id = '${id}'`);
        const word = { verdict, evidence: 'seen in the books', by: 'ada' };
        const answer = await ask(world.url, 'POST', `/admin/api/unresolved/${String(row?.id)}/settle`, word, SERVER_TOKEN);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      };
      const [applied, not] = [ID.replace(/1$/, '3'), ID.replace(/1$/, '4')];
      react = 'cut';
      for (const job_id of [applied, not]) expect(await debug({ ...REFUND, job_id })).to.include({ code: 'BAILING_CALL_UNKNOWN' });
      react = 'answer';
      const before = arrivals();
      await settle(applied, 'applied');
      const said = await debug({ ...REFUND, job_id: applied });
      expect(said).to.include({ ok: true, repeated: true, reason: 'Settled as applied by ada: seen in the books' });
      expect(said).to.not.have.property('response');
      const { body } = await ask(world.url, 'GET', `/jobs/${applied}`, undefined, SERVER_TOKEN);
      expect((body.result as { text: string }).text).to.equal('Settled as applied by ada: seen in the books');
      await settle(not, 'not_applied');
      expect(await debug({ ...REFUND, job_id: not })).to.include({
        ok: false,
        code: 'BAILING_DEBUG_NOT_SENT',
        reason: 'Not sent: an operator settled it as not applied.',
      });
      expect(arrivals()).to.equal(before);
    });

    it('is never sent late: a call that nobody waits for ends unsent, and what was recorded is told', async () => {
      const write = { ...REFUND, args: { order_no: 'A-1001', amount: 7 } };
      const read = { tool: 'order_read', args: { order_no: 'A-1001' } };
      const late = async (body: object): Promise<Shown> => {
        const { job_id } = await debug(body);
        await world.database.query(`UPDATE bz_jobs SET created_at = created_at - 60000 WHERE id = '${job_id}'`);
        await world.database.query(`UPDATE bz_jobs SET status = 'queued' WHERE id = '${job_id}'`);
        return debug({ ...body, job_id });
      };
      const before = arrivals();
      const recorded = await late(write);
      expect(recorded, JSON.stringify(recorded)).to.include({ ok: true, repeated: true });
      expect(recorded.response?.status).to.equal(200);
      expect(await late(read)).to.include({
        ok: false,
        code: 'BAILING_DEBUG_NOT_SENT',
        reason: 'The hub was too busy to begin with this debug call in time, so it was not sent.',
        fix: 'Try again under another job_id, or without one.',
      });
      expect(arrivals()).to.equal(before + 2);
    });

    it('does not run again: what was done stays told, also when the journal has forgotten it', async () => {
      const { job_id } = await debug({ ...REFUND, args: { order_no: 'A-1001', amount: 8 } });
      await world.database.query(`DELETE FROM bz_tool_executions WHERE job_id = '${job_id}'`);
      const before = arrivals();
      const again = await ask(world.url, 'POST', `/admin/api/runs/${job_id}/rerun`, {}, SERVER_TOKEN);
      expect([again.status, again.body.code]).to.deep.equal([409, 'BAILING_JOB_RUNS_ONCE']);
      expect(again.body.fix).to.match(/job_id/);
      expect(await debug({ ...REFUND, args: { order_no: 'A-1001', amount: 8 }, job_id })).to.include({ ok: true, repeated: true });
      expect(arrivals()).to.equal(before);
    });
  });
}
