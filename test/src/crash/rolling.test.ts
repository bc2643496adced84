import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { ask } from '../support/http.js';
import type { Script } from '../support/script-model.js';
import { writeShop } from '../support/shop.js';
import { CLIENT_TOKEN, SECRET } from '../support/world.js';

/** How long hubs are killed under load: moments everywhere, a minute in CI. */
const SECONDS = process.env['BAILING_CRASH'] === 'quick' ? 8 : 60;
const EVERY_MS = 2_000;
const MAX_CALLS = 3;
const ENDED = new Set(['done', 'error', 'rejected']);

const mysql = (await databases()).find(({ name }) => name === 'mysql');

(mysql ? describe : describe.skip)('Two hubs on one MariaDB, one of them killed or stopped every two seconds', function () {
  this.timeout((SECONDS + 120) * 1_000);
  let database: FreshDatabase;
  let business: CountingBusiness;
  let folder: string;
  let configFile: string;
  const hubs: (HubProcess | null)[] = [];
  const accepted = new Map<string, string>();

  before(async () => {
    if (!mysql) throw new Error('there is no MariaDB');
    database = await mysql.create();
    business = await startCountingBusiness({ secret: SECRET });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-rolling-'));
    const shop = { database: database.url, url: business.url, maxCalls: MAX_CALLS, leaseMs: 1_000, timeoutMs: 2_000 };
    configFile = writeShop(folder, shop);
    // Both at the same moment on an empty database: one of them migrates it, the other waits.
    hubs.push(...(await Promise.all([start(), start()])));
  });
  after(async () => {
    for (const hub of hubs) await hub?.kill('SIGKILL');
    await business.close();
    await database.drop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = () => startHubProcess({ configFile, lean: true });
  const anyHub = (): HubProcess | undefined =>
    hubs.filter((hub) => hub !== null)[Math.floor(Math.random() * 2)] ?? hubs.find((hub) => hub !== null) ?? undefined;

  /** As a balancer and a careful client do: another hub, the same request_id, until somebody says 202. */
  async function submit(id: string, amount: number): Promise<void> {
    const refund = { tool: 'refund_create', arguments: { order_no: 'A-1001', amount, note: id } };
    const script: Script = [[refund], [{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]];
    const request = { request_id: id, route: 'orders', input: JSON.stringify(script), metadata: { operator_uid: 'u-ada' } };
    for (;;) {
      const hub = anyHub();
      const answer = hub && (await ask(hub.url, 'POST', '/run', request, CLIENT_TOKEN).catch(() => null));
      if (answer?.status === 202) return void accepted.set(id, String(answer.body['job_id']));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function roll(): Promise<void> {
    const until = Date.now() + SECONDS * 1_000;
    for (let turn = 0; Date.now() < until; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      const index = turn % 2;
      const leaving = hubs[index];
      hubs[index] = null;
      await leaving?.kill(turn % 4 < 2 ? 'SIGKILL' : 'SIGTERM');
      hubs[index] = await start();
    }
  }

  async function load(rolling: Promise<void>): Promise<void> {
    let going = true;
    void rolling.finally(() => (going = false));
    for (let n = 0; going; n += 1) {
      await submit(`roll:${String(n)}`, n % 5 === 0 ? 5_000 : 10);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  it('loses no job, no question and no call, repeats no write and exceeds no limit', async () => {
    const rolling = roll();
    await Promise.all([rolling, load(rolling)]);
    const rows = await settledJobs();
    expect(rows.length).to.equal(accepted.size).and.to.be.greaterThan(20);
    expect(new Set(rows.map(({ id }) => id))).to.deep.equal(new Set(accepted.values()));
    expect(rows.filter(({ used }) => used > MAX_CALLS)).to.deep.equal([]);
    const seen = new Map<string, number>();
    for (const { key } of business.effects('refund_create')) seen.set(key, (seen.get(key) ?? 0) + 1);
    expect([...seen].filter(([, times]) => times > 1)).to.deep.equal([]);
    await everyWriteHasOneFate();
  });

  /** All jobs once every one of them has ended. */
  async function settledJobs(): Promise<readonly { id: string; request: string; status: string; used: number }[]> {
    for (let left = 400; ; left -= 1) {
      const rows = await database.query('SELECT id, request_id AS request, status, calls_used AS used FROM bz_jobs');
      const jobs = rows.map(({ id, request, status, used }) => ({
        id: String(id),
        request: String(request),
        status: String(status),
        used: Number(used),
      }));
      if (left === 0 || jobs.every(({ status }) => ENDED.has(status))) {
        expect(jobs.filter(({ status }) => !ENDED.has(status))).to.deep.equal([]);
        return jobs;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Small refunds were done once, or are honestly unknown; large ones are one question each and were not sent. */
  async function everyWriteHasOneFate(): Promise<void> {
    const calls = new Map(
      (await database.query('SELECT job_id, state FROM bz_tool_executions')).map(({ job_id: job, state }) => [String(job), String(state)]),
    );
    const questions = await database.query("SELECT job_id FROM bz_tool_approvals WHERE status = 'pending'");
    const asked = new Map<string, number>();
    for (const { job_id: job } of questions) asked.set(String(job), (asked.get(String(job)) ?? 0) + 1);
    const done = new Set(business.effects('refund_create').map(({ job }) => job));
    for (const [id, job] of accepted) {
      const large = Number(id.slice('roll:'.length)) % 5 === 0;
      if (large) expect([asked.get(job), done.has(job)], id).to.deep.equal([1, false]);
      else if (done.has(job)) expect(calls.get(job), id).to.be.oneOf(['completed', 'uncertain', 'dispatching']);
      else expect(calls.get(job), id).to.be.oneOf(['uncertain', 'dispatching']);
    }
  }
});
