import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { shopDocument, startCountingBusiness, type CountingBusiness } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callParts, isTurnOver, STREAM_CALLS, STREAM_NAMES, streamBytes, streamTools } from '../support/provider-streams.js';
import { shopConfig } from '../support/shop.js';
import { SECRET } from '../support/world.js';

interface Cut {
  readonly stream: string;
  readonly at: number;
  /** The rest comes as another piece, the answer ends there in good order, or the connection breaks. */
  readonly then: 'goes on' | 'ends' | 'breaks';
}
/** Ending and breaking take turns; which of them begins does not matter to a reader of lines. */
const cutsAt = (stream: string, at: number): readonly Cut[] => [
  { stream, at, then: 'goes on' },
  { stream, at, then: at % 2 === 0 ? 'ends' : 'breaks' },
];

const DONE = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');

/** A hub in a process of its own, its model behind the SDK, its calls through the whole exit to a business that counts them. */
describe('crash: the streams of real providers, cut at every byte', function () {
  this.timeout(600_000);
  let database: FreshDatabase;
  let business: CountingBusiness;
  let model: http.Server;
  let hub: HubProcess | null;
  let folder: string;
  const jobs = new Map<string, Cut>();

  before(async () => {
    const [sqlite] = await databases();
    database = (await sqlite?.create()) as FreshDatabase;
    business = await startCountingBusiness({ secret: SECRET, tools: streamTools() });
    model = await startModel();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-bytes-'));
    const document = shopDocument(streamTools());
    const shop = JSON.parse(shopConfig({ database: database.url, url: business.url, document, allow: ['shape.*'] })) as { hub: object };
    const { port } = model.address() as AddressInfo;
    const credential = { name: 'script', provider: 'openai', base_url: `http://127.0.0.1:${String(port)}/v1`, default_model: 'shapes' };
    const configFile = path.join(folder, 'bailing.json');
    const hubOptions = { ...shop.hub, concurrency: 24, lease_ms: 60_000 };
    fs.writeFileSync(configFile, JSON.stringify({ ...shop, hub: hubOptions, credentials: [credential] }));
    hub = await startHubProcess({ configFile });
  });
  after(async () => {
    await hub?.kill();
    model.closeAllConnections();
    model.close();
    await business.close();
    await database.drop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function play(cuts: readonly Cut[]): Promise<void> {
    const url = hub?.url ?? '';
    const todo = [...cuts];
    const work = async (): Promise<void> => {
      for (let cut = todo.pop(); cut; cut = todo.pop()) {
        const input = `cut ${cut.stream} ${String(cut.at)} ${cut.then}.`;
        const request = { request_id: input, route: 'orders', input, metadata: { operator_uid: 'u-ada' } };
        const { status, body } = await ask(url, 'POST', '/run', request);
        expect(status, input).to.equal(202);
        jobs.set(String(body.job_id), cut);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    for (;;) {
      const { queue } = (await ask(url, 'GET', '/health')).body as { queue: { running: number; waiting: number } };
      if (queue.running + queue.waiting === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  for (const stream of STREAM_NAMES) {
    const bytes = sentBytes(stream);
    const calls = (STREAM_CALLS[stream] ?? []).map(callParts).map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
    it(`${stream}: at each of its ${String(bytes.length - 1)} places, ${String(calls.length)} calls or none`, async () => {
      const places = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      await play(places.flatMap((at) => cutsAt(stream, at)));
      const arrived = new Map<string, string[]>();
      for (const { job, tool, params } of business.arrivals)
        if (jobs.get(job)?.stream === stream) arrived.set(job, [...(arrived.get(job) ?? []), `${tool} ${JSON.stringify(params)}`]);
      const rows = await database.query('SELECT id, status FROM bz_jobs');
      const wrong: string[] = [];
      let broken = 0;
      for (const { id, status } of rows) {
        const cut = jobs.get(String(id));
        if (cut?.stream !== stream) continue;
        const whole = cut.then === 'goes on' || isTurnOver(cut.then === 'breaks' ? events(bytes, cut.at) : bytes.subarray(0, cut.at));
        if (!whole) broken += 1;
        const found = JSON.stringify([status, ...(arrived.get(String(id)) ?? [])]);
        if (found !== JSON.stringify(whole ? ['done', ...calls] : ['error'])) wrong.push(`${JSON.stringify(cut)}: ${found}`);
      }
      expect(wrong).to.deep.equal([]);
      expect(broken).to.be.above(bytes.length / 3);
      expect(business.refused).to.deep.equal([]);
    });
  }
});

/** A stream as it is sent: without the lines that say where its facts come from. */
function sentBytes(stream: string): Buffer {
  const bytes = streamBytes(stream);
  return bytes.subarray(bytes.indexOf('\n', bytes.indexOf(': Facts:')) + 1);
}

/** What a broken connection leaves are the events that had ended: the line it broke in, or after, may have been longer. */
function events(bytes: Buffer, to: number): Buffer {
  const ends = [
    ...bytes
      .subarray(0, to)
      .toString('latin1')
      .matchAll(/(\r?\n){2}/g),
  ].at(-1);
  return bytes.subarray(0, ends ? ends.index + ends[0].length : 0);
}

/** Answers a first question with the stream that its last message names, cut as it says, and every other question with words. */
async function startModel(): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const asked = Buffer.concat(parts).toString();
      const [, stream = '', at = '', then] = /cut (\S+) (\d+) (goes on|ends|breaks)\./.exec(asked) ?? [];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (asked.includes('"role":"tool"')) return void response.end(DONE);
      const bytes = sentBytes(stream);
      response.write(bytes.subarray(0, Number(at)));
      if (then === 'goes on') return void response.end(bytes.subarray(Number(at)));
      if (then === 'ends') return void response.end();
      response.socket?.end(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
