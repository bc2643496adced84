import { toolToken } from '@bailing/contract';
import { createHub, type Hub, type HubOptions } from '@bailing/hub';
import type { PluginEntry } from '@bailing/kernel';
import type { Log } from '@bailing/plugin-api';
import { type DatabaseFixture, dropPool, type FreshDatabase, pooled } from '@bailing/store/testing';
import { startCountingBusiness, type BusinessOptions, type CountingBusiness } from './counting-business.js';
import { ask, eventsOf, waitForEnd, type Answer, type Event } from './http.js';
import { LEAN } from './lean-kit.js';
import type { Script } from './script-model.js';
import { EXECUTOR_TOKEN, readShop, type ShopOptions } from './shop.js';
import { SECRET, SERVER_TOKEN } from './world.js';

// Worlds come and go by the dozen; benchmarks use them too, without a test runner.
if (typeof after === 'function') after(dropPool);

export interface ShopWorldOptions {
  readonly shop?: Partial<ShopOptions>;
  readonly react?: BusinessOptions['react'];
  readonly store?: HubOptions['store'];
  readonly plugins?: readonly PluginEntry[];
  readonly duties?: HubOptions['duties'];
}

/** A job handed to an executor, as far as tests look at it. */
export interface WorkItem {
  readonly job_id: string;
  readonly claim_token: string;
  readonly tools: { readonly invoke_url: string; readonly tool_token: string; readonly max_calls: number };
}

/** One real hub in this process, a business that counts, a database of their own. */
export class ShopWorld {
  readonly logged: string[] = [];
  url = '';
  private serial = 0;
  private hub!: Hub;

  private constructor(
    readonly database: FreshDatabase,
    readonly business: CountingBusiness,
  ) {}

  static async open(fixture: DatabaseFixture, { shop, react, store, plugins, duties }: ShopWorldOptions = {}): Promise<ShopWorld> {
    const database = await pooled(fixture);
    const world = new ShopWorld(database, await startCountingBusiness({ secret: SECRET, ...(react && { react }) }));
    const config = readShop({ leaseMs: 30_000, ...shop, database: database.url, url: world.business.url });
    const more = { ...(store && { store }), ...(duties && { duties }) };
    world.hub = createHub({ config, plugins: [...LEAN, ...(plugins ?? [])], log: world.log, env: {}, ...more });
    world.url = (await world.hub.start()).url;
    return world;
  }

  /** Submits a job and waits for its end. */
  async run(script: Script): Promise<Record<string, unknown>> {
    return waitForEnd(this.url, await this.submit(JSON.stringify(script)));
  }

  async submit(input = 'work', metadata: object = { operator_uid: 'u-ada' }): Promise<string> {
    const request = { request_id: `shop:${String((this.serial += 1))}`, route: 'orders', input, metadata };
    return String((await ask(this.url, 'POST', '/run', request)).body.job_id);
  }

  /** A job in the hands of an executor. */
  async work(input?: string, metadata?: object): Promise<WorkItem> {
    await this.submit(input, metadata);
    return this.claim();
  }

  /** The next job that waits, in the hands of an executor. */
  async claim(): Promise<WorkItem> {
    const { body } = await ask(
      this.url,
      'POST',
      '/executor/claim',
      { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 },
      EXECUTOR_TOKEN,
    );
    return body.job as WorkItem;
  }

  invoke({ tools }: WorkItem, tool: string, args: unknown) {
    return ask(this.url, 'POST', tools.invoke_url, { tool, arguments: args }, tools.tool_token);
  }

  report({ job_id, claim_token }: WorkItem, more: object = { ok: true, output: { text: 'worked' } }) {
    return ask(this.url, 'POST', '/executor/result', { job_id, claim_token, ...more }, EXECUTOR_TOKEN);
  }

  events(jobId: string): Promise<Event[]> {
    return eventsOf(this.url, jobId);
  }

  /** The events of a job, with what rides behind it written down. */
  async settled(jobId: string): Promise<Event[]> {
    const count = (events: readonly Event[], name: string) => events.filter(({ event }) => event === name).length;
    for (let left = 40; ; left -= 1) {
      const events = await this.events(jobId);
      const ends = ['tool_result', 'tool_reconciliation_required'].reduce((sum, name) => sum + count(events, name), 0);
      if (ends >= count(events, 'tool_call') || left === 0) return events;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Invokes a tool for a job without a subject; with the job's events afterwards. */
  async lockedJob(tool: string, args: unknown): Promise<Answer & { readonly events: readonly Event[] }> {
    const request = { request_id: 'shop:locked', route: 'orders', input: 'work', metadata: {} };
    const { body } = await ask(this.url, 'POST', '/run', request);
    const claimed = await ask(
      this.url,
      'POST',
      '/executor/claim',
      { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 },
      EXECUTOR_TOKEN,
    );
    const job = claimed.body.job as { job_id: string; claim_token: string };
    const id = String(body.job_id);
    const answer = await ask(
      this.url,
      'POST',
      `/jobs/${id}/tools/invoke`,
      { tool, arguments: args },
      toolToken(SERVER_TOKEN, id, job.claim_token),
    );
    return { ...answer, events: await this.events(id) };
  }

  /** Refuses a kind of row change from now on; answers how to allow it again. `when` is an SQL condition on NEW. */
  async refuse(change: 'INSERT ON' | 'UPDATE ON', table: string, when = '1 = 1'): Promise<() => Promise<void>> {
    const name = `refuse_${table}_${String((this.serial += 1))}`;
    const sqlite = this.database.url.startsWith('sqlite:');
    await this.database.query(
      sqlite
        ? `CREATE TRIGGER ${name} BEFORE ${change} ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'no'); END`
        : `CREATE TRIGGER ${name} BEFORE ${change} ${table} FOR EACH ROW IF ${when} THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    return async () => void (await this.database.query(`DROP TRIGGER ${name}`));
  }

  /** Stops the hub and leaves its database. */
  stop(): Promise<void> {
    return this.hub.stop();
  }

  async close(): Promise<void> {
    await this.hub.stop();
    await this.business.close();
    await this.database.drop();
  }

  private readonly log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message) => void this.logged.push(message),
    error: (message) => void this.logged.push(message),
  };
}
