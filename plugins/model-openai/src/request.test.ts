import type { ModelMessage } from '@bailing/plugin-api';
import { expect } from 'chai';
import { assemble } from './test-support/assemble.js';
import { KEY, ask, delta, failure, hello, never, sse } from './test-support/asks.js';
import { ModelServer, provider, says, streams } from './test-support/server.js';

describe('a model endpoint is asked', () => {
  let server: ModelServer;
  before(async () => (server = await new ModelServer().start()));
  after(() => server.stop());

  it('at <base_url>/chat/completions with the key as bearer and exactly the members of the contract', async () => {
    server.answer(streams(sse(delta('Hi', 'stop'), '[DONE]')));
    await assemble(provider(server).answer(ask, never));
    const [asked] = server.asked;
    expect(asked?.path).to.equal('/v1/chat/completions');
    expect(asked?.headers.authorization).to.equal(`Bearer ${KEY}`);
    expect(asked?.body).to.deep.equal({ model: 'm-1', messages: [{ role: 'user', content: 'go' }], stream: true });
  });

  it('with temperature and tools where there are any, and with the model of the request before that of the row', async () => {
    server.answer(says(200, hello));
    const parameters = { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] };
    await assemble(
      provider(server).answer(
        { ...ask, model: 'm-2', temperature: 0, tools: [{ name: 'stock', description: 'Stock', parameters }] },
        never,
      ),
    );
    expect(server.asked[0]?.body).to.deep.equal({
      model: 'm-2',
      messages: [{ role: 'user', content: 'go' }],
      stream: true,
      temperature: 0,
      tools: [{ type: 'function', function: { name: 'stock', description: 'Stock', parameters } }],
    });
  });

  it('for usage figures only where the operator wants them', async () => {
    server.answer(says(200, hello));
    await assemble(provider(server, { options: { usage: true } }).answer(ask, never));
    expect(server.asked[0]?.body.stream_options).to.deep.equal({ include_usage: true });
  });

  it('below whatever path the base URL has, with a trailing slash or a query', async () => {
    for (const [base, path] of [
      ['/compatible-mode/v1/', '/compatible-mode/v1/chat/completions'],
      ['', '/chat/completions'],
      ['/openai/deployments/x?api-version=2024-10-21', '/openai/deployments/x/chat/completions?api-version=2024-10-21'],
    ] as const) {
      server.answer(says(200, hello));
      await assemble(provider(server, { row: { base_url: server.url + base } }).answer(ask, never));
      expect(server.asked[0]?.path).to.equal(path);
    }
  });

  it('without an authorization header where the row has no key, whatever the environment holds', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      OPENAI_API_KEY: 'sk-from-env',
      OPENAI_ORG_ID: 'org-env',
      OPENAI_PROJECT_ID: 'proj-env',
      OPENAI_ADMIN_KEY: 'sk-admin',
    });
    try {
      server.answer(says(200, hello));
      await assemble(provider(server, { row: { api_key: '' } }).answer(ask, never));
    } finally {
      process.env = before;
    }
    expect(server.asked[0]?.headers.authorization).to.equal(undefined);
    expect(JSON.stringify(server.asked[0]?.headers)).not.to.match(/env|admin/);
  });

  it('with earlier calls, results and thoughts in the provider’s words, ids paired and acceptable to the strictest', async () => {
    server.answer(says(200, hello));
    const messages: ModelMessage[] = [
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: '',
        reasoning: 'first the stock',
        calls: [
          { id: 'job-1/round-1/0', name: 'stock', arguments: '{"sku":"B"}' },
          { id: 'job-1/round-1/1', name: 'stock', arguments: '{"sku":' },
        ],
      },
      { role: 'tool', callId: 'job-1/round-1/0', name: 'stock', content: '3' },
      { role: 'tool', callId: 'job-1/round-1/1', name: 'stock', content: 'not JSON' },
      { role: 'assistant', content: 'Three.', reasoning: 'say it' },
      { role: 'user', content: 'thanks' },
    ];
    await assemble(provider(server).answer({ ...ask, messages }, never));
    expect(server.asked[0]?.body.messages).to.deep.equal([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'first the stock',
        tool_calls: [
          { id: 'c00000001', type: 'function', function: { name: 'stock', arguments: '{"sku":"B"}' } },
          { id: 'c00000002', type: 'function', function: { name: 'stock', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c00000001', content: '3' },
      { role: 'tool', tool_call_id: 'c00000002', content: 'not JSON' },
      { role: 'assistant', content: 'Three.' },
      { role: 'user', content: 'thanks' },
    ]);
  });

  it('exactly once, also where it answers 500 or 429 or breaks the connection', async () => {
    for (const answer of [
      says(500, { error: { message: 'oops' } }),
      says(429, {}, { 'retry-after': '0' }),
      streams([], { then: 'destroy' }),
    ]) {
      server.answer(answer);
      expect((await failure(server)).transient).to.equal(true);
      expect(server.asked.length).to.equal(1);
    }
  });

  it('never at another address: a redirect is a final failure and nobody follows it', async () => {
    const other = await new ModelServer().start();
    other.answer(says(200, hello));
    for (const status of [301, 302, 307, 308]) {
      server.answer(says(status, '', { location: `${other.url}/v1/chat/completions` }));
      const refused = await failure(server);
      expect([refused.status, refused.transient]).to.deep.equal([status, false]);
      expect(refused.message).to.include('redirects are refused');
    }
    expect(other.asked).to.deep.equal([]);
    await other.stop();
  });

  it('not at all where no model is named', async () => {
    server.answer(says(200, hello));
    const { default_model: _none, ...row } = { name: 'main', provider: 'openai', base_url: server.url, api_key: KEY, default_model: '' };
    const refused = await failure(server, { row: { ...row, default_model: '' } });
    expect(refused.transient).to.equal(false);
    expect(refused.message).to.include('default_model');
    expect(server.asked).to.deep.equal([]);
  });
});
