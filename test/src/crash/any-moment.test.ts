import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { startHubProcess } from '../support/hub-process.js';
import { startModelServer, type ChatMessage, type ModelServer, type ModelTurn } from '../support/model-server.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import { seeded } from '../support/seeded.js';
import { shopConfig } from '../support/shop.js';
import { CLIENT_TOKEN, SECRET } from '../support/world.js';

/** Jobs that a hub is given before it is killed, and kills of one database. */
const JOBS_EACH = 4;
const KILLS = 30;
/** A kill falls between the first submission and this; by then the jobs of an undisturbed hub have ended and are told. */
const LATEST_MS = 600;
const SEED = Number(process.env['BAILING_TEST_SEED'] ?? 20_261_130);

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly error: string | undefined;
  readonly text: string | undefined;
  /** Writes of each of the two proposals. */
  readonly writes: readonly number[];
  readonly reads: number;
  readonly callbacks: readonly Received[];
  readonly deliveries: readonly Received[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A read and two writes. Asked again about a write that it has proposed, it proposes another one. */
function fickle(messages: readonly ChatMessage[], nth: number): ModelTurn {
  const write = (which: string, amount: number): ModelTurn => [
    { tool: 'refund_create', arguments: { order_no: 'A-1001', amount, note: `${which} ${String(nth)}` } },
  ];
  const turns = [[{ tool: 'order_read', arguments: { order_no: 'A-1001' } }], write('first', 10), write('second', 20)];
  return turns[messages.filter(({ role }) => role === 'assistant').length] ?? 'All three are done.';
}

class World {
  private readonly accepted = new Map<string, string>();
  readonly moments: number[] = [];

  constructor(
    private readonly business: CountingBusiness,
    private readonly model: ModelServer,
    private readonly receiver: Receiver,
    private readonly configFile: string,
    private readonly random: () => number,
  ) {}

  /** One life of a hub: jobs are submitted to it, and it is killed wherever it is. Answers whether it was killed while it ran. */
  async live(nth: number): Promise<boolean> {
    const hub = await startHubProcess({ configFile: this.configFile });
    if (!hub) return false;
    const moment = Math.floor(this.random() * LATEST_MS);
    this.moments.push(moment);
    const killed = pause(moment).then(() => hub.kill());
    for (let i = 0; i < JOBS_EACH; i += 1) {
      // A caller whose request got no answer sends it again, under the same id.
      await this.submit(hub.url, `kill:${String(nth)}:${String(i)}`).catch(() => undefined);
      await pause(this.random() * 60);
    }
    await killed;
    return (await hub.ended) === 'SIGKILL';
  }

  async submit(url: string, id: string): Promise<void> {
    const callback_url = `${this.receiver.url}/callback`;
    const request = { request_id: id, route: 'orders', input: `See to ${id}`, metadata: { operator_uid: 'u-ada' }, callback_url };
    const { status, body } = await ask(url, 'POST', '/run', request);
    expect(status, JSON.stringify(body)).to.equal(202);
    this.accepted.set(id, String(body.job_id));
  }

  /** The last hub ends what is left; every request is sent again first. */
  async end(): Promise<readonly Ended[]> {
    const hub = await startHubProcess({ configFile: this.configFile });
    if (!hub) throw new Error('the last hub was killed');
    try {
      for (let nth = 0; nth < KILLS; nth += 1)
        for (let i = 0; i < JOBS_EACH; i += 1) await this.submit(hub.url, `kill:${String(nth)}:${String(i)}`);
      const ended: Ended[] = [];
      for (const id of this.accepted.values()) ended.push(await this.endOf(hub.url, id));
      return ended;
    } finally {
      await hub.kill('SIGTERM');
    }
  }

  private async endOf(url: string, id: string): Promise<Ended> {
    const until = Date.now() + 60_000;
    const told = (at: string): readonly Received[] => this.receiver.got.filter(({ path: to, body }) => to === at && body['job_id'] === id);
    for (;;) {
      const { body } = await ask(url, 'GET', `/jobs/${id}`);
      const over = ['done', 'error', 'rejected'].includes(String(body.status));
      const [callbacks, deliveries] = [told('/callback'), told('/delivery')];
      if ((over && callbacks.length > 0 && deliveries.length > 0) || Date.now() > until) {
        const notes = this.business.effects('refund_create').filter(({ job }) => job === id);
        const writes = ['first', 'second'].map((which) => notes.filter(({ params }) => String(params['note']).startsWith(which)).length);
        const reads = this.business.arrivals.filter(({ job, tool }) => job === id && tool === 'order_read').length;
        const { text } = (body.result ?? {}) as { text?: string };
        return { id, status: String(body.status), error: body.error as string | undefined, text, writes, reads, callbacks, deliveries };
      }
      await pause(30);
    }
  }

  /** What a model was told that does not hold: every call has exactly one result. */
  unanswered(): string[] {
    return this.model.asked.flatMap((messages) => {
      const results = messages.flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id]));
      const calls = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
      return JSON.stringify(results) === JSON.stringify(calls) ? [] : [`calls ${calls.join()} results ${results.join()}`];
    });
  }
}

async function played(fixture: DatabaseFixture) {
  const random = seeded(SEED);
  const latency = seeded(SEED + 1);
  const database = await fixture.create();
  const business = await startCountingBusiness({
    secret: SECRET,
    react: async () => {
      await pause(latency() * 25);
      return { is: 'answer', status: 200 };
    },
  });
  const model = await startModelServer(async (messages, nth) => {
    await pause(latency() * 25);
    return fickle(messages, nth);
  });
  const receiver = await startReceiver(CLIENT_TOKEN, () => pause(latency() * 40));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-any-'));
  const configFile = path.join(folder, 'bailing.json');
  const shop = JSON.parse(shopConfig({ database: database.url, url: business.url })) as { hub: object; routes: readonly object[] };
  const hub = { ...shop.hub, concurrency: JOBS_EACH, allow_private_hosts: [receiver.host] };
  const routes = shop.routes.map((route) => ({ ...route, delivery: { type: 'webhook', url: `${receiver.url}/delivery` } }));
  const credentials = [{ name: 'script', provider: 'openai', base_url: model.url, api_key: 'key-of-the-tests', default_model: 'scripted' }];
  fs.writeFileSync(configFile, JSON.stringify({ ...shop, hub, routes, credentials }));
  try {
    const world = new World(business, model, receiver, configFile, random);
    let kills = 0;
    for (let nth = 0; nth < KILLS; nth += 1) if (await world.live(nth)) kills += 1;
    const ended = await world.end();
    const left = await database.query('SELECT job_id FROM bz_job_rounds');
    return { kills, ended, wrong: world.unanswered(), refused: business.refused, left: left.length, got: receiver.got };
  } finally {
    await model.close();
    await business.close();
    await receiver.close();
    fs.rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 at any moment of jobs with three calls, on ${fixture.name} (seed ${String(SEED)})`, function () {
    this.timeout(600_000);
    let play: Awaited<ReturnType<typeof played>>;
    before(async () => {
      play = await played(fixture);
      const count = (status: string): number => play.ended.filter((one) => one.status === status).length;
      const again = play.got.length - new Set(play.got.map(({ path: at, body }) => `${at} ${String(body['job_id'])}`)).size;
      process.stdout.write(
        `      ${String(play.kills)} kills; ${String(count('done'))} jobs done, ${String(count('error'))} to be settled; ` +
          `${String(again)} messages told a second time\n`,
      );
    });

    it('does each write once, or says that it may have been done', () => {
      expect([play.kills, play.ended.length]).to.deep.equal([KILLS, KILLS * JOBS_EACH]);
      for (const { id, status, error, text, writes, reads } of play.ended) {
        if (status === 'done') expect([id, text, ...writes]).to.deep.equal([id, 'All three are done.', 1, 1]);
        else expect([id, status, error]).to.deep.equal([id, 'error', 'tool_execution_reconciliation_required']);
        expect(Math.max(...writes), id).to.be.at.most(1);
        // The second is only proposed when the answer to the first is there.
        expect(writes[1], id).to.be.at.most(writes[0] ?? 0);
        expect(reads, id).to.be.at.least(1);
      }
    });

    it('tells each end under one stable id, signed, and the same bytes however often', () => {
      for (const { id, status, callbacks, deliveries } of play.ended) {
        for (const told of [callbacks, deliveries]) {
          expect(told.length, id).to.be.at.least(1);
          expect(new Set(told.map(({ text }) => text)).size, id).to.equal(1);
          expect(
            told.every(({ signed }) => signed),
            id,
          ).to.equal(true);
          expect(told[0]?.body['status'], id).to.equal(status);
        }
      }
    });

    it('leaves nothing of the loop behind, sends nothing badly signed, and gives the model one result for each call', () => {
      expect(play).to.deep.include({ wrong: [], refused: [], left: 0 });
    });
  });
}
