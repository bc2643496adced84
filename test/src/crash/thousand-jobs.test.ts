import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { readShop } from '../support/shop.js';
import { SECRET } from '../support/world.js';

const JOBS = 1_000;
const HUBS = 4;
/** Conversations of five jobs each; the other half of the jobs stand alone. */
const CONVERSATIONS = 100;
const EACH = 5;

/** Many hubs need a database with a server; SQLite has one writer. */
const mysql = (await databases()).find(({ name }) => name === 'mysql');

(mysql ? describe : describe.skip)('crash: a thousand jobs over four hubs on one MariaDB', function () {
  this.timeout(300_000);
  let database: FreshDatabase;
  let business: CountingBusiness;
  let folder: string;
  let hubs: HubProcess[] = [];
  const jobs = new Map<string, string>();
  let began = 0;

  before(async () => {
    if (!mysql) return;
    began = performance.now();
    database = await mysql.create();
    business = await startCountingBusiness({ secret: SECRET });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-thousand-'));
    const configFile = path.join(folder, 'hub.json');
    const config = readShop({ database: database.url, url: business.url, leaseMs: 60_000, timeoutMs: 30_000 });
    const routes = config.routes.map((route) => ({ ...route, session_policy: 'per_key', session_key_field: 'chat' }));
    fs.writeFileSync(configFile, JSON.stringify({ ...config, routes, hub: { ...config.hub, concurrency: 8 } }));
    const started = [];
    for (let i = 0; i < HUBS; i += 1) started.push(await startHubProcess({ configFile, lean: true }));
    hubs = started.filter((hub) => hub !== null);
    await submitAll();
    await until(async () => (await count(`status NOT IN ('done', 'error', 'rejected')`)) === 0);
  });
  after(async () => {
    await Promise.all(hubs.map((hub) => hub.kill('SIGTERM')));
    await business?.close();
    await database?.drop();
    if (folder) fs.rmSync(folder, { recursive: true, force: true });
  });

  async function count(where: string): Promise<number> {
    const [row] = await database.query(`SELECT COUNT(*) AS n FROM bz_jobs WHERE ${where}`);
    return Number(row?.['n']);
  }

  async function submit(name: string, nth: number, metadata: object): Promise<void> {
    const call = { tool: 'refund_create', arguments: { order_no: 'A-1001', amount: 5, note: name } };
    const request = {
      request_id: name,
      route: 'orders',
      input: JSON.stringify([[call]]),
      metadata: { operator_uid: 'u-ada', ...metadata },
    };
    const { status, body } = await ask(hubs[nth % hubs.length]?.url ?? '', 'POST', '/run', request);
    expect([status, body.status], name).to.deep.equal([202, 'queued']);
    jobs.set(name, String(body.job_id));
  }

  /** Each conversation one after the other, every job at another hub; conversations and lone jobs side by side. */
  async function submitAll(): Promise<void> {
    const conversation = async (key: number): Promise<void> => {
      for (let i = 0; i < EACH; i += 1) await submit(`talk:${String(key)}:${String(i)}`, key + i, { chat: `c-${String(key)}` });
    };
    const todo = [
      ...Array.from({ length: CONVERSATIONS }, (_, key) => () => conversation(key)),
      ...Array.from({ length: JOBS - CONVERSATIONS * EACH }, (_, i) => () => submit(`alone:${String(i)}`, i, {})),
    ];
    const work = async (): Promise<void> => {
      for (let next = todo.shift(); next; next = todo.shift()) await next();
    };
    await Promise.all(Array.from({ length: 24 }, work));
  }

  it('does each once, and every one', async () => {
    expect(hubs).to.have.length(HUBS);
    expect([await count(`status = 'done'`), await count('attempts > 0'), jobs.size]).to.deep.equal([JOBS, 0, JOBS]);
    const notes = business.effects('refund_create').map(({ params }) => String(params['note']));
    expect(notes).to.have.length(JOBS);
    expect(new Set(notes)).to.deep.equal(new Set(jobs.keys()));
    expect(business.refused).to.deep.equal([]);
    process.stdout.write(
      `      ${String(JOBS)} jobs in ${String(Math.round((performance.now() - began) / 1000))} s, submission and start of the hubs included\n`,
    );
  });

  it('keeps the order of each conversation, one job at a time', async () => {
    const order = business.effects('refund_create').map(({ params }) => String(params['note']));
    for (let key = 0; key < CONVERSATIONS; key += 1) {
      const mine = order.filter((note) => note.startsWith(`talk:${String(key)}:`));
      expect(mine).to.deep.equal(Array.from({ length: EACH }, (_, i) => `talk:${String(key)}:${String(i)}`));
    }
    const overlaps = await database.query(
      `SELECT a.id FROM bz_jobs a JOIN bz_jobs b ON b.thread_id = a.thread_id AND b.thread_seq = a.thread_seq + 1 AND b.updated_at < a.updated_at`,
    );
    expect(overlaps).to.deep.equal([]);
  });

  it('lets every hub work', async () => {
    const replicas = await database.query(`SELECT replica, COUNT(*) AS n FROM bz_jobs GROUP BY replica`);
    expect(replicas).to.have.length(HUBS);
    for (const { n } of replicas) expect(Number(n)).to.be.above(JOBS / HUBS / 5);
  });
});

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 240_000;
  while (!(await done())) {
    if (Date.now() > end) throw new Error('the jobs did not end');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
