import { spawn } from 'node:child_process';
import path from 'node:path';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { shopDocument } from '../support/counting-business.js';
import { ask, waitForEnd } from '../support/http.js';
import { root } from '../support/root.js';
import { EXECUTOR_TOKEN } from '../support/shop.js';
import { ShopWorld, type ShopWorldOptions } from '../support/shop-world.js';
import { CLIENT_TOKEN } from '../support/world.js';

const FOLDER = path.join(root, 'docs', 'examples', 'executor');

interface Example {
  readonly connect: (options: object) => unknown;
  readonly runExecutor: (options: object) => Promise<void>;
  readonly lineBrain: (job: { readonly job_id: string }, tools: unknown) => Promise<{ text: string }>;
}

async function example(): Promise<Example> {
  const parts = await Promise.all(
    ['hub', 'executor', 'line-brain'].map((name) => import(path.join(FOLDER, `${name}.mjs`)) as Promise<object>),
  );
  return Object.assign({}, ...parts) as Example;
}

const READ = 'order_read {"order_no":"A-1001"}';
const refund = (amount: number) => `refund_create {"order_no":"A-1001","amount":${String(amount)}}`;

const [fixture] = await databases();
if (fixture) {
  describe('journey: the reference executor of the docs, at a real hub', function () {
    this.timeout(20_000);
    let world: ShopWorld;
    let stopping: AbortController;
    let running: Promise<void>;
    afterEach(async () => {
      stopping.abort();
      await running;
      await world.close();
    });

    async function open(options: ShopWorldOptions = {}, brain?: Example['lineBrain']): Promise<void> {
      const { connect, runExecutor, lineBrain } = await example();
      world = await ShopWorld.open(fixture!, { ...options, shop: { target: 'my-agent', ...options.shop } });
      stopping = new AbortController();
      const hub = connect({ url: world.url, token: EXECUTOR_TOKEN, retryMs: [5, 5, 5] });
      const { signal } = stopping;
      running = runExecutor({
        hub,
        id: 'example',
        targets: ['my-agent'],
        work: brain ?? lineBrain,
        signal,
        waitMs: 2_000,
        heartbeatMs: 20,
      });
    }

    async function work(...lines: string[]): Promise<{ readonly status: string; readonly text: string; readonly error: string }> {
      const job = await waitForEnd(world.url, await world.submit(lines.join('\n')));
      const { text } = (job.result ?? {}) as { text?: string };
      return { status: String(job.status), text: text ?? '', error: typeof job.error === 'string' ? job.error : '' };
    }

    it('claims, calls and reports; a call repeated in a job is one call', async () => {
      await open();
      const { status, text } = await work('Please see to it.', READ, refund(300), refund(300), 'order_drop {}');
      expect(status).to.equal('done');
      expect(text.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).to.deep.equal([
        'order_read: done',
        'refund_create: done',
        'refund_create: done',
        'order_drop: not',
      ]);
      expect(world.business.effects()).to.have.length(1);
    });

    it('answers a line whose arguments are no JSON as malformed, and goes on with the next', async () => {
      await open();
      const { status, text } = await work('order_read {bad}', READ);
      expect([status, text.split('\n').map((line) => line.split(' ')[1])]).to.deep.equal(['done', ['malformed', 'done']]);
    });

    it('tells its model what was refused: by the business, by a fence, and by the budget', async () => {
      await open({ shop: { maxCalls: 1 }, react: () => ({ is: 'answer', status: 409 }) });
      const { status, text } = await work('order_read {"order_no":7}', READ, 'order_read {"order_no":"A-1002"}');
      expect(status).to.equal('done');
      expect(text.split('\n').map((line) => line.split(' ')[1])).to.deep.equal(['denied', 'failed', 'over']);
    });

    it('ends well with a held call, and goes on when it was approved and run', async () => {
      await open();
      const id = await world.submit(refund(5_000));
      expect((await waitForEnd(world.url, id)).status).to.equal('done');
      expect(world.business.effects()).to.have.length(0);
      await ask(world.url, 'POST', '/approvals/1/decision', { decision: 'approved', approver: 'u-cleo' }, CLIENT_TOKEN);
      for (let left = 200; world.business.effects().length === 0 && left > 0; left -= 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const job = await waitForEnd(world.url, id);
      expect((job.result as { text: string }).text).to.match(/^refund_create: done /);
      expect(world.business.effects()).to.have.length(1);
    });

    it('stops at a write without an answer: nothing is called after it, and the job says that it is unknown', async () => {
      await open({ react: ({ tool }) => (tool === 'refund_create' ? { is: 'cut' } : { is: 'answer', status: 200 }) });
      const { status, error } = await work(refund(300), READ);
      expect([status, error]).to.deep.equal(['error', 'tool_execution_reconciliation_required']);
      expect(world.business.arrivals.map(({ tool }) => tool)).to.deep.equal(['refund_create']);
    });

    it('looks definitions up where a route grants more than twelve tools', async () => {
      await open({ shop: { document: wideDocument() } });
      const { status, text } = await work(READ, 'order_read_14 {}');
      expect([status, text.split('\n')[0]?.slice(0, 16)]).to.deep.equal(['done', 'order_read: done']);
      expect(text).to.include('order_read_14: denied');
    });

    it('drops a job that was cancelled meanwhile, reports nothing, and takes the next one', async () => {
      let first = true;
      const { lineBrain } = await example();
      await open({}, async (job, tools) => {
        if (first) await ask(world.url, 'POST', `/jobs/${job.job_id}/cancel`, {}, CLIENT_TOKEN);
        first = false;
        return lineBrain(job, tools);
      });
      expect((await work(READ)).status).to.equal('rejected');
      expect((await work(READ)).text).to.match(/^order_read: done /);
      expect(world.business.arrivals).to.have.length(1);
    });

    it('is a command too: it works, and SIGTERM ends it well; without a right it says so', async () => {
      await open();
      stopping.abort();
      await running;
      const env = { ...process.env, BAILING_URL: world.url, BAILING_EXECUTOR_TOKEN: EXECUTOR_TOKEN, BAILING_TARGET: 'my-agent' };
      const main = path.join(FOLDER, 'main.mjs');
      const command = spawn(process.execPath, [main], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => command.once('exit', (status) => resolve(status)));
      expect((await work(READ)).text).to.match(/^order_read: done /);
      command.kill('SIGTERM');
      expect(await ended).to.equal(0);
      const wrong = spawn(process.execPath, [main], { env: { ...env, BAILING_EXECUTOR_TOKEN: 'not-a-token' }, stdio: 'ignore' });
      expect(await new Promise((resolve) => wrong.once('exit', (status) => resolve(status)))).to.equal(1);
    });
  });
}

/** The tools of the shop, and as many again as make a list too long for a prompt. */
function wideDocument(): object {
  const document = structuredClone(shopDocument()) as { paths: Record<string, { get?: { operationId: string } }> };
  const read = document.paths['/orders/{order_no}']?.get;
  for (let i = 1; i < 15; i += 1) {
    document.paths[`/more-${String(i)}/{order_no}`] = { get: { ...structuredClone(read!), operationId: `order_read_${String(i)}` } };
  }
  return document;
}
