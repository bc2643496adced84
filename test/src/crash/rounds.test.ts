import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCountingBusiness } from '../support/counting-business.js';
import { submit, waitForEnd } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { startModelServer, type ChatMessage, type ModelTurn } from '../support/model-server.js';
import { shopConfig } from '../support/shop.js';
import { SECRET } from '../support/world.js';

interface Edge {
  readonly at: string;
  readonly nth?: number;
  /** `once`: both writes happened exactly once and the job is done. `unknown`: at most once each, and the job says so. */
  readonly promise: 'once' | 'unknown';
  /** Played on every database; the others on SQLite alone. */
  readonly everywhere?: true;
}

/** Saved are: the read round, each write round before its write and after it, in this order. */
const SAVES: readonly Edge[] = [
  { at: 'save-round:before-commit', nth: 1, promise: 'once' },
  { at: 'save-round:before-commit', nth: 2, promise: 'once' },
  { at: 'save-round:after-commit', nth: 2, promise: 'once', everywhere: true },
  { at: 'save-round:before-commit', nth: 3, promise: 'once', everywhere: true },
  { at: 'save-round:after-commit', nth: 5, promise: 'once' },
];
const EDGES: readonly Edge[] = [
  ...SAVES,
  { at: 'intend-write:before-commit', nth: 2, promise: 'once' },
  { at: 'intend-write:after-commit', nth: 2, promise: 'unknown' },
  { at: 'settle-write:after-commit', nth: 2, promise: 'once', everywhere: true },
  { at: 'model:asked', nth: 3, promise: 'once' },
];

/** Never the same words twice: whoever asks it again about a write it has proposed gets another write. */
function fickle(messages: readonly ChatMessage[], nth: number): ModelTurn {
  const turns: readonly ModelTurn[] = [
    [{ tool: 'order_read', arguments: { order_no: 'A-1001' } }],
    [{ tool: 'refund_create', arguments: { order_no: 'A-1001', amount: 300, note: `asked ${String(nth)} times` } }],
    [{ tool: 'credit_grant', arguments: { order_no: 'A-1001', amount: nth } }],
  ];
  return turns[messages.filter(({ role }) => role === 'assistant').length] ?? 'All three are done.';
}

/** What is wrong with what a model was sent: every call has exactly one result. */
function unanswered(messages: readonly ChatMessage[]): string[] {
  const results = messages.flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id]));
  const calls = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
  return JSON.stringify(results) === JSON.stringify(calls) ? [] : [`calls ${calls.join()} results ${results.join()}`];
}

async function killAt(edge: Edge, fixture: DatabaseFixture) {
  const [database, business] = [await fixture.create(), await startCountingBusiness({ secret: SECRET })];
  let hub: HubProcess | null = null;
  let next: RunningHub | undefined;
  const model = await startModelServer(async (messages, nth) => {
    if (edge.at === 'model:asked' && nth === edge.nth) await hub?.kill();
    return fickle(messages, nth);
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-rounds-'));
  const configFile = path.join(folder, 'bailing.yaml');
  const shop = JSON.parse(shopConfig({ database: database.url, url: business.url })) as object;
  const credentials = [{ name: 'script', provider: 'openai', base_url: model.url, api_key: 'key-of-the-tests', default_model: 'scripted' }];
  fs.writeFileSync(configFile, JSON.stringify({ ...shop, credentials }));
  try {
    hub = await startHubProcess({ configFile, failpoint: edge.at, nth: edge.nth ?? 1 });
    const accepted = await submit(hub?.url ?? '', 'rounds:1', 'See to A-1001');
    const signal = await Promise.race([hub?.ended, new Promise<'alive'>((resolve) => setTimeout(() => resolve('alive'), 15_000))]);
    if (signal === 'alive') await hub?.kill();
    next = await startHub({ configFile });
    const job = await waitForEnd(next.url, String(accepted.body.job_id));
    return {
      killed: signal === 'SIGKILL',
      status: job.status,
      error: job.error,
      text: (job.result as { text?: string } | undefined)?.text,
      refunds: business.effects('refund_create').length,
      credits: business.effects('credit_grant').length,
      wrong: model.asked.flatMap(unanswered),
      left: (await database.query('SELECT job_id FROM bz_job_rounds')).length,
    };
  } finally {
    await hub?.kill();
    await next?.hub.stop();
    await model.close();
    await business.close();
    fs.rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 in a job of three calls whose model never says the same twice, on ${fixture.name}`, function () {
    this.timeout(240_000);
    const edges = EDGES.filter(({ everywhere }) => everywhere === true || fixture.name === 'sqlite');
    const outcomes = new Map<Edge, Awaited<ReturnType<typeof killAt>> | Error>();
    before(async () => {
      const todo = [...edges];
      const work = async (): Promise<void> => {
        for (let edge = todo.shift(); edge; edge = todo.shift()) {
          outcomes.set(
            edge,
            await killAt(edge, fixture).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
          );
        }
      };
      await Promise.all([work(), work(), work()]);
    });

    for (const edge of edges) {
      const promised =
        edge.promise === 'once' ? 'each write happens once' : 'a write happens at most once and the job says that it is unknown';
      it(`at ${edge.at} no. ${String(edge.nth ?? 1)} ${promised}`, () => {
        const outcome = outcomes.get(edge);
        if (!outcome || outcome instanceof Error) throw outcome ?? new Error('not played');
        expect(outcome).to.deep.include({ killed: true, wrong: [], left: 0 });
        if (edge.promise === 'once') expect(outcome).to.include({ status: 'done', text: 'All three are done.', refunds: 1, credits: 1 });
        else {
          expect(outcome.refunds).to.be.at.most(1);
          expect(outcome.credits).to.be.at.most(1);
          expect(outcome).to.include({ status: 'error', error: 'tool_execution_reconciliation_required' });
        }
      });
    }
  });
}
