import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLedger } from '@bailing/store';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { ask } from '../support/http.js';
import type { Script } from '../support/script-model.js';
import { writeShop } from '../support/shop.js';
import { CLIENT_TOKEN, SECRET } from '../support/world.js';

const SECONDS = process.env['BAILING_CRASH'] === 'quick' ? 6 : 20;
const ENDED = new Set(['done', 'error', 'rejected']);

for (const fixture of await databases()) {
  // A SQLite file has one hub.
  const count = fixture.name === 'sqlite' ? 1 : 2;
  describe(`${String(count)} hubs that remove old rows under load, killed at any moment, on ${fixture.name}`, function () {
    this.timeout((SECONDS + 60) * 1_000);
    let database: FreshDatabase;
    let business: CountingBusiness;
    let folder: string;
    let configFile: string;
    const hubs: (HubProcess | null)[] = [];
    const accepted = new Map<string, string>();
    let going = true;

    before(async () => {
      database = await fixture.create();
      business = await startCountingBusiness({ secret: SECRET });
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-retention-'));
      const shop = { database: database.url, url: business.url, leaseMs: 1_000, timeoutMs: 2_000, auditDays: 1 };
      configFile = writeShop(folder, shop);
      for (let i = 0; i < count; i += 1) hubs.push(await start());
    });
    after(async () => {
      going = false;
      for (const hub of hubs) await hub?.kill('SIGKILL');
      await business.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const start = () => startHubProcess({ configFile, lean: true, retentionMs: 20 });

    /** What ended is old at once, and rounds are always due. */
    async function age(): Promise<void> {
      while (going) {
        await tried(`UPDATE bz_jobs SET updated_at = 1 WHERE status IN ('done', 'error', 'rejected')`);
        await tried(`UPDATE bz_tool_executions SET updated_at = 1, created_at = 1`);
        await tried(`DELETE FROM bz_plugin_records WHERE plugin = 'hub.retention'`);
        await sleep(50);
      }
    }

    /** A database that hubs have locked is asked again in a moment. */
    async function tried(sql: string): Promise<void> {
      try {
        await database.query(sql);
      } catch {
        // Locked.
      }
    }

    /** The same write twice in each job: the second is answered from the journal, or the job knows that it is unknown. */
    async function load(): Promise<void> {
      for (let n = 0; going; n += 1) {
        const id = `retain:${String(n)}`;
        const refund = { tool: 'refund_create', arguments: { order_no: 'A-1001', amount: 10, note: id } };
        const script: Script = [[refund], [{ tool: 'order_read', arguments: { order_no: 'A-1001' } }], [refund]];
        const request = { request_id: id, route: 'orders', input: JSON.stringify(script), metadata: { operator_uid: 'u-ada' } };
        while (going) {
          const hub = hubs[n % count];
          const answer = hub && (await ask(hub.url, 'POST', '/run', request, CLIENT_TOKEN).catch(() => null));
          if (answer?.status === 202) {
            accepted.set(id, String(answer.body['job_id']));
            break;
          }
          await sleep(30);
        }
        await sleep(15);
      }
    }

    async function kill(): Promise<void> {
      const until = Date.now() + SECONDS * 1_000;
      for (let turn = 0; Date.now() < until; turn += 1) {
        await sleep(700 + Math.random() * 600);
        const index = turn % count;
        const leaving = hubs[index];
        hubs[index] = null;
        await leaving?.kill('SIGKILL');
        hubs[index] = await start();
      }
    }

    it('no write happens twice, nothing unknown is lost, the ledger is whole, and rows did go', async () => {
      const work = [age(), load()];
      await kill();
      going = false;
      await Promise.all(work);
      for (let left = 300; ; left -= 1) {
        const open = (await database.query('SELECT status FROM bz_jobs')).filter(({ status }) => !ENDED.has(String(status)));
        if (open.length === 0) break;
        if (left === 0) expect(open).to.deep.equal([]);
        await sleep(100);
      }
      const times = new Map<string, number>();
      for (const { params } of business.effects('refund_create')) {
        const note = String(params['note']);
        times.set(note, (times.get(note) ?? 0) + 1);
      }
      expect([...times].filter(([, n]) => n > 1)).to.deep.equal([]);
      const jobs = await database.query(
        'SELECT j.request_id AS id, j.id AS job, j.status, t.error FROM bz_jobs j JOIN bz_job_texts t ON t.job_id = j.id',
      );
      expect(jobs.length).to.equal(accepted.size).and.to.be.greaterThan(20);
      const rows = await database.query('SELECT job_id, state FROM bz_tool_executions');
      const unknown = new Set(rows.filter(({ state }) => state !== 'completed').map(({ job_id: job }) => job));
      for (const { id, job, status, error } of jobs) {
        if (status === 'done') expect(times.get(String(id)), String(id)).to.equal(1);
        else {
          expect(String(error)).to.include('reconciliation');
          expect(unknown.has(job), String(id)).to.equal(true);
        }
      }
      expect(rows.length).to.be.below(jobs.length);
      expect((await verifyLedger(database.url)).found).to.deep.equal([]);
    });
  });
}
