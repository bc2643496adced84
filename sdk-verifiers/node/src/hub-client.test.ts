import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HubClient, HubError } from './index.js';
import { serve } from './doors/support.test.kit.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

async function hub(
  answer: (seen: Seen, response: ServerResponse) => void,
  use: (client: HubClient, seen: Seen[]) => Promise<unknown>,
): Promise<void> {
  const seen: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method, url, headers } = request;
    const one = { method, url, authorization: headers.authorization, body: text === '' ? null : (JSON.parse(text) as unknown) };
    seen.push(one);
    answer(one, response);
  };
  await serve(
    (request, response) => void take(request, response),
    (baseUrl) => use(new HubClient({ baseUrl: `${baseUrl}/`, token: 'client-token', timeoutMs: 500 }), seen),
  );
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const failure = (work: Promise<unknown>): Promise<HubError> =>
  work.then(
    () => Promise.reject(new Error('it should have failed')),
    (error: unknown) => error as HubError,
  );

describe('the hub client', () => {
  it('submits, reads and sends in the words of the contract', async () => {
    await hub(
      (_seen, response) => json(response, 202, { job_id: 'j-1', status: 'queued' }),
      async (client, seen) => {
        await client.run({ requestId: 'crm:1', route: 'refund', input: 'Refund 42', callbackUrl: 'https://biz.example/cb' });
        await client.getJob('j/1');
        await client.send({ requestId: 's:1', channel: 'wecom', to: ['u1'], text: 'Hi' });
        expect(seen).to.deep.equal([
          {
            method: 'POST',
            url: '/run',
            authorization: 'Bearer client-token',
            body: { request_id: 'crm:1', route: 'refund', input: 'Refund 42', callback_url: 'https://biz.example/cb' },
          },
          { method: 'GET', url: '/jobs/j%2F1', authorization: 'Bearer client-token', body: null },
          {
            method: 'POST',
            url: '/send',
            authorization: 'Bearer client-token',
            body: { request_id: 's:1', channel: 'wecom', to: ['u1'], text: 'Hi' },
          },
        ]);
      },
    );
  });

  it('waits for the end of a job by reading it, and never sends how long', async () => {
    let reads = 0;
    await hub(
      ({ url }, response) =>
        json(
          response,
          200,
          url === '/run' ? { job_id: 'j-1', status: 'queued' } : { status: (reads += 1) > 1 ? 'done' : 'running', result: { text: 'ok' } },
        ),
      async (client, seen) => {
        const job = await client.run({ requestId: 'r', route: 'x', input: 'y', waitMs: 5000 });
        expect(job).to.deep.equal({ job_id: 'j-1', status: 'done', result: { text: 'ok' } });
        expect(seen[0]?.body).not.to.have.property('wait_ms');
      },
    );
  });

  it('throws what the hub says, with status and answer', async () => {
    await hub(
      (_seen, response) => json(response, 409, { error: 'request_id of another client', extra: 1 }),
      async (client) => {
        const error = await failure(client.get('/x'));
        expect(error).to.be.instanceOf(HubError).with.property('message', 'request_id of another client');
        expect(error).to.deep.include({ status: 409, response: { error: 'request_id of another client', extra: 1 } });
      },
    );
  });

  it('throws on a page instead of JSON, on a redirect, and when nobody answers in time', async () => {
    await hub(
      (_seen, response) => response.end('<html>'),
      async (client) => expect((await failure(client.get('/x'))).message).to.match(/base URL/),
    );
    await hub(
      (_seen, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      async (client, seen) => {
        expect((await failure(client.post('/run', {}))).status).to.equal(302);
        expect(seen).to.have.length(1);
      },
    );
    await hub(
      () => undefined,
      async (client) => expect(await failure(client.get('/x'))).to.deep.include({ status: 0 }),
    );
  });
});
