import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HubOptions } from '@bailing/hub';
import { startChangingBusiness, type ChangingBusiness } from './changing-business.js';
import { ask, submit, type Answer } from './http.js';
import { startHub, type RunningHub } from './hub.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN } from './world.js';

const WORKER = 'executor-token-of-the-tests-01';

export interface SpecWorldOptions {
  readonly document: object | null;
  readonly database?: string;
  /** More members of the provider. */
  readonly provider?: object;
  readonly allow?: readonly string[];
}

export interface Work {
  readonly job_id: string;
  readonly claim_token: string;
  readonly tools: {
    readonly tool_token: string;
    readonly invoke_url: string;
    readonly defs: readonly { readonly name: string; readonly risk: string }[];
  };
}

/** A business with a changing document and hubs beside it that share one database; an executor decides which calls are made. */
export class SpecWorld {
  private readonly hubs: RunningHub[] = [];
  private serial = 0;

  private constructor(
    readonly business: ChangingBusiness,
    private readonly folder: string,
    private readonly options: SpecWorldOptions,
  ) {}

  static async make(options: SpecWorldOptions): Promise<SpecWorld> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-spec-'));
    return new SpecWorld(await startChangingBusiness(options.document), folder, options);
  }

  /** Starts one more hub. `provider` replaces members of the provider for this one. */
  async hub(more: Partial<HubOptions> = {}, provider: object = {}): Promise<RunningHub> {
    const configFile = path.join(this.folder, `bailing-${String(this.hubs.length)}.yaml`);
    fs.writeFileSync(configFile, JSON.stringify(this.config(provider)));
    const hub = await startHub({ configFile }, { duties: { watchMs: 50, tickMs: 50 }, ...more });
    this.hubs.push(hub);
    return hub;
  }

  private config(provider: object): object {
    const { url } = this.business;
    const shop = { name: 'shop', base_url: url, spec_source: 'url', spec_url: `${url}/tools.json`, secret: SECRET, rate_limit_per_min: 0 };
    const source = { provider: 'shop', allow: this.options.allow ?? ['shop.*'], subject_field: 'operator_uid' };
    return {
      hub: {
        port: 0,
        token: SERVER_TOKEN,
        database: this.options.database ?? `sqlite:${path.join(this.folder, 'hub.db')}`,
        log_level: 'info',
      },
      clients: [{ app_id: 'back-office', token: CLIENT_TOKEN, allowed_routes: ['orders'], rate_limit_per_min: 0 }],
      targets: [{ name: 'my-agent' }],
      executor_tokens: [{ name: 'workers', token: WORKER, allowed_targets: ['my-agent'] }],
      tool_providers: [{ ...shop, ...this.options.provider, ...provider }],
      routes: [{ route_key: 'orders', target: 'my-agent', tools: { max_calls: 20, sources: [source] } }],
    };
  }

  /** A job in the hands of an executor, claimed at one hub. */
  async work({ url }: RunningHub): Promise<Work> {
    await submit(url, `spec:${String((this.serial += 1))}`, 'do it');
    const { body } = await ask(url, 'POST', '/executor/claim', { executor_id: 'w', targets: ['my-agent'], wait_ms: 5_000 }, WORKER);
    return body.job as Work;
  }

  /** One call of a job, at any hub. */
  invoke({ url }: RunningHub, { tools }: Work, tool: string, args: object = {}): Promise<Answer> {
    return ask(url, 'POST', tools.invoke_url, { tool, arguments: args }, tools.tool_token);
  }

  admin({ url }: RunningHub, method: string, what = '', body?: object): Promise<Answer> {
    return ask(url, method, `/admin/api/tool-providers${what === '' ? '' : `/shop/${what}`}`, body, SERVER_TOKEN);
  }

  async close(): Promise<void> {
    for (const { hub } of this.hubs) await hub.stop();
    await this.business.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Asks until the answer is as wanted, for a few seconds. */
export async function eventually<T>(what: string, look: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const until = Date.now() + 8_000;
  for (;;) {
    const value = await look();
    if (wanted(value)) return value;
    if (Date.now() > until) throw new Error(`${what} did not come: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
