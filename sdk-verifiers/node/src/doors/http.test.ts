import { expect } from 'chai';
import { createServer, request as send, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { httpDoor, readRawBody, signToolCall, type DoorOptions, type GateResult } from '../index.js';
import { call, serve, SECRET } from './support.test.kit.js';

const errors: unknown[] = [];

function app(handler: (call: GateResult) => unknown, options: Partial<DoorOptions> = {}): RequestListener {
  const door = httpDoor(
    { secret: () => SECRET, authorize: (operator) => operator === '179:1', tool: 'refund', ...options },
    (verified, response) => {
      response.end(JSON.stringify(handler(verified)));
    },
  );
  return (request, response) => void door(request, response).catch((error: unknown) => errors.push(error));
}

describe('the door of plain node:http', () => {
  it('lets a signed and authorised call in, with the secret in force', async () => {
    await serve(
      app(({ operator, params }) => ({ operator, params })),
      async (base) => {
        const answer = await call(base, { method: 'PUT', target: '/x?a=1', body: '{"b":2}' });
        expect(answer.json).to.deep.equal({ operator: '179:1', params: { a: '1', b: 2 } });
        expect((await call(base, { method: 'PUT', target: '/x', body: '{}', onBehalfOf: 'eve' })).status).to.equal(403);
      },
    );
  });

  it('answers 500 when the handler fails, and throws its error on', async () => {
    const failing = app(() => {
      throw new Error('no database');
    });
    await serve(failing, async (base) => {
      const answer = await call(base, { method: 'GET', target: '/x', body: '' });
      expect(answer.status).to.equal(500);
      expect(answer.json).to.have.property('error', 'handler_failed');
      expect(errors.pop()).to.be.an('error').with.property('message', 'no database');
    });
  });

  it('says so when somebody read the body before', async () => {
    const door = app(() => ({}));
    const early: RequestListener = (request, response) => void readRawBody(request).then(() => door(request, response));
    await serve(early, async (base) => {
      const answer = await call(base, { method: 'POST', target: '/x', body: '{}' });
      expect(answer.json).to.have.property('error', 'raw_body_required');
    });
  });

  it('sees the raw target that a client wrote, dot segments and raw bytes included', async () => {
    const server = createServer(app(() => ({})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      for (const target of ['/a/../b//c;v=1?', '/x?q=%', '/%e2%98%83']) {
        const ts = String(Math.floor(Date.now() / 1000));
        const signature = signToolCall(SECRET, { ts, method: 'POST', pathWithQuery: target, body: '{}', onBehalfOf: '179:1' });
        const lines = [
          `POST ${target} HTTP/1.1`,
          'Host: x',
          `X-Bailing-Timestamp: ${ts}`,
          `X-Bailing-Signature: ${signature}`,
          'X-Bailing-On-Behalf-Of: 179:1',
        ];
        const text = [...lines, 'Content-Length: 2', 'Connection: close', '', '{}'].join('\r\n');
        const status = await new Promise<string>((resolve, reject) => {
          let got = '';
          const socket = connect(port, '127.0.0.1', () => socket.write(text));
          socket.on('data', (chunk) => (got += chunk.toString())).on('end', () => resolve(got.slice(9, 12)));
          socket.on('error', reject);
        });
        expect(status, target).to.equal(target.includes('=%') ? '403' : '200');
      }
    } finally {
      server.close();
    }
  });

  it('does not hang on a client that goes away in the middle of its body', async () => {
    await serve(
      app(() => ({})),
      async (base) => {
        const { port } = new URL(base);
        await new Promise<void>((resolve) => {
          const request = send({ port, host: '127.0.0.1', method: 'POST', path: '/x', headers: { 'content-length': 100 } });
          request.on('error', () => resolve()).write('{');
          setTimeout(() => request.destroy(new Error('gone')), 20);
        });
        await new Promise((resolve) => setTimeout(resolve, 30));
        expect(errors.pop())
          .to.be.an('error')
          .with.property('message')
          .that.matches(/ended before|aborted/);
      },
    );
  });
});
