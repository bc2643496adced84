import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCountingBusiness } from '../support/counting-business.js';
import { admin, until } from '../support/desk.js';
import { ask, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { writeShop } from '../support/shop.js';
import { SECRET, SERVER_TOKEN } from '../support/world.js';

const refund = (amount: number) => ({ tool: 'refund_create', arguments: { order_no: 'A-1001', amount } });

for (const fixture of await databases())
  describe(`A hub that dies while a job is being cancelled (${fixture.name})`, function () {
    this.timeout(60_000);

    it('leaves a write that a person settles, and nothing that stops the job when that person lets it go on', async () => {
      const database = await fixture.create();
      const business = await startCountingBusiness({
        secret: SECRET,
        react: (_, nth) => (nth === 1 ? { is: 'hang' } : { is: 'answer', status: 200 }),
      });
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-cancel-'));
      const configFile = writeShop(folder, { database: database.url, url: business.url, timeoutMs: 1_500, leaseMs: 1_000 });
      let hub: HubProcess | null = null;
      try {
        hub = await startHubProcess({ configFile, lean: true });
        let url = hub?.url ?? '';
        const script = JSON.stringify([[refund(1), refund(2), refund(3)]]);
        const request = { request_id: 'cancelled', route: 'orders', input: script, metadata: { operator_uid: 'u-ada' } };
        const job = String((await ask(url, 'POST', '/run', request)).body.job_id);
        await until(() => business.arrivals.length === 1);
        const flags = async () => ((await admin(url, 'GET', '/stops')).body.items as { readonly what: string }[]).map(({ what }) => what);
        const cancelling = ask(url, 'POST', `/jobs/${job}/cancel`, undefined, SERVER_TOKEN).catch(() => undefined);
        await until(async () => (await flags()).includes(`cancel:${job}`));
        await hub?.kill();
        await cancelling;
        hub = await startHubProcess({ configFile, lean: true });
        url = hub?.url ?? '';
        expect((await waitForEnd(url, job)).error).to.equal('tool_execution_reconciliation_required');
        expect(await flags()).to.deep.equal([]);
        const row = ((await admin(url, 'GET', '/unresolved')).body.items as { id: number; attempt: number }[])[0];
        const verdict = { verdict: 'applied', evidence: 'in the books', attempt: row?.attempt };
        await until(async () => (await admin(url, 'POST', `/unresolved/${String(row?.id)}/settle`, verdict)).status === 200);
        const end = await until(async () => {
          const found = await waitForEnd(url, job);
          return found.status === 'error' ? null : found;
        });
        expect([end.status, business.arrivals.length]).to.deep.equal(['done', 3]);
      } finally {
        await hub?.kill();
        await business.close();
        await database.drop();
        fs.rmSync(folder, { recursive: true });
      }
    });
  });
