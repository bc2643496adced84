import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { think } from '@bailing/engine';
import { modelOpenaiPlugin } from '@bailing/model-openai';
import { ModelFailure, type Http, type Log, type ModelKind } from '@bailing/plugin-api';
import { expect } from 'chai';
import { STREAM_CALLS as CALLS, STREAM_NAMES as files, streamBytes as bytesOf } from '../support/provider-streams.js';

const LAST = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface Asked {
  readonly messages: readonly {
    readonly role: string;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string; readonly extra_content?: unknown }[];
  }[];
}

describe('The streams of real providers, through the SDK into the loop', function () {
  this.timeout(60_000);
  let server: Server;
  let http: string;
  /** What the next answers are, each in the pieces given; then `LAST`. */
  let answers: { readonly pieces: readonly Buffer[]; readonly then: 'end' | 'destroy' }[] = [];
  const asked: Asked[] = [];

  before(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        asked.push(JSON.parse(Buffer.concat(parts).toString()) as Asked);
        answer(response, answers.shift() ?? { pieces: [LAST], then: 'end' });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    http = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function answer(response: ServerResponse, { pieces, then }: (typeof answers)[number]): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    if (then === 'end') response.end();
    else response.socket?.end(() => response.destroy());
  }

  function model() {
    const [made] = modelOpenaiPlugin.contributions;
    const config = { timeout_ms: 5_000, idle_ms: 2_000, streaming: true, usage: false };
    const fetched: Http = { request: () => Promise.reject(new Error('not used')), fetch: globalThis.fetch };
    const kind = made?.make({ config, services: { http: fetched }, own: undefined, log: silent }) as ModelKind;
    return kind.open({ name: 'm', provider: 'openai', base_url: http, api_key: 'key-of-the-tests', default_model: 'm' });
  }

  /** One loop over one stream; answers what it ran, in order. */
  async function run(name: string, pieces: readonly Buffer[], then: 'end' | 'destroy' = 'end', saved: string | null = null) {
    answers = [{ pieces, then }];
    const ran: string[] = [];
    const saves: string[] = [];
    const names = [...new Set((CALLS[name] ?? []).map((call) => call.split(' ')[0] ?? ''))];
    const definition = { description: 'A tool.', scope: 's', readonly: false, risk: 'low', confirmWhen: [], input: { type: 'object' } };
    const tools = new Map(names.map((tool) => [tool, { tool: { definition: { ...definition, name: tool } } }]));
    const end = await think(
      {
        route: { route_key: 'r', target_config: {} } as never,
        text: 'go',
        view: { tools, locked: [] } as never,
        maxCalls: 10,
        callsUsed: 0,
        nowText: 'now',
        signal: new AbortController().signal,
        saved,
      },
      {
        model: model(),
        call: ({ tool, arguments: args }) => {
          ran.push(`${tool} ${typeof args === 'string' ? args : JSON.stringify(args)}`);
          return Promise.resolve({ ok: true, text: 'fine', status: 200, sent: true });
        },
        note: () => undefined,
        save: (state) => Promise.resolve(void saves.push(state)),
      },
    ).catch((error: unknown) => error);
    return { ran, end, saves };
  }

  it('are of at least eight providers, and every file with calls is named here', () => {
    expect(files).to.include.members(Object.keys(CALLS));
    expect(files.length).to.be.at.least(8);
    for (const name of files) {
      expect(bytesOf(name).toString(), name).to.match(/^: .*\n(: .*\n)*: Facts: \S/);
      expect(bytesOf(name).includes('"tool_calls":[') || bytesOf(name).includes('"function_call"'), name).to.equal(name in CALLS);
    }
  });

  for (const name of files) {
    it(`${name}: cut in two at any place the loop runs exactly its calls, broken off at any place all of them or none`, async () => {
      const bytes = bytesOf(name);
      const calls = CALLS[name] ?? [];
      for (const at of places(bytes, 4)) {
        const { ran, end } = await run(name, [bytes.subarray(0, at), bytes.subarray(at)]);
        expect(ran, `cut at ${String(at)}`).to.deep.equal(calls);
        expect(end, `cut at ${String(at)}`).to.include({ is: 'answer' });
      }
      let whole = 0;
      for (const [index, at] of places(bytes, 16).entries()) {
        const { ran, end } = await run(name, [bytes.subarray(0, at)], index % 2 === 0 ? 'end' : 'destroy');
        if (end instanceof ModelFailure) expect([ran, end.transient], `broken off at ${String(at)}`).to.deep.equal([[], true]);
        else {
          whole += 1;
          expect(ran, `broken off at ${String(at)}`).to.deep.equal(calls);
        }
      }
      expect(whole).to.be.below(8);
    });
  }

  it('what Gemini signs beside a call goes back with that call and no other, also after a restart', async () => {
    const signature = { google: { thought_signature: 'c2ln' } };
    asked.length = 0;
    const { end, saves } = await run('gemini', [bytesOf('gemini')]);
    expect(end).to.include({ is: 'answer', text: 'Done.' });
    const sentBack = () =>
      asked
        .at(-1)
        ?.messages.flatMap((message) => message.tool_calls ?? [])
        .map((call) => call.extra_content);
    expect(sentBack()).to.deep.equal([signature, undefined]);
    const resumed = await run('gemini', [LAST], 'end', saves.at(-1));
    expect(resumed.end).to.include({ is: 'answer', text: 'Done.' });
    expect(sentBack()).to.deep.equal([signature, undefined]);
  });
});

/** Places to cut: at the ends of lines and beside them, inside characters of several bytes, and some between; the bound keeps it fast. */
function places(bytes: Buffer, most: number): number[] {
  const edges = [...bytes.keys()].filter((at) => bytes[at] === 0x0a || (bytes[at] ?? 0) >= 0xc0);
  const wanted = edges.flatMap((at) => [at, at + 1]);
  const step = Math.max(1, Math.floor(bytes.length / most));
  for (let at = 1; at < bytes.length; at += step) wanted.push(at);
  const all = [...new Set(wanted)].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b);
  return all.filter((_, index) => index % Math.max(1, Math.ceil(all.length / most)) === 0);
}
