import fs from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { startCountingBusiness, type CountingBusiness } from './counting-business.js';
import { submit, waitForEnd } from './http.js';
import { startHubProcess, type HubProcess } from './hub-process.js';
import { shopConfig } from './shop.js';
import { SECRET } from './world.js';

export const IDLE_MS = 300;
export const TOTAL_MS = 1_000;
export const MAX_CALLS = 10;

/** Answers one question in full; what comes after the tools have answered is `Done.` where a row says nothing else. */
export type Say = (response: ServerResponse, turn: number) => void | Promise<void>;

export interface Row {
  readonly what: string;
  readonly say: Say;
  readonly status: 'done' | 'error';
  /** In the error, or in the answer of a job that is done. */
  readonly says: RegExp;
  /** Tools that the business saw, in order. */
  readonly calls?: readonly string[];
}

export const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const DONE = 'data: [DONE]\n\n';
export const call = (index: number, name: unknown, args: unknown, id: unknown = `c${String(index)}`): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
});
export const text = (value: string): string => event(chunk({ content: value })) + event(chunk({}, 'stop')) + DONE;

export function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}
export const raw =
  (body: string | Buffer, headers: http.OutgoingHttpHeaders = { 'content-type': 'application/json' }): Say =>
  (response) =>
    void response.writeHead(200, headers).end(body);
export const streamed =
  (...parts: readonly string[]): Say =>
  (response) =>
    void stream(response).end(parts.join(''));
/** One turn of calls, then words. */
export const calling =
  (...calls: readonly object[]): Say =>
  (response, turn) =>
    void stream(response).end(turn > 0 ? text('Done.') : event(chunk({ tool_calls: calls })) + event(chunk({}, 'tool_calls')) + DONE);
export const drip =
  (everyMs: number, piece: string): Say =>
  (response) => {
    stream(response).write(piece);
    const timer = setInterval(() => response.write(piece), everyMs);
    response.once('close', () => clearInterval(timer));
  };

export const ORDER = { order_no: 'A-1001' };
export const refund = (note: string): string => JSON.stringify({ ...ORDER, amount: 5, note });

/** A hub in a process of its own whose model says what the row asks for, and a business that counts. */
export class HostileWorld {
  /** Every request that the model got, as text. */
  readonly asked: string[] = [];

  private constructor(
    readonly hub: HubProcess,
    private readonly business: CountingBusiness,
    private readonly rows: ReadonlyMap<string, Row>,
    private readonly closing: () => Promise<void>,
  ) {}

  static async open(all: readonly Row[], totalMs = TOTAL_MS): Promise<HostileWorld> {
    const rows = new Map(all.map((row, index) => [`row-${String(index)}`, row]));
    const [sqlite] = await databases();
    if (!sqlite) throw new Error('there is no database');
    const database = await sqlite.create();
    const business = await startCountingBusiness({ secret: SECRET });
    const heard: string[] = [];
    const server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      response.on('error', () => undefined);
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        heard.push(body);
        const { messages } = JSON.parse(body) as { messages: readonly { readonly role: string }[] };
        const turn = messages.filter(({ role }) => role === 'assistant').length;
        void rows.get(/go (row-\d+)\./.exec(body)?.[1] ?? '')?.say(response, turn);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-hostile-'));
    const configFile = path.join(folder, 'bailing.json');
    const shop = JSON.parse(shopConfig({ database: database.url, url: business.url, maxCalls: MAX_CALLS })) as { hub: object };
    const base_url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
    const credentials = [{ name: 'script', provider: 'openai', base_url, default_model: 'm', timeout_ms: totalMs }];
    const plugins = [{ use: 'model-openai', config: { idle_ms: IDLE_MS } }];
    fs.writeFileSync(
      configFile,
      JSON.stringify({ ...shop, hub: { ...shop.hub, concurrency: 32, lease_ms: 30_000 }, credentials, plugins }),
    );
    const hub = await startHubProcess({ configFile });
    if (!hub) throw new Error('the hub was killed');
    const world: HostileWorld = new HostileWorld(hub, business, rows, async () => {
      await hub.kill();
      server.closeAllConnections();
      server.close();
      await business.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    return Object.assign(world, { asked: heard });
  }

  /** One job with this model; whatever is not as the row says is an assertion that fails. */
  async play(row: Row): Promise<void> {
    const [name] = [...this.rows].find(([, one]) => one === row) ?? [''];
    const { body } = await submit(this.hub.url, name, `go ${name}.`);
    const job = await waitForEnd(this.hub.url, String(body.job_id));
    const { text: said } = (job.result ?? {}) as { text?: string };
    const shown = (row.status === 'done' ? said : (job.error as string | undefined)) ?? '';
    expect(job.status, shown).to.equal(row.status);
    expect(shown).to.match(row.says);
    expect(this.business.arrivals.filter((one) => one.job === body.job_id).map(({ tool }) => tool)).to.deep.equal(row.calls ?? []);
    expect(JSON.stringify(job)).not.to.contain('secret thought');
  }

  close(): Promise<void> {
    return this.closing();
  }
}
