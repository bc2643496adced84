import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { verifyLedger } from '@bailing/store';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { ask, type Answer } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { EXECUTOR_TOKEN, writeShop } from '../support/shop.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN } from '../support/world.js';

const HUBS = 8;

/** One database, hubs in processes of their own, one business. */
class Fleet {
  hubs: HubProcess[] = [];
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-fleet-'));
  private turn = 0;

  constructor(
    readonly database: FreshDatabase,
    readonly business: CountingBusiness,
  ) {}

  async start(): Promise<void> {
    const shop = { target: 'my-agent', leaseMs: 30_000, timeoutMs: 10_000, maxCalls: 3 } as const;
    const configFile = writeShop(this.folder, { ...shop, database: this.database.url, url: this.business.url });
    const first = await startHubProcess({ configFile, lean: true });
    const others = await Promise.all(Array.from({ length: HUBS - 1 }, () => startHubProcess({ configFile, lean: true })));
    this.hubs = [first, ...others].filter((hub) => hub !== null);
  }

  /** One hub after the other. */
  get url(): string {
    return this.hubs[(this.turn += 1) % this.hubs.length]?.url ?? '';
  }

  run(requestId: string): Promise<Answer> {
    const request = { request_id: requestId, route: 'orders', input: 'work', metadata: { operator_uid: 'u-ada' } };
    return ask(this.url, 'POST', '/run', request);
  }

  async work(requestId: string): Promise<{ id: string; call: (tool: string, args: object) => Promise<Answer> }> {
    await this.run(requestId);
    const claim = { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 };
    const { job } = (await ask(this.url, 'POST', '/executor/claim', claim, EXECUTOR_TOKEN)).body as {
      job: { job_id: string; tools: { invoke_url: string; tool_token: string } };
    };
    const call = (tool: string, args: object) =>
      ask(this.url, 'POST', job.tools.invoke_url, { tool, arguments: { order_no: 'A-1001', ...args } }, job.tools.tool_token);
    return { id: job.job_id, call };
  }

  decide(id: number, decision: 'approved' | 'denied', decisionId: string): Promise<Answer> {
    const body = { decision, approver: 'u-cleo', decision_id: decisionId };
    return ask(this.url, 'POST', `/approvals/${String(id)}/decision`, body, CLIENT_TOKEN);
  }

  async events(job: string): Promise<readonly string[]> {
    return (await this.database.query(`SELECT event FROM bz_audit WHERE job_id = '${job}' ORDER BY id`)).map(({ event }) => String(event));
  }

  async stop(): Promise<void> {
    await Promise.all(this.hubs.map((hub) => hub.kill('SIGTERM')));
    await this.business.close();
    await this.database.drop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

const times = (n: number, act: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => act(index)));

const fixture = (await databases()).find(({ name }) => name === 'mysql');
if (fixture) {
  describe(`journey: ${String(HUBS)} hubs in processes of their own on one MariaDB`, function () {
    this.timeout(60_000);
    let fleet: Fleet;
    before(async () => {
      // Slow enough that all are there before the first has its answer.
      const react = async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { is: 'answer', status: 200 } as const;
      };
      fleet = new Fleet(await fixture.create(), await startCountingBusiness({ secret: SECRET, react }));
      await fleet.start();
      expect(fleet.hubs).to.have.length(HUBS);
    });
    after(() => fleet.stop());

    it('200 identical writes at the same moment are one effect, and all 200 get its answer', async () => {
      const { id, call } = await fleet.work('many:write');
      const answers = await times(200, () => call('refund_create', { amount: 300 }));
      expect(fleet.business.effects()).to.have.length(1);
      expect([...new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))]).to.deep.equal([
        JSON.stringify([200, answers[0]?.body]),
      ]);
      expect(answers[0]?.body.ok).to.equal(true);
      const events = await fleet.events(id);
      expect(events.filter((event) => event === 'tool_call')).to.have.length(1);
      expect(events.filter((event) => event === 'tool_call_deduped')).to.have.length(199);
    });

    it('a hundred different writes at the same moment are as many as the budget allows', async () => {
      const before = fleet.business.effects().length;
      const { call } = await fleet.work('many:budget');
      const answers = await times(100, (index) => call('refund_create', { amount: index + 1 }));
      expect(answers.filter(({ body }) => body.ok === true)).to.have.length(3);
      expect(fleet.business.effects().length - before).to.equal(3);
    });

    it('one request_id at the same moment is one job, and everybody is told which', async () => {
      const answers = await times(64, () => fleet.run('many:run'));
      expect([...new Set(answers.map(({ status, body }) => `${String(status)} ${String(body.job_id)}`))]).to.have.length(1);
      expect(answers[0]?.status).to.equal(202);
      expect((await fleet.events(String(answers[0]?.body.job_id))).filter((event) => event === 'received')).to.have.length(1);
    });

    it('a decision that arrives many times is one decision and one write; of two opposite ones the first stands', async () => {
      const { id, call } = await fleet.work('many:held');
      const held = await times(8, () => call('refund_create', { amount: 5_000 }));
      const [approval] = [...new Set(held.map(({ body }) => Number(body.approval_id)))];
      expect(held.every(({ body }) => body.approval_id === approval)).to.equal(true);
      const before = fleet.business.effects().length;
      const answers = await times(40, (index) => fleet.decide(approval ?? 0, index % 2 ? 'approved' : 'denied', `d-${String(index % 2)}`));
      const won = new Set(answers.flatMap(({ status }, index) => (status === 200 ? [index % 2] : [])));
      expect([...won]).to.have.length(1);
      expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).to.deep.equal(Array<number>(20).fill(409));
      const events = await fleet.events(id);
      expect(events.filter((event) => /^tool_(approved|denied)/.test(event))).to.have.length(1);
      expect(fleet.business.effects().length - before).to.be.at.most(won.has(1) ? 1 : 0);
    });

    it('what they wrote side by side is one whole ledger', async () => {
      expect((await verifyLedger(fleet.database.url)).found).to.deep.equal([]);
      const { body } = await ask(fleet.url, 'GET', '/health', undefined, SERVER_TOKEN);
      expect(body.observability).to.deep.include({ audit_write_failures: 0 });
    });
  });
}
